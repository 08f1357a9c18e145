//! Gives the program its version, with the commit where that is known, and compresses its line tables.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// How many digits of a commit are shown.
const SHORT_LENGTH: usize = 10;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PALESTRA_COMMIT");
    let commit = match env::var("PALESTRA_COMMIT") {
        Ok(given) if given.is_empty() || is_commit(&given) => given,
        Ok(given) => {
            println!("cargo::error=PALESTRA_COMMIT is '{given}': it must be a commit's hexadecimal digits, or empty");
            return;
        }
        Err(_) => commit_of_checkout(),
    };
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    println!("cargo::rustc-env=PALESTRA_VERSION={}", with_commit(&version, &commit));
    // Line tables would be two thirds of the binary. Backtraces read compressed ones too. With `-O2` the linker compresses
    // them well rather than fast.
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-link-arg-bins=-Wl,-O2,--compress-debug-sections=zlib");
    }
}

/// The commit of the checkout around this package, or nothing. The package may also lie elsewhere, unpacked from an
/// archive: then a git folder above it would be another project's.
fn commit_of_checkout() -> String {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = package.ends_with("crates/palestra").then(|| package.ancestors().nth(2)).flatten();
    let Some(Checkout { commit, watched }) = root.and_then(checkout) else { return String::new() };
    for path in watched {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    commit
}

/// What a git folder says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Checkout {
    pub(crate) commit: String,
    /// The files and folders that change when another commit is checked out. All of them exist: cargo would run this
    /// script again and again for one that does not.
    pub(crate) watched: Vec<PathBuf>,
}

/// The commit that is checked out in a folder. Git itself need not be installed.
pub(crate) fn checkout(root: &Path) -> Option<Checkout> {
    let git = git_folder(root)?;
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let mut watched = vec![git.join("HEAD")];
    let commit = match head.trim().strip_prefix("ref: ") {
        None => head.trim().to_owned(),
        Some(reference) => {
            // A worktree shares its branches with the repository that it belongs to.
            let shared = fs::read_to_string(git.join("commondir")).map_or(git.clone(), |dir| git.join(dir.trim()));
            commit_of_branch(&shared, reference, &mut watched)?
        }
    };
    is_commit(&commit).then_some(Checkout { commit, watched })
}

/// The folder `.git`, or the one that a file of this name leads to in a worktree.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(git).ok()?;
    Some(root.join(text.strip_prefix("gitdir: ")?.trim()))
}

/// The commit of a branch: in a file of its own, or in the list of those that git has packed.
fn commit_of_branch(git: &Path, reference: &str, watched: &mut Vec<PathBuf>) -> Option<String> {
    let own = git.join(reference);
    if let Ok(commit) = fs::read_to_string(&own) {
        watched.push(own);
        return Some(commit.trim().to_owned());
    }
    let packed = git.join("packed-refs");
    let list = fs::read_to_string(&packed).ok()?;
    watched.push(packed);
    // The next commit makes a file for the branch.
    watched.extend(own.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned));
    let lines = list.lines().filter_map(|line| line.split_once(' '));
    lines.into_iter().find(|(_, name)| *name == reference).map(|(commit, _)| commit.to_owned())
}

fn is_commit(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
}

/// `0.1.0 (0123456789)`, or the version alone.
pub(crate) fn with_commit(version: &str, commit: &str) -> String {
    match commit.get(..SHORT_LENGTH).unwrap_or(commit) {
        "" => version.to_owned(),
        short => format!("{version} ({short})"),
    }
}
