//! `Retry-After`: seconds, or a date in one of the three forms of HTTP. And the time of a log.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long to wait, counted from `now`; the past is no wait.
pub fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<i64>() {
        return Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)));
    }
    let then = UNIX_EPOCH.checked_add(Duration::from_secs(seconds(text)?))?;
    Some(then.duration_since(now).unwrap_or_default())
}

/// When a limit ends that a vendor's header names: seconds from now, or since 1970.
pub fn reset(text: &str, now: SystemTime) -> Option<Duration> {
    let seconds = text.trim().split('.').next()?.parse::<u64>().ok()?;
    if seconds < 1_000_000_000 {
        return Some(Duration::from_secs(seconds));
    }
    // Some count milliseconds.
    let seconds = if seconds > 100_000_000_000 { seconds / 1_000 } else { seconds };
    let then = UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
    Some(then.duration_since(now).unwrap_or_default())
}

/// A time as RFC 3339 in UTC, with milliseconds.
pub fn timestamp(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    // Howard Hinnant's civil_from_days, for days since 1970: years begin in March there.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60,
        since.subsec_millis()
    )
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Seconds since 1970 of an HTTP date.
fn seconds(text: &str) -> Option<u64> {
    let (mut day, mut month, mut year, mut time) = (None, None, None, None);
    for word in text.split([' ', ',', '-']).filter(|word| !word.is_empty()) {
        let lower = word.to_ascii_lowercase();
        if let Some(at) = MONTHS.iter().position(|name| *name == lower) {
            month = Some(at as u64 + 1);
        } else if word.contains(':') {
            let parts: Vec<u64> = word.split(':').map_while(|part| part.parse().ok()).collect();
            let [hours, minutes, seconds] = parts[..] else { return None };
            time = Some(hours * 3600 + minutes * 60 + seconds);
        } else if let Ok(number) = word.parse::<u64>() {
            if day.is_none() {
                day = Some(number);
            } else {
                year = Some(if word.len() == 2 {
                    number + if number < 70 { 2000 } else { 1900 }
                } else {
                    number
                });
            }
        }
    }
    let (day, month, year, time) = (day?, month?, year?, time?);
    if !(1970..=9999).contains(&year) || !(1..=31).contains(&day) || time > 86_400 {
        return None;
    }
    // Days since 1970 with years that begin in March, so that the leap day comes last.
    let (shifted, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days =
        365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * months + 2) / 5 + day
            - 1;
    Some((days.checked_sub(719_468)?) * 86_400 + time)
}
