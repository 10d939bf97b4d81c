use std::path::Path;

use secrecy::ExposeSecret;

use super::*;
use crate::state::fragile::FragileDisk;

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// A time that is no whole hour: 1,000 hours and a half.
const NOW: u64 = 3_600_000 + 1_800;

fn named(name: &str) -> PrincipalName {
    PrincipalName::parse(name).expect("not blank")
}

fn on(disk: &FragileDisk) -> Tokens {
    Tokens::on(disk.clone(), &StateDir::at("/state"))
}

fn create(tokens: &Tokens, name: &str) -> Result<Created, TokensError> {
    tokens.create(named(name), Scope::Read, None, at(NOW))
}

/// Whom a text lets in.
fn lets_in(tokens: &Tokens, text: &str) -> Option<String> {
    match tokens.find(text, at(NOW)).expect("readable")? {
        Principal::External { name, .. } => Some(name.as_str().to_owned()),
        Principal::Local => panic!("no token makes anybody local"),
    }
}

#[test]
fn a_token_lets_in_whom_it_was_made_for_until_it_is_revoked() {
    let disk = FragileDisk::default();
    let tokens = on(&disk);
    assert!(!tokens.are_there().expect("readable"));
    let ci = create(&tokens, "ci").expect("made");
    let me = create(&tokens, "me").expect("made");
    assert_eq!(lets_in(&tokens, ci.text.expose_secret()).as_deref(), Some("ci"));
    assert_eq!(lets_in(&tokens, me.text.expose_secret()).as_deref(), Some("me"));
    // Neither what is kept of a token nor a part of it lets anybody in.
    for wrong in ["", "oncue_", &ci.token.hash.to_string(), &ci.token.id, &ci.token.prefix] {
        assert_eq!(lets_in(&tokens, wrong), None, "{wrong}");
    }
    let revoked = tokens.revoke(&ci.token.id, at(NOW + 5)).expect("revoked");
    assert!(!revoked.was_already);
    assert_eq!(revoked.token.revoked, Some(at(NOW + 5)));
    assert_eq!(lets_in(&tokens, ci.text.expose_secret()), None);
    assert_eq!(lets_in(&tokens, me.text.expose_secret()).as_deref(), Some("me"));
    let again = tokens.revoke(&ci.token.id, at(NOW + 9)).expect("known");
    assert_eq!((again.was_already, again.token.revoked), (true, Some(at(NOW + 5))));
    assert!(tokens.are_there().expect("readable"), "those that let nobody in count too");
    let unknown = tokens.revoke("0", at(NOW)).expect_err("unknown");
    assert!(matches!(unknown, TokensError::Unknown { .. }));
}

#[test]
fn what_is_kept_of_a_token_is_no_token() {
    let disk = FragileDisk::default();
    let created = create(&on(&disk), "ci").expect("made");
    let kept = disk.read(Path::new("/state/tokens.json")).expect("written");
    let kept = String::from_utf8(kept).expect("UTF-8");
    let text = created.text.expose_secret();
    assert!(!kept.contains(&text["oncue_".len() + 4..]), "only four characters are shown");
    assert!(kept.contains(&hash_of(text).to_string()));
    for shown in [format!("{created:?}"), format!("{:?}", created.token)] {
        assert!(!shown.contains(&text[6..14]), "{shown}");
    }
}

#[test]
fn changes_of_others_hold_at_once() {
    let disk = FragileDisk::default();
    let (gateway, command) = (on(&disk), on(&disk));
    let ci = create(&command, "ci").expect("made");
    let text = ci.text.expose_secret();
    assert_eq!(lets_in(&gateway, text).as_deref(), Some("ci"));
    command.revoke(&ci.token.id, at(NOW)).expect("revoked");
    assert_eq!(lets_in(&gateway, text), None);
    let me = create(&gateway, "me").expect("made");
    assert_eq!(lets_in(&command, me.text.expose_secret()).as_deref(), Some("me"));
}

#[test]
fn whatever_fails_no_acknowledged_token_or_revocation_is_lost() {
    type Act = fn(&Tokens, &str) -> Option<String>;
    let creating: Act = |tokens, _| {
        create(tokens, "new").ok().map(|created| created.text.expose_secret().to_owned())
    };
    let revoking: Act = |tokens, id| tokens.revoke(id, at(NOW)).ok().map(|_| String::new());
    let using: Act = |tokens, _| tokens.write_uses().ok().map(|()| String::new());
    let mut runs = 0;
    for (act, is_revoking) in [(creating, false), (revoking, true), (using, false)] {
        for dies in [false, true] {
            for step in 0.. {
                runs += 1;
                let disk = FragileDisk::default();
                let tokens = on(&disk);
                let [gone, kept, target] =
                    ["gone", "kept", "target"].map(|name| create(&tokens, name).expect("made"));
                tokens.revoke(&gone.token.id, at(NOW)).expect("revoked");
                lets_in(&tokens, kept.text.expose_secret());
                if dies {
                    disk.die_at(step);
                } else {
                    disk.fail_at(step);
                }
                let done = act(&tokens, &target.token.id);
                let has_failed = disk.has_failed();
                assert_eq!(done.is_none(), has_failed, "nothing is acknowledged in vain");
                disk.mend();
                // The process that goes on, and those that come after a loss of power.
                for disk in disk.power_losses().into_iter().chain([disk.clone()]) {
                    let tokens = on(&disk);
                    assert_eq!(lets_in(&tokens, gone.text.expose_secret()), None);
                    assert_eq!(
                        lets_in(&tokens, kept.text.expose_secret()).as_deref(),
                        Some("kept")
                    );
                    let target = lets_in(&tokens, target.text.expose_secret());
                    match (is_revoking, &done) {
                        (true, Some(_)) => assert_eq!(target, None),
                        (false, _) => assert_eq!(target.as_deref(), Some("target")),
                        // Nobody was told that it holds, nor that it does not.
                        (true, None) => {}
                    }
                    if let Some(text) = done.as_ref().filter(|text| !text.is_empty()) {
                        assert_eq!(lets_in(&tokens, text).as_deref(), Some("new"));
                    }
                    create(&tokens, "after").expect("the store stays usable");
                }
                if !has_failed {
                    break;
                }
            }
        }
    }
    // Six steps and the run without a failure, in three acts and two ways.
    assert_eq!(runs, 3 * 2 * 7);
}

#[test]
fn a_file_that_cannot_be_read_lets_nobody_in_and_is_never_overwritten() {
    let disk = FragileDisk::default();
    let tokens = on(&disk);
    let ci = create(&tokens, "ci").expect("made");
    let text = ci.text.expose_secret().to_owned();
    assert_eq!(lets_in(&tokens, &text).as_deref(), Some("ci"));
    let good = disk.read(Path::new("/state/tokens.json")).expect("there");
    for broken in [&good[..good.len() / 2], b"", &[0; 64], br#"{"format":9}"#] {
        disk.overwrite("/state/tokens.json", broken);
        let error = tokens.find(&text, at(NOW)).expect_err("nobody is let in");
        assert!(error.hint().is_some(), "{error}");
        assert!(tokens.are_there().is_err() && tokens.list().is_err());
        assert!(create(&tokens, "x").is_err() && tokens.revoke(&ci.token.id, at(NOW)).is_err());
        assert_eq!(disk.read(Path::new("/state/tokens.json")).expect("there"), broken);
    }
    disk.overwrite("/state/tokens.json", &good);
    assert_eq!(lets_in(&tokens, &text).as_deref(), Some("ci"), "mended, it is read again");
}

#[test]
fn tokens_expire_at_their_second() {
    let tokens = on(&FragileDisk::default());
    let made = tokens.create(named("ci"), Scope::Write, Some(at(NOW + 10)), at(NOW));
    let text = made.expect("made").text;
    let is_let_in = |now| tokens.find(text.expose_secret(), at(now)).expect("readable").is_some();
    assert!(is_let_in(NOW + 9));
    assert!(!is_let_in(NOW + 10));
    for expires in [NOW - 1, NOW] {
        let past = tokens.create(named("ci"), Scope::Read, Some(at(expires)), at(NOW));
        assert!(matches!(past, Err(TokensError::Past)));
    }
}

#[test]
fn the_last_use_is_kept_to_the_hour_and_written_once_an_hour() {
    let disk = FragileDisk::default();
    let tokens = on(&disk);
    let ci = create(&tokens, "ci").expect("made");
    let last = |tokens: &Tokens| tokens.list().expect("readable")[0].last_used;
    assert_eq!((last(&tokens), tokens.has_uses_to_write()), (None, false));
    tokens.find(ci.text.expose_secret(), at(NOW)).expect("readable");
    assert!(tokens.has_uses_to_write());
    tokens.write_uses().expect("written");
    assert_eq!(last(&tokens), Some(at(3_600_000)), "the hour in which it was");
    tokens.find(ci.text.expose_secret(), at(3_600_000 + 3_599)).expect("readable");
    assert!(!tokens.has_uses_to_write(), "the same hour");
    tokens.find(ci.text.expose_secret(), at(3_603_600)).expect("readable");
    assert!(tokens.has_uses_to_write());
    tokens.write_uses().expect("written");
    assert_eq!(last(&tokens), Some(at(3_603_600)));
    tokens.find("oncue_unknown", at(9_999_999)).expect("readable");
    assert!(!tokens.has_uses_to_write(), "what lets nobody in is not used");
}

#[test]
fn uses_that_cannot_be_written_are_tried_again_in_another_hour() {
    let disk = FragileDisk::default();
    let tokens = on(&disk);
    let ci = create(&tokens, "ci").expect("made");
    let use_at = |seconds| {
        tokens.find(ci.text.expose_secret(), at(seconds)).expect("readable").expect("let in");
        tokens.has_uses_to_write()
    };
    assert!(use_at(NOW));
    disk.die_at(0);
    assert!(tokens.write_uses().is_err());
    assert!(!use_at(NOW), "a full disk is not tried at each request");
    disk.mend();
    assert!(use_at(NOW + 3_600));
    assert!(tokens.write_uses().is_ok());
}

#[test]
fn limits_hold_to_the_last_one() {
    let disk = FragileDisk::default();
    let tokens = on(&disk);
    let name = |chars| named(&"é".repeat(chars));
    for (chars, fits) in [
        (PRINCIPAL_CHARS_MAX - 1, true),
        (PRINCIPAL_CHARS_MAX, true),
        (PRINCIPAL_CHARS_MAX + 1, false),
    ] {
        let made = tokens.create(name(chars), Scope::Read, None, at(NOW));
        assert_eq!(made.is_ok(), fits, "{chars}");
    }
    let one = tokens.list().expect("readable").remove(0);
    let many = |count| {
        let bytes = encode(&vec![one.clone(); count]).expect("encoded");
        disk.overwrite("/state/tokens.json", &bytes);
        create(&tokens, "one more")
    };
    assert!(many(TOKENS_MAX - 1).is_ok());
    assert!(matches!(many(TOKENS_MAX), Err(TokensError::Full)));
    assert!(matches!(many(TOKENS_MAX + 1), Err(TokensError::Full)));
}

#[test]
fn two_writers_lose_nothing_of_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = StateDir::at(folder.path());
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let state = &state;
            scope.spawn(move || {
                // Each opens the store for itself, as another process does.
                let tokens = Tokens::new(state);
                for number in 0..10 {
                    let made = create(&tokens, &format!("{writer}-{number}")).expect("made");
                    if number % 2 == 0 {
                        tokens.revoke(&made.token.id, at(NOW)).expect("revoked");
                    }
                }
            });
        }
    });
    let all = Tokens::new(&state).list().expect("readable");
    assert_eq!(all.len(), 40);
    assert_eq!(all.iter().filter(|token| token.revoked.is_some()).count(), 20);
}
