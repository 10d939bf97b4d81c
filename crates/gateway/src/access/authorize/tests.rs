use std::path::Path;
use std::time::Duration;

use axum::http::Request;
use oncue_decl::Scope;
use oncue_tools::PrincipalName;
use secrecy::ExposeSecret;

use super::*;
use crate::access::Created;
use crate::state::fragile::FragileDisk;
use crate::state::{Disk, StateDir};

const FILE: &str = "/state/tokens.json";

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000)
}

/// A door over a disk, and a hand on the same tokens from another process.
struct World {
    disk: FragileDisk,
    tokens: Tokens,
    access: Access,
}

impl World {
    fn new(policy: Policy) -> Self {
        let disk = FragileDisk::default();
        let tokens = || Tokens::on(disk.clone(), &StateDir::at("/state"));
        Self { tokens: tokens(), access: Access::new(policy, tokens()), disk }
    }

    fn create(&self, scope: Scope, expires: Option<SystemTime>) -> Created {
        let ci = PrincipalName::parse("ci").expect("a name");
        self.tokens.create(ci, scope, expires, now()).expect("made")
    }

    fn ask(&self, uri: &str, headers: &[&str]) -> Result<Principal, Refusal> {
        let mut request = Request::builder().uri(uri);
        for header in headers {
            request = request.header("authorization", *header);
        }
        let (head, ()) = request.body(()).expect("a request").into_parts();
        self.access.authorize_at(&head, now())
    }

    fn bearing(&self, created: &Created) -> Result<Principal, Refusal> {
        self.ask("/mcp", &[&format!("Bearer {}", created.text.expose_secret())])
    }
}

#[test]
fn a_token_lets_its_principal_in_with_its_scope() {
    let world = World::new(Policy::Tokens);
    let created = world.create(Scope::Stage, None);
    let name = PrincipalName::parse("ci").expect("a name");
    let expected = Principal::External { name, scope: Scope::Stage };
    assert_eq!(world.bearing(&created), Ok(expected));
    assert_eq!(world.access.refused(), Refused::default());
}

#[test]
fn nobody_else_is_let_in() {
    let world = World::new(Policy::Tokens);
    let created = world.create(Scope::Read, None);
    let good = format!("Bearer {}", created.text.expose_secret());
    let query = format!("/mcp?access_token={}", created.text.expose_secret());
    let status = |uri: &str, headers: &[&str]| {
        let refusal = world.ask(uri, headers).expect_err("refused");
        let challenge = refusal.headers.first().map(|(name, value)| {
            assert_eq!(*name, "www-authenticate");
            value.strip_prefix("Bearer realm=\"oncue\"").expect("of the realm").to_owned()
        });
        (refusal.status, challenge.expect("a challenge"))
    };
    let invalid = (401, ", error=\"invalid_token\"".to_owned());
    let malformed = (400, ", error=\"invalid_request\"".to_owned());
    let missing = (401, String::new());
    assert_eq!(status("/mcp", &[]), missing);
    assert_eq!(status("/mcp", &["Basic dTpw"]), missing);
    assert_eq!(status("/mcp", &["Bearer oncue_nobody"]), invalid);
    assert_eq!(status("/mcp", &["Bearer something-else"]), invalid);
    assert_eq!(status("/mcp", &[&good[..good.len() - 1]]), invalid);
    assert_eq!(status("/mcp", &["Bearer"]), malformed);
    assert_eq!(status("/mcp", &[&good, &good]), malformed);
    assert_eq!(status(&query, &[]), malformed);
    assert_eq!(status(&query, &[&good]), malformed, "even beside a good header");
    let refused = Refused { malformed: 4, missing: 2, invalid: 3, unavailable: 0 };
    assert_eq!(world.access.refused(), refused);
}

#[test]
fn unknown_expired_and_revoked_are_one_answer() {
    let world = World::new(Policy::Tokens);
    let revoked = world.create(Scope::Read, None);
    world.tokens.revoke(&revoked.token.id, now()).expect("revoked");
    // Made when it was not over yet.
    let name = PrincipalName::parse("ci").expect("a name");
    let early = now() - Duration::from_secs(10);
    let expired = world.tokens.create(name, Scope::Read, Some(now()), early).expect("made");
    let unknown = world.ask("/mcp", &["Bearer oncue_unknown"]).expect_err("refused");
    assert_eq!(world.bearing(&revoked).as_ref(), Err(&unknown));
    assert_eq!(world.bearing(&expired).as_ref(), Err(&unknown));
}

#[test]
fn a_revocation_holds_from_the_next_request_on() {
    let world = World::new(Policy::Tokens);
    let created = world.create(Scope::Read, None);
    assert!(world.bearing(&created).is_ok());
    world.tokens.revoke(&created.token.id, now()).expect("revoked");
    assert_eq!(world.bearing(&created).map_err(|refusal| refusal.status), Err(401));
}

#[test]
fn tokens_that_cannot_be_read_let_nobody_in() {
    for policy in [Policy::Local, Policy::Tokens] {
        let world = World::new(policy);
        let created = world.create(Scope::Read, None);
        assert!(world.bearing(&created).is_ok());
        world.disk.overwrite(FILE, b"{ torn");
        let refusal = world.bearing(&created).expect_err("refused");
        assert_eq!(refusal.status, 503);
        assert!(!refusal.message.contains("/state"), "{}", refusal.message);
        assert_eq!(world.access.refused().unavailable, 1);
        let told = world.access.inner.told.lock().expect("whole").clone().expect("told");
        assert!(told.contains(FILE) && told.contains("oncue token create NAME"), "{told}");
    }
}

#[test]
fn without_tokens_everybody_on_the_machine_is_its_user_until_one_is_made() {
    let world = World::new(Policy::Local);
    assert_eq!(world.ask("/mcp", &[]), Ok(Principal::Local));
    assert_eq!(world.ask("/mcp", &["Basic dTpw"]), Ok(Principal::Local));
    assert_eq!(world.ask("/mcp?access_token=x", &[]).map_err(|it| it.status), Err(400));
    let created = world.create(Scope::Read, None);
    assert_eq!(world.ask("/mcp", &[]).map_err(|refusal| refusal.status), Err(401));
    assert!(world.bearing(&created).is_ok());
    world.tokens.revoke(&created.token.id, now()).expect("revoked");
    let after = world.ask("/mcp", &[]).map_err(|refusal| refusal.status);
    assert_eq!(after, Err(401), "revoking the last one does not open the door");
    world.disk.remove(Path::new(FILE)).expect("removed");
    let after = world.ask("/mcp", &[]).map_err(|refusal| refusal.status);
    assert_eq!(after, Err(401), "nor does the loss of the file");
}

#[test]
fn a_challenge_can_name_the_metadata_of_the_resource() {
    let world = World::new(Policy::Tokens);
    let access = world.access.with_resource_metadata("https://x/meta");
    let (head, ()) = Request::builder().body(()).expect("a request").into_parts();
    let refusal = access.authorize_at(&head, now()).expect_err("refused");
    let challenge = r#"Bearer realm="oncue", resource_metadata="https://x/meta""#;
    assert_eq!(refusal.headers, [("www-authenticate", challenge.to_owned())]);
}

#[test]
fn a_use_is_written_down_without_being_asked() {
    let world = World::new(Policy::Tokens);
    let created = world.create(Scope::Read, None);
    assert!(world.bearing(&created).is_ok());
    // 1,000,000 s are 277 hours and something.
    let used = SystemTime::UNIX_EPOCH + Duration::from_secs(277 * 3_600);
    assert_eq!(world.tokens.list().expect("readable")[0].last_used, Some(used));
}
