use std::fs;
use std::path::Path;

use super::{ApplyError, backups};
use crate::clients::{Change, Client, Endpoint, Entry, EntryName, Others, connect, disconnect};

fn change(path: &Path) -> Change {
    let entry = Entry::new(Endpoint::Http { url: "http://127.0.0.1:8787/mcp".into() });
    let before = fs::read_to_string(path).ok();
    connect(Client::Cursor, path, before.as_deref(), &entry, Others::Keep).unwrap()
}

#[test]
fn a_change_keeps_what_was_there_and_can_be_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    fs::write(&path, "{ }").unwrap();
    let first = change(&path);
    let applied = first.apply("20261130T120000").unwrap();
    let backup = folder.path().join("mcp.json.oncue-20261130T120000.bak");
    assert_eq!(applied.backup.as_deref(), Some(backup.as_path()));
    assert_eq!(fs::read_to_string(&backup).unwrap(), "{ }");
    assert_eq!(fs::read_to_string(&path).ok(), first.after);
    assert_eq!(change(&path).apply("later").unwrap().backup, None, "nothing is to be done");
    let texts: Vec<String> =
        backups(&path).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let text = fs::read_to_string(&path).unwrap();
    let back = disconnect(Client::Cursor, &path, &text, &EntryName::default(), &texts).unwrap();
    let again = back.apply("20261130T120000").unwrap().backup.unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "{ }");
    assert_ne!(again, backup, "a backup is never written over");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 3, "no other file is left");
}

#[test]
fn a_file_is_made_with_its_folder_and_goes_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".cursor/mcp.json");
    assert_eq!(change(&path).apply("s").unwrap().backup, None);
    let text = fs::read_to_string(&path).unwrap();
    disconnect(Client::Cursor, &path, &text, &EntryName::default(), &[])
        .unwrap()
        .apply("s")
        .unwrap();
    assert!(!path.exists());
}

#[test]
fn a_file_that_changed_meanwhile_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    let planned = change(&path);
    fs::write(&path, "{\"new\": 1}").unwrap();
    assert!(matches!(planned.apply("s"), Err(ApplyError::Changed(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"new\": 1}");
    assert!(backups(&path).is_empty());
}

#[test]
fn the_newest_backup_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    for name in
        ["mcp.json.oncue-2026.bak", "mcp.json.oncue-2027.bak", "mcp.json.bak", "x.oncue-1.bak"]
    {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let found: Vec<_> = backups(&path)
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(found, ["mcp.json.oncue-2027.bak", "mcp.json.oncue-2026.bak"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("dotfiles.json"), folder.path().join("mcp.json"));
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&real, &link).unwrap();
    let backup = change(&link).apply("s").unwrap().backup.unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!([mode(&real), mode(&backup)], [0o600, 0o600]);
    assert!(fs::read_to_string(&real).unwrap().contains("8787"));
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_leads_to_the_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("mcp.json");
    std::os::unix::fs::symlink("dotfiles/mcp.json", &link).unwrap();
    change(&link).apply("s").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(folder.path().join("dotfiles/mcp.json").is_file());
}

// case: C61
#[cfg(unix)]
#[test]
fn settings_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("oncue/oncue.toml");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    Change::of_settings(&path, None, "a".to_owned()).apply("s").unwrap();
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let change = Change::of_settings(&path, Some("a".to_owned()), "b = \"c4n4ry\"".to_owned());
    let backup = change.apply("s").unwrap().backup.unwrap();
    assert_eq!((mode(), fs::read_to_string(&path).unwrap().as_str()), (0o600, "b = \"c4n4ry\""));
    assert_eq!(fs::read_to_string(backup).unwrap(), "a");
    assert!(!change.diff().contains("c4n4ry"), "{}", change.diff());
}
