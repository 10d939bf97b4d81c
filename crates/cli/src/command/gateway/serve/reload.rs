//! Settings that change while they are served.

use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use oncue_gateway::audit::ChangeKind;
use oncue_gateway::config::{Diff, Loaded};

use super::House;
use crate::failure::Failure;

/// Time between two looks at the files.
const LOOK: Duration = Duration::from_secs(1);

/// What tells that a file is another one now.
type Seen = Vec<(PathBuf, Option<(SystemTime, u64)>)>;

/// Applies the settings whenever one of their files changes; what cannot be read changes nothing.
pub(super) async fn watch(
    house: &House,
    files: Vec<PathBuf>,
    load: impl Fn() -> Result<Loaded, Failure>,
) -> Infallible {
    let mut seen = look(files);
    loop {
        tokio::time::sleep(LOOK).await;
        let now = look(seen.iter().map(|(file, _)| file.clone()));
        if now == seen {
            continue;
        }
        seen = now;
        match load() {
            Ok(loaded) => {
                seen = look(loaded.files);
                let diff = house.gateway.apply(loaded.settings);
                let count = |ids: &[_]| ids.len();
                let detail = format!(
                    "{} added, {} removed, {} restarted, {} adjusted",
                    count(&diff.added),
                    count(&diff.removed),
                    count(&diff.restarted),
                    count(&diff.adjusted)
                );
                tracing::info!(%detail, "the settings have changed");
                house.record(ChangeKind::Settings, Some(detail)).await;
                record_upstreams(house, &diff).await;
            }
            Err(failure) => {
                tracing::error!(error = %format!("{:#}", failure.error), "the settings cannot be read, and those before stay in force");
                house.record(ChangeKind::SettingsRefused, None).await;
            }
        }
    }
}

async fn record_upstreams(house: &House, diff: &Diff) {
    let lists = [
        (ChangeKind::UpstreamAdded, &diff.added, None),
        (ChangeKind::UpstreamRemoved, &diff.removed, None),
        (ChangeKind::UpstreamChanged, &diff.restarted, Some("it is reached in another way")),
        (ChangeKind::UpstreamChanged, &diff.adjusted, Some("its tools, wording or times")),
    ];
    for (kind, ids, detail) in lists {
        for id in ids {
            house.record_of(kind, id.as_str(), detail.map(str::to_owned)).await;
        }
    }
}

fn look(files: impl IntoIterator<Item = PathBuf>) -> Seen {
    let of = |file: PathBuf| {
        let told = fs::metadata(&file).ok();
        let told = told.and_then(|told| Some((told.modified().ok()?, told.len())));
        (file, told)
    };
    files.into_iter().map(of).collect()
}
