//! The form of the file of tokens: JSON with a version and a checksum, read strictly and as a whole.

use std::time::{Duration, SystemTime};

use oncue_tools::PrincipalName;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::token::{Token, scope_name, scope_named};
use crate::digest::Digest;

/// The version of the form; it grows when an older reader would misread a file.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u32,
    /// SHA-256 of the bytes of `tokens` as they stand. It finds damage, not an attacker, who can compute it too.
    checksum: String,
    tokens: Box<RawValue>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    principal: String,
    scope: String,
    prefix: String,
    hash: String,
    created: String,
    expires: Option<String>,
    revoked: Option<String>,
    last_used: Option<String>,
}

/// Why a file is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// A newer program has written it.
    Newer(u32),
    /// It is not what was written.
    Damaged(&'static str),
}

/// Returns the bytes of a file with these tokens.
pub(super) fn encode(tokens: &[Token]) -> Result<Vec<u8>, serde_json::Error> {
    let rows: Vec<Row> = tokens.iter().map(Row::of).collect();
    let tokens = serde_json::value::to_raw_value(&rows)?;
    let checksum = Digest::of(tokens.get().as_bytes()).to_string();
    let mut bytes = serde_json::to_vec(&File { format: FORMAT, checksum, tokens })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Returns the tokens of a file.
pub(super) fn decode(bytes: &[u8]) -> Result<Vec<Token>, Unread> {
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let version: Version =
        serde_json::from_slice(bytes).map_err(|_| Unread::Damaged("it is no file of tokens"))?;
    if version.format > FORMAT {
        return Err(Unread::Newer(version.format));
    }
    let file: File =
        serde_json::from_slice(bytes).map_err(|_| Unread::Damaged("it is no file of tokens"))?;
    if Digest::parse(&file.checksum) != Some(Digest::of(file.tokens.get().as_bytes())) {
        return Err(Unread::Damaged("its checksum does not fit"));
    }
    let rows: Vec<Row> = serde_json::from_str(file.tokens.get())
        .map_err(|_| Unread::Damaged("a token in it has another form"))?;
    let tokens = rows.into_iter().map(Row::token).collect::<Option<Vec<Token>>>();
    tokens.ok_or(Unread::Damaged("a token in it has another form"))
}

impl Row {
    fn of(token: &Token) -> Self {
        Self {
            id: token.id.clone(),
            principal: token.principal.as_str().to_owned(),
            scope: scope_name(token.scope).to_owned(),
            prefix: token.prefix.clone(),
            hash: token.hash.to_string(),
            created: shown(token.created),
            expires: token.expires.map(shown),
            revoked: token.revoked.map(shown),
            last_used: token.last_used.map(shown),
        }
    }

    fn token(self) -> Option<Token> {
        Some(Token {
            id: self.id,
            principal: PrincipalName::parse(&self.principal)?,
            scope: scope_named(&self.scope)?,
            prefix: self.prefix,
            created: parsed(&self.created)?,
            expires: optional(self.expires)?,
            revoked: optional(self.revoked)?,
            last_used: optional(self.last_used)?,
            hash: Digest::parse(&self.hash)?,
        })
    }
}

/// Returns a time without what is below its second, as files keep it.
pub(super) fn whole_seconds(time: SystemTime) -> SystemTime {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    SystemTime::UNIX_EPOCH + Duration::from_secs(since.as_secs())
}

fn shown(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

fn parsed(text: &str) -> Option<SystemTime> {
    humantime::parse_rfc3339(text).ok()
}

/// `None` where there is a text that is no time: a date of expiry that cannot be read must not become none.
fn optional(text: Option<String>) -> Option<Option<SystemTime>> {
    match text {
        None => Some(None),
        Some(text) => parsed(&text).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use oncue_decl::Scope;

    use super::*;

    fn tokens() -> Vec<Token> {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let token = |id: &str, expires: Option<u64>| Token {
            id: id.to_owned(),
            principal: PrincipalName::parse("ci \"x\"").expect("a name"),
            scope: Scope::Stage,
            prefix: "oncue_ab12…".to_owned(),
            created: at(0),
            expires: expires.map(at),
            revoked: Some(at(1_000_000_000)),
            last_used: None,
            hash: Digest::of(id.as_bytes()),
        };
        vec![token("0000000a", None), token("0000000b", Some(951_782_400))]
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = encode(&tokens()).expect("written");
        assert_eq!(decode(&bytes), Ok(tokens()));
        let text = String::from_utf8(bytes).expect("UTF-8");
        // Times worked out apart: 951,782,400 s are 11,016 days, up to the leap day of 2000.
        for part in ["\"2000-02-29T00:00:00Z\"", "\"1970-01-01T00:00:00Z\"", "\"scope\":\"stage\""]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(decode(&encode(&[]).expect("written")), Ok(Vec::new()));
    }

    #[test]
    fn each_flipped_bit_and_each_cut_is_found() {
        let bytes = encode(&tokens()).expect("written");
        for at in 0..bytes.len() - 1 {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                let read = decode(&flipped);
                // White space at the end says nothing.
                assert!(read.is_err() || read == Ok(tokens()), "bit {bit} of byte {at}");
            }
            assert!(decode(&bytes[..at]).is_err(), "cut after {at}");
        }
    }

    #[test]
    fn a_newer_form_is_told_from_damage() {
        let newer = br#"{"format":2,"entries":[]}"#;
        assert_eq!(decode(newer), Err(Unread::Newer(2)));
        for damaged in [&b""[..], b"{}", b"[]", &[0; 512], br#"{"format":1}"#] {
            assert!(matches!(decode(damaged), Err(Unread::Damaged(_))));
        }
    }

    #[test]
    fn an_expiry_that_is_no_time_is_not_taken_for_none() {
        let rows = r#"[{"id":"a","principal":"ci","scope":"read","prefix":"","hash":"HASH","created":"1970-01-01T00:00:00Z","expires":"soon","revoked":null,"last_used":null}]"#;
        let rows = rows.replace("HASH", &Digest::of(b"").to_string());
        let file = |rows: &str| {
            let checksum = Digest::of(rows.as_bytes());
            format!(r#"{{"format":1,"checksum":"{checksum}","tokens":{rows}}}"#)
        };
        assert!(decode(file(&rows).as_bytes()).is_err());
        let dated = rows.replace("soon", "2000-02-29T00:00:00Z");
        assert_eq!(decode(file(&dated).as_bytes()).map(|tokens| tokens.len()), Ok(1));
    }
}
