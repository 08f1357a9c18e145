//! A content-addressed cache of built programs.
//!
//! A program lies in a folder named by a checksum of its inputs, beside a copy of these. The checksum is short and
//! can be forged, so the inputs decide: equal ones are a hit, others with the same checksum get a folder of their own.
//! Write access to the cache decides what its user runs, so it is used only if it belongs to that user alone.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use palestra_games::fnv::checksum;
use palestra_sandbox::plain_file::{Links, open, read_bounded};

/// Name of the file with the inputs of a program.
const INPUTS: &str = "inputs";

/// A cache folder.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

/// Everything on which a built program depends: the command and the files.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    parts: Vec<u8>,
}

impl Inputs {
    /// Adds a part, prefixed with its length so that no two lists of parts give the same bytes.
    pub(super) fn add(&mut self, part: &[u8]) {
        self.parts.extend((part.len() as u64).to_le_bytes());
        self.parts.extend(part);
    }
}

/// A temporary folder in which a program is built, removed when dropped.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Cache {
    /// Opens the cache in this folder, and creates the folder if it does not exist.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        sys::make_folder(folder)?;
        sys::check_owner(folder)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The cached file of this name that was made from exactly these inputs. If there is none, `make` makes it in a
    /// temporary folder, which is renamed into the cache on success.
    pub(super) fn get<E>(
        &self,
        sum: u64,
        inputs: &Inputs,
        name: &str,
        make: impl FnOnce(&Path) -> Result<(), E>,
    ) -> io::Result<Result<PathBuf, E>> {
        let place = match self.find(sum, inputs, name)? {
            Place::Made(folder) => return Ok(Ok(folder.join(name))),
            Place::Free(folder) => folder,
        };
        let draft = self.draft()?;
        if let Err(error) = make(&draft.0) {
            return Ok(Err(error));
        }
        // A source file may have the same name.
        remove(&draft.0.join(INPUTS))?;
        File::create_new(draft.0.join(INPUTS))?.write_all(&inputs.parts)?;
        let Err(error) = fs::rename(&draft.0, &place) else { return Ok(Ok(place.join(name))) };
        match self.find(sum, inputs, name)? {
            // Another process has built the same program meanwhile.
            Place::Made(folder) => Ok(Ok(folder.join(name))),
            Place::Free(_) => Err(error),
        }
    }

    /// The folder of the program, or a free one for it. A folder that is damaged or has no inputs is removed.
    fn find(&self, sum: u64, inputs: &Inputs, name: &str) -> io::Result<Place> {
        for number in 0_u32.. {
            let suffix = if number == 0 { String::new() } else { format!("-{number}") };
            let folder = self.folder.join(format!("{sum:016x}{suffix}"));
            match fs::symlink_metadata(&folder) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Place::Free(folder)),
                found => found.map(drop)?,
            }
            let is_whole = open(&folder.join(name), Links::Refuse).is_ok();
            match open(&folder.join(INPUTS), Links::Refuse).and_then(|file| read_bounded(file, MAX_INPUT_BYTES)) {
                Ok(Some(kept)) if is_whole && kept == inputs.parts => return Ok(Place::Made(folder)),
                Ok(_) if is_whole => {}
                _ => {
                    remove(&folder)?;
                    return Ok(Place::Free(folder));
                }
            }
        }
        Err(io::Error::other("the cache of programs is full"))
    }

    /// A new temporary folder; an existing one of that name was left by a process that was killed.
    fn draft(&self) -> io::Result<Draft> {
        static DRAFTS: AtomicU32 = AtomicU32::new(0);
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        let folder = self.folder.join(format!("draft-{}-{number}", process::id()));
        remove(&folder)?;
        DirBuilder::new().create(&folder)?;
        Ok(Draft(folder))
    }
}

/// Maximum number of bytes that are read to compare inputs: more than any source or program may have.
const MAX_INPUT_BYTES: u64 = 128 << 20;

/// Place of a program in the cache.
enum Place {
    /// The folder holds the program.
    Made(PathBuf),
    /// The folder does not exist.
    Free(PathBuf),
}

/// Removes a folder or a file.
fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    removed.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// A checksum of the concatenated parts.
pub(super) fn sum(parts: &[&[u8]]) -> u64 {
    checksum(&parts.concat())
}

#[cfg(target_os = "linux")]
mod sys {
    use std::fs::{DirBuilder, File, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
    use std::path::Path;

    const STICKY: u32 = 0o1000;
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    const WRITABLE_BY_ALL: u32 = 0o002;

    pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)
    }

    /// Refuses a folder that other users could replace or write to; permissions of our own folder are corrected.
    pub(super) fn check_owner(folder: &Path) -> io::Result<()> {
        let own = rustix::process::geteuid().as_raw();
        let refused = |path: &Path| {
            let why = format!("{} belongs to another user, or all may write there", path.display());
            io::Error::new(io::ErrorKind::PermissionDenied, why)
        };
        if let Some(parent) = folder.parent() {
            let found = std::fs::metadata(parent)?;
            let is_open = found.mode() & WRITABLE_BY_ALL != 0 && found.mode() & STICKY == 0;
            if is_open || (found.uid() != own && found.uid() != 0) {
                return Err(refused(parent));
            }
        }
        let opened = File::open(folder)?;
        let found = opened.metadata()?;
        if found.uid() != own || !found.is_dir() {
            return Err(refused(folder));
        }
        if found.mode() & WRITABLE_BY_OTHERS != 0 {
            opened.set_permissions(Permissions::from_mode(found.mode() & 0o7777 & !WRITABLE_BY_OTHERS))?;
        }
        Ok(())
    }
}

/// Permissions are checked on Linux alone.
#[cfg(not(target_os = "linux"))]
mod sys {
    use std::io;
    use std::path::Path;

    pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)
    }

    pub(super) const fn check_owner(_: &Path) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("palestra-cache-{name}-{}", process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).expect("a folder");
            Self(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn inputs(part: &str) -> Inputs {
        let mut inputs = Inputs::default();
        inputs.add(part.as_bytes());
        inputs
    }

    /// The cached file for these inputs and this checksum, without making it.
    fn get(cache: &Cache, sum: u64, part: &str, made: Option<&str>) -> io::Result<(PathBuf, String)> {
        let make = |draft: &Path| match made {
            Some(made) => fs::write(draft.join("program"), made),
            None => Err(io::Error::other("it was to be made")),
        };
        let path = cache.get(sum, &inputs(part), "program", make)??;
        let text = fs::read_to_string(&path)?;
        Ok((path, text))
    }

    #[test]
    fn inputs_with_the_same_checksum_do_not_share_a_program() {
        let folder = Folder::new("forged");
        let cache = Cache::open(&folder.0.join("programs")).expect("a cache");
        let (first, _) = get(&cache, 7, "trusted", Some("one")).expect("made");
        let (second, text) = get(&cache, 7, "forged", Some("two")).expect("made");
        assert!(first != second && text == "two");
        for (part, text) in [("trusted", "one"), ("forged", "two")] {
            assert_eq!(get(&cache, 7, part, None).expect("kept").1, text);
        }
        assert!(get(&cache, 8, "trusted", None).is_err(), "it was never made");
        assert_eq!(fs::read_dir(folder.0.join("programs")).expect("the cache").count(), 2, "no drafts are left");
    }

    #[test]
    fn a_program_that_is_a_symlink_is_made_anew() {
        let folder = Folder::new("link");
        let cache = Cache::open(&folder.0.join("programs")).expect("a cache");
        let (path, _) = get(&cache, 7, "source", Some("one")).expect("made");
        fs::write(folder.0.join("other"), "not built here").expect("a file");
        fs::remove_file(&path).expect("it is ours");
        symlink(folder.0.join("other"), &path).expect("a link");
        assert_eq!(get(&cache, 7, "source", Some("two")).expect("made anew").1, "two");
    }

    #[test]
    fn a_cache_that_others_can_write_is_not_used() {
        let folder = Folder::new("shared");
        let programs = folder.0.join("programs");
        Cache::open(&programs).expect("a cache");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o7777;
        assert_eq!(mode(&programs) & 0o077, 0, "nobody else sees it");
        fs::set_permissions(&programs, fs::Permissions::from_mode(0o777)).expect("it is ours");
        Cache::open(&programs).expect("it is ours, and is closed");
        assert_eq!(mode(&programs), 0o755);

        fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o777)).expect("it is ours");
        assert!(Cache::open(&programs).is_err(), "others could replace it");
        fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o755)).expect("it is ours");
        if rustix::process::geteuid().is_root() {
            chown(&programs, Some(12_345), None).expect("root may do that");
            let error = Cache::open(&programs).expect_err("it is another user's");
            assert!(error.to_string().contains("belongs to another user"), "{error}");
        }
    }
}
