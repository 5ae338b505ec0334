//! Signals that ask to end: while files are written they wait, so that nothing is left half written.

/// Does `work`, which is short, to its end; a signal that came meanwhile then does what it always does.
#[cfg(unix)]
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};

    let came = Arc::new(AtomicUsize::new(0));
    let mut registered = Vec::new();
    for signal in [SIGINT, SIGTERM] {
        let number = usize::try_from(signal).unwrap_or_default();
        // Where it cannot be caught, the work is done all the same.
        registered.extend(flag::register_usize(signal, Arc::clone(&came), number));
    }
    let done = work();
    let signal = i32::try_from(came.load(Ordering::SeqCst)).unwrap_or_default();
    for id in registered {
        low_level::unregister(id);
    }
    if signal != 0 {
        let _ = low_level::emulate_default_handler(signal);
    }
    done
}

/// Does `work`; there are no such signals here.
#[cfg(not(unix))]
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    work()
}
