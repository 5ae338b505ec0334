//! Calls that are being answered: the end of a server waits for them.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How many calls are being answered.
#[derive(Clone, Debug)]
pub struct Flights(Arc<watch::Sender<usize>>);

impl Default for Flights {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }
}

/// One call that is being answered, until this is dropped.
#[derive(Debug)]
pub struct Flight(Arc<watch::Sender<usize>>);

impl Drop for Flight {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

/// How long what was just read takes to become a call, and what was answered to be written.
const PAUSE: Duration = Duration::from_millis(50);

impl Flights {
    /// Counts a call.
    #[must_use]
    pub fn begin(&self) -> Flight {
        self.0.send_modify(|count| *count += 1);
        Flight(Arc::clone(&self.0))
    }

    /// Waits until no call is being answered, but no longer than `most`.
    pub async fn landed(self, most: Duration) {
        tokio::time::sleep(PAUSE).await;
        let mut count = self.0.subscribe();
        // What has not come to its end by then ends with the server.
        let _ = tokio::time::timeout(most, count.wait_for(|count| *count == 0)).await;
        tokio::time::sleep(PAUSE).await;
    }
}
