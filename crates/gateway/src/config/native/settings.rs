//! The top of the file and its small tables.

use oncue_tools::limits::{NAME_CHARS_MAX, NAME_CHARS_MIN};

use super::keys::{FILE, HTTP, IMPORT, LIMITS, TELEMETRY, TIMEOUTS, WORDING};
use super::upstream::read_template;
use super::{Faults, Here, Native, grant, named, upstream};
use crate::config::tree::{Fields, Node, Read};
use crate::config::{HttpSettings, LimitSettings, Mode, Settings, Telemetry, Timeouts, Wording};
use crate::limits::{
    ANSWER_BYTES_DEFAULT, ANSWER_BYTES_MAX, ANSWER_BYTES_MIN, COUNT_MAX, MESSAGE_BYTES_MAX,
};

pub(super) fn read(tree: &Node, here: Here<'_>, faults: &mut Faults) -> Native {
    let Some(file) = faults.fields(tree, "", &FILE) else {
        return Native { settings: Settings::default(), imports: Vec::new() };
    };
    let state_dir = faults.take(file.text("state_dir"));
    let settings = Settings {
        mode: faults.take(named(file, "mode", &Mode::NAMES)).unwrap_or_default(),
        answer_bytes: faults
            .take(file.whole("answer_bytes", ANSWER_BYTES_MIN, ANSWER_BYTES_MAX))
            .unwrap_or(ANSWER_BYTES_DEFAULT),
        name_chars: faults
            .take(file.whole("name_chars", NAME_CHARS_MIN, oncue_decl::NAME_CHARS_MAX))
            .unwrap_or(NAME_CHARS_MAX),
        pinned: grant::patterns(file, "pinned", faults).unwrap_or_default(),
        state_dir: state_dir.map(|text| here.path(text)),
        embedder: faults.take(file.text("embedder")).map(str::to_owned),
        tuning: faults.take(file.text("tuning")).map(|text| here.path(text)),
        requests: faults.take(file.text("requests")).map(|text| here.path(text)),
        has_audit: faults.take(file.truth("audit")).unwrap_or(true),
        http: http(file, faults),
        wording: wording(file, faults),
        telemetry: telemetry(file, faults),
        timeouts: timeouts(file.get("timeouts"), "timeouts", faults),
        limits: limits(file, faults),
        grants: grant::read(file, faults),
        upstreams: upstream::read(file, here, faults),
    };
    Native { settings, imports: imports(file, faults) }
}

fn http(file: Fields<'_>, faults: &mut Faults) -> HttpSettings {
    let Some(node) = file.get("http") else { return HttpSettings::default() };
    let Some(http) = faults.fields(node, "http", &HTTP) else { return HttpSettings::default() };
    let bind = http.text("bind").and_then(|text| {
        let address = text.map(|text| text.parse()).transpose();
        address.map_err(|_| {
            http.fault("bind", "is an address with a port, such as \"127.0.0.1:8787\"", "")
        })
    });
    HttpSettings {
        bind: faults.take(bind),
        allowed_hosts: owned(faults.take(http.texts("allowed_hosts"))),
        allowed_origins: owned(faults.take(http.texts("allowed_origins"))),
    }
}

fn wording(file: Fields<'_>, faults: &mut Faults) -> Wording {
    let Some(node) = file.get("wording") else { return Wording::default() };
    let Some(wording) = faults.fields(node, "wording", &WORDING) else {
        return Wording::default();
    };
    let mut text = |key| faults.take(wording.text(key)).map(str::to_owned);
    Wording { search: text("search"), call: text("call"), instructions: text("instructions") }
}

fn telemetry(file: Fields<'_>, faults: &mut Faults) -> Telemetry {
    let Some(node) = file.get("telemetry") else { return Telemetry::default() };
    let Some(fields) = faults.fields(node, "telemetry", &TELEMETRY) else {
        return Telemetry::default();
    };
    let otlp = fields.text("otlp").and_then(|text| {
        let Some(text) = text else { return Ok(None) };
        let template = read_template(&fields, "otlp", text)?;
        match template.is_http_address() {
            true => Ok(Some(template)),
            false => Err(fields.fault("otlp", "is an address with http:// or https://", "")),
        }
    });
    Telemetry {
        otlp: faults.take(otlp),
        has_prometheus: faults.take(fields.truth("prometheus")).unwrap_or_default(),
    }
}

pub(super) fn timeouts(node: Option<&Node>, path: &str, faults: &mut Faults) -> Timeouts {
    let Some(node) = node else { return Timeouts::default() };
    let Some(fields) = faults.fields(node, path, &TIMEOUTS) else { return Timeouts::default() };
    let mut time = |key| faults.take(fields.time(key));
    Timeouts { call: time("call"), start: time("start"), list: time("list"), idle: time("idle") }
}

fn limits(file: Fields<'_>, faults: &mut Faults) -> LimitSettings {
    let Some(node) = file.get("limits") else { return LimitSettings::default() };
    let Some(fields) = faults.fields(node, "limits", &LIMITS) else {
        return LimitSettings::default();
    };
    let mut whole = |key, most| faults.take(fields.whole(key, 1, most));
    LimitSettings {
        upstream_message_bytes: whole("upstream_message_bytes", MESSAGE_BYTES_MAX),
        client_message_bytes: whole("client_message_bytes", MESSAGE_BYTES_MAX),
        result_bytes: whole("result_bytes", MESSAGE_BYTES_MAX),
        calls_per_principal: whole("calls_per_principal", COUNT_MAX),
        calls_per_upstream: whole("calls_per_upstream", COUNT_MAX),
        calls: whole("calls", COUNT_MAX),
        connections: whole("connections", COUNT_MAX),
    }
}

fn imports(file: Fields<'_>, faults: &mut Faults) -> Vec<String> {
    let Some(node) = file.get("import") else { return Vec::new() };
    let Some(fields) = faults.fields(node, "import", &IMPORT) else { return Vec::new() };
    let files: Read<_> = fields.texts("files").and_then(|files| {
        let many = files.as_ref().is_some_and(|files| files.len() > crate::limits::IMPORTS_MAX);
        match many {
            true => Err(fields.fault(
                "files",
                &format!("has more than {} files", crate::limits::IMPORTS_MAX),
                "",
            )),
            false => Ok(files),
        }
    });
    owned(faults.take(files))
}

fn owned(texts: Option<Vec<&str>>) -> Vec<String> {
    texts.unwrap_or_default().into_iter().map(str::to_owned).collect()
}
