//! Generated files to disk.
