use std::collections::BTreeMap;
use std::path::Path;

use secrecy::ExposeSecret;

use super::{Folders, Syntax, Template, TemplateFault};
use crate::config::Environment;

fn environment() -> Environment {
    Environment::new([("TOKEN", "t0ken"), ("EMPTY", ""), ("GITHUB_TOKEN", "gh")])
}

/// What the text resolves to; the name of what is missing behind `!`, or of the fault behind `?`.
fn resolved(text: &str, syntax: Syntax) -> String {
    let inputs = BTreeMap::from([
        ("github-token".to_owned(), None),
        ("region".to_owned(), Some("eu".to_owned())),
    ]);
    let folders = Folders {
        home: Some(Path::new("/h/ada")),
        project: Some(Path::new("/h/ada/shop")),
        inputs: Some(&inputs),
    };
    match Template::parse(text, syntax, &folders) {
        Err(fault) => format!("?{fault}"),
        Ok(template) => match template.resolve(&environment()) {
            Ok(text) => text.expose_secret().to_owned(),
            Err(missing) => format!("!{}", missing.variable),
        },
    }
}

#[test]
fn each_form_has_its_signs_for_variables() {
    use Syntax::{Braces, Dollar, Literal, Native};
    let cases = [
        ("Bearer ${TOKEN}", Native, "Bearer t0ken"),
        ("${TOKEN}${TOKEN}", Braces, "t0kent0ken"),
        ("${TOKEN:-x}", Braces, "t0ken"),
        ("${EMPTY:-x}", Braces, "x"),
        ("${EMPTY}", Braces, ""),
        ("${NONE:-}", Native, ""),
        ("${NONE:-a:-b}", Native, "a:-b"),
        ("${NONE}", Native, "!NONE"),
        ("$${TOKEN}", Native, "${TOKEN}"),
        ("$$${TOKEN}$$", Native, "$t0ken$"),
        ("$$TOKEN", Braces, "$$TOKEN"),
        ("$TOKEN", Native, "$TOKEN"),
        ("$TOKEN", Braces, "$TOKEN"),
        ("$TOKEN/x", Dollar, "t0ken/x"),
        ("^a$", Dollar, "^a$"),
        ("$NONE$", Dollar, "$NONE$"),
        ("${TOKEN}", Dollar, "t0ken"),
        ("${TOKEN}", Literal, "${TOKEN}"),
        ("${env:TOKEN}", Braces, "t0ken"),
        ("${env:NONE:-x}", Braces, "x"),
        ("${input:github-token}", Braces, "!GITHUB_TOKEN_"),
        ("${input:region}", Braces, "eu"),
        ("${workspaceFolder}/s.py", Braces, "/h/ada/shop/s.py"),
        ("${workspaceFolderBasename}", Braces, "shop"),
        ("${userHome}/x", Braces, "/h/ada/x"),
        ("a ${b", Braces, "a ${b"),
        ("", Native, ""),
        ("価格 $5", Dollar, "価格 $5"),
    ];
    for (text, syntax, expected) in cases {
        let expected = expected.replace("!GITHUB_TOKEN_", "gh");
        assert_eq!(resolved(text, syntax), expected, "{text} {syntax:?}");
    }
}

#[test]
fn what_cannot_be_resolved_here_is_a_fault() {
    let fault = |text, syntax| Template::parse(text, syntax, &Folders::default()).unwrap_err();
    assert_eq!(fault("${A", Syntax::Native), TemplateFault::Open);
    for text in ["${}", "${a b}", "${1}", "${ä}"] {
        assert_eq!(fault(text, Syntax::Native), TemplateFault::Name, "{text}");
        assert_eq!(fault(text, Syntax::Braces), TemplateFault::Name, "{text}");
    }
    assert_eq!(fault("${A:-${B}}", Syntax::Native), TemplateFault::Nested);
    let command = TemplateFault::Foreign("command:…".into());
    assert_eq!(fault("${command:ext.pick}", Syntax::Braces), command);
    let folder = TemplateFault::Foreign("workspaceFolder".into());
    assert_eq!(fault("${workspaceFolder}/a", Syntax::Braces), folder);
    assert_eq!(fault("${input:x}", Syntax::Braces), TemplateFault::Input("x".into()));
}

#[test]
fn the_native_form_reads_back_what_it_writes() {
    let folders = Folders::default();
    for (text, syntax) in [
        ("${A}-${B:-c d}", Syntax::Native),
        ("$${A}", Syntax::Native),
        ("${A} $${", Syntax::Native),
        ("${A}", Syntax::Literal),
        ("$${A}", Syntax::Literal),
        ("x$y", Syntax::Dollar),
    ] {
        let template = Template::parse(text, syntax, &folders).unwrap();
        let again = Template::parse(&template.written(), Syntax::Native, &folders).unwrap();
        let of = |template: &Template| {
            let environment = Environment::new([("A", "a"), ("B", "b"), ("y", "why")]);
            template.resolve(&environment).unwrap().expose_secret().to_owned()
        };
        assert_eq!(of(&again), of(&template), "{text} {syntax:?}");
    }
}

// case: C61
#[test]
fn a_text_is_shown_by_the_names_in_it() {
    let template =
        Template::parse("Bearer canary ${TOKEN:-canary}", Syntax::Native, &Folders::default());
    let template = template.unwrap();
    assert_eq!(format!("{template} {template:?}"), "…${TOKEN} …${TOKEN}");
    assert!(!format!("{:?}", template.references().collect::<Vec<_>>()).contains("canary"));
}
