//! Support for tests that drive generated servers.
