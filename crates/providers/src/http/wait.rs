//! How long an endpoint wants to be left alone, from the headers of its answer.

use std::time::{Duration, SystemTime};

use super::header;

/// Returns the wait that the headers ask for: in milliseconds, in seconds or until a date.
pub(super) fn retry_after(headers: &[(String, String)], now: SystemTime) -> Option<Duration> {
    if let Some(wait) = header(headers, "retry-after-ms").and_then(|text| seconds(text, 1e-3)) {
        return Some(wait);
    }
    let text = header(headers, "retry-after")?;
    if let Some(wait) = seconds(text, 1.0) {
        return Some(wait);
    }
    let date = httpdate::parse_http_date(text).ok()?;
    // A date that is past asks for no wait at all.
    Some(date.duration_since(now).unwrap_or_default())
}

fn seconds(text: &str, unit: f64) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(number * unit).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::retry_after;

    #[test]
    fn waits_are_read_in_each_form() {
        // Thirty seconds before the example date of RFC 9110, section 5.6.7.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777 - 30);
        let wait = |headers: &[(&str, &str)]| {
            let headers: Vec<(String, String)> =
                headers.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
            retry_after(&headers, now).map(|wait| wait.as_millis())
        };
        assert_eq!(wait(&[]), None);
        assert_eq!(wait(&[("retry-after", "7")]), Some(7_000));
        assert_eq!(wait(&[("retry-after", " 0.5 ")]), Some(500));
        assert_eq!(wait(&[("retry-after", "7"), ("retry-after-ms", "250")]), Some(250));
        assert_eq!(wait(&[("retry-after", "7"), ("retry-after-ms", "soon")]), Some(7_000));
        assert_eq!(wait(&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")]), Some(30_000));
        assert_eq!(wait(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")]), Some(0));
        for nonsense in ["", "soon", "-1", "NaN", "inf", "1e300"] {
            assert_eq!(wait(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
    }
}
