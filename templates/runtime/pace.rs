//! How often and how many requests leave: a limit that the operator sets, and one on parallel ones.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many requests may follow each other at once after a pause.
const BURST: u32 = 5;

/// Spaces requests out.
#[derive(Debug)]
pub struct Pace {
    interval: Option<Duration>,
    burst: u32,
    next: Mutex<Option<Instant>>,
}

impl Pace {
    /// At most this many requests a minute.
    pub fn new(per_minute: Option<u32>) -> Self {
        let interval = per_minute.map(|count| Duration::from_secs(60) / count.max(1));
        // A pause must not let out more than the limit of a minute.
        let burst = per_minute.map_or(BURST, |count| (count / 4).clamp(1, BURST));
        Self { interval, burst, next: Mutex::new(None) }
    }

    /// How long the next request has to wait; its turn is taken.
    ///
    /// # Errors
    /// How long it would have to wait, where that is longer than `most`; no turn is taken.
    pub fn turn(&self, now: Instant, most: Duration) -> Result<Duration, Duration> {
        let Some(interval) = self.interval else { return Ok(Duration::ZERO) };
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        // Turns that were not used in the last moments may be used now.
        let earliest = now.checked_sub(interval * (self.burst - 1)).unwrap_or(now);
        let at = next.map_or(earliest, |next| next.max(earliest));
        let wait = at.saturating_duration_since(now);
        if wait > most {
            return Err(wait);
        }
        *next = Some(at + interval);
        Ok(wait)
    }
}
