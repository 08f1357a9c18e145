//! The version that the program tells, and the build script that finds the commit.

#[allow(dead_code, reason = "the script's own main is cargo's to call")]
#[path = "../../build.rs"]
mod build;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use build::{checkout, with_commit};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
const OTHER: &str = "fedcba9876543210fedcba9876543210fedcba98";

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    files.iter().for_each(|(path, text)| write(&folder.path().join(path), text));
    folder
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a path in a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// The commit that a folder has checked out, and what is watched, from the folder on.
fn found(root: &Path) -> Option<(String, Vec<PathBuf>)> {
    let found = checkout(root)?;
    assert!(found.watched.iter().all(|path| path.exists()), "{found:?}");
    let inside = |path: &PathBuf| path.strip_prefix(root).unwrap_or(path).to_owned();
    Some((found.commit, found.watched.iter().map(inside).collect()))
}

#[test]
fn the_version_has_the_commit_where_it_is_known() {
    let output = Command::new(env!("CARGO_BIN_EXE_palestra")).arg("--version").output().expect("it can be started");
    let told = String::from_utf8(output.stdout).expect("text");
    assert_eq!(told, format!("palestra {}\n", env!("PALESTRA_VERSION")));
    let rest = told.trim_end().strip_prefix(concat!("palestra ", env!("CARGO_PKG_VERSION"))).expect("name and version");
    let commit = rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')'));
    let is_commit =
        commit.is_some_and(|commit| (7..=10).contains(&commit.len()) && commit.chars().all(|c| c.is_ascii_hexdigit()));
    assert!(rest.is_empty() || is_commit, "{told}");
    assert_eq!(with_commit("0.1.0", COMMIT), "0.1.0 (0123456789)");
    assert_eq!(with_commit("0.1.0", ""), "0.1.0");
}

#[test]
fn a_branch_is_read_from_its_file_and_then_from_the_packed_ones() {
    let packed = format!("# pack-refs with: peeled\n{OTHER} refs/heads/old\n{COMMIT} refs/heads/main\n");
    let root = folder(&[(".git/HEAD", "ref: refs/heads/main\n"), (".git/packed-refs", &packed), (".git/refs/x", "")]);
    let watched = [".git/HEAD", ".git/packed-refs", ".git/refs"].map(PathBuf::from).to_vec();
    assert_eq!(found(root.path()), Some((COMMIT.to_owned(), watched)));

    write(&root.path().join(".git/refs/heads/main"), &format!("{OTHER}\n"));
    let watched = [".git/HEAD", ".git/refs/heads/main"].map(PathBuf::from).to_vec();
    assert_eq!(found(root.path()), Some((OTHER.to_owned(), watched)), "a new commit");
}

#[test]
fn a_worktree_and_a_bare_commit_are_read_too() {
    let head = format!("{COMMIT}\n");
    let root = folder(&[(".git/HEAD", &head)]);
    assert_eq!(found(root.path()).map(|found| found.0).as_deref(), Some(COMMIT));

    let root = folder(&[
        ("repo/.git/refs/heads/main", &head),
        ("repo/.git/worktrees/work/HEAD", "ref: refs/heads/main\n"),
        ("repo/.git/worktrees/work/commondir", "../..\n"),
        ("work/.git", "gitdir: ../repo/.git/worktrees/work\n"),
    ]);
    assert_eq!(found(&root.path().join("work")).map(|found| found.0).as_deref(), Some(COMMIT));
}

#[test]
fn outside_a_checkout_there_is_no_commit() {
    assert_eq!(found(folder(&[]).path()), None);
    for head in ["", "ref: refs/heads/main\n", "nonsense\n", "ABCDEF0123\n"] {
        assert_eq!(found(folder(&[(".git/HEAD", head)]).path()), None, "{head:?}");
    }
}
