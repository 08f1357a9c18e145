//! Plain files, opened without following symlinks.
//!
//! A folder that a stranger filled may hold symlinks to files that only the arena's user can read, FIFOs that block
//! their reader, and devices. So a file is opened with `O_NOFOLLOW` and `O_NONBLOCK`, its type is checked on the open
//! descriptor, and it is read through that descriptor: nothing can be swapped between the check and the reading.
//! Entries of a folder are opened relative to the open folder, for the same reason.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use palestra_protocol::shown;
use sys::Handle;

/// The characters of a path that a message shows: its name may be a stranger's.
pub const MAX_SHOWN_PATH: usize = 300;

/// A directory entry that is not read because of its type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is {what}", shown(&path.to_string_lossy(), MAX_SHOWN_PATH))]
pub struct NotPlain {
    /// The entry.
    pub path: PathBuf,
    /// Its type.
    pub what: FileType,
}

/// The type of a directory entry that is not a plain file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    /// A symbolic link.
    Symlink,
    /// A folder.
    Folder,
    /// A named pipe.
    Fifo,
    /// A socket, or a device that cannot be opened.
    Socket,
    /// A device.
    Device,
}

impl std::fmt::Display for FileType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Symlink => "a symlink, and symlinks are not followed here",
            Self::Folder => "a folder, not a plain file",
            Self::Fifo => "a FIFO, not a plain file",
            Self::Socket => "a socket, not a plain file",
            Self::Device => "a device, not a plain file",
        })
    }
}

impl NotPlain {
    fn error(path: &Path, what: FileType) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidInput, Self { path: path.into(), what })
    }

    /// The reason why an entry was not opened, if the error holds one.
    pub fn within(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

/// Whether the last component of a path may be a symlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// The file that it leads to is meant.
    Follow,
    /// A symlink is an error.
    Refuse,
}

/// Opens a plain file.
pub fn open(path: &Path, links: Links) -> io::Result<File> {
    match sys::open(None, path, path, links)? {
        Entry::File(file) => Ok(file),
        Entry::Folder(_) => Err(NotPlain::error(path, FileType::Folder)),
    }
}

/// Reads at most `room` bytes; `None` if there are more.
pub fn read_bounded(reader: impl Read, room: u64) -> io::Result<Option<Vec<u8>>> {
    let mut content = vec![];
    let count = reader.take(room.saturating_add(1)).read_to_end(&mut content)?;
    Ok((count as u64 <= room).then_some(content))
}

/// An open folder.
#[derive(Debug)]
pub struct Folder {
    handle: Handle,
    path: PathBuf,
}

/// An entry of a folder, opened.
#[derive(Debug)]
pub enum Entry {
    /// A plain file.
    File(File),
    /// A folder.
    Folder(Folder),
}

impl Folder {
    /// Opens a folder, to which symlinks may lead: its path is the user's own word.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { handle: sys::open_folder(path)?, path: path.into() })
    }

    /// The names of its entries, in order.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = sys::names(self)?;
        names.sort();
        Ok(names)
    }

    /// Opens one of its entries, unless that is a symlink or something that is neither a plain file nor a folder.
    pub fn entry(&self, name: &OsStr) -> io::Result<Entry> {
        sys::open(Some(self), Path::new(name), &self.path.join(name), Links::Refuse)
    }

    /// Opens one of its plain files.
    pub fn file(&self, name: &OsStr) -> io::Result<File> {
        match self.entry(name)? {
            Entry::File(file) => Ok(file),
            Entry::Folder(folder) => Err(NotPlain::error(&folder.path, FileType::Folder)),
        }
    }

    /// Its path, with the name of an entry.
    pub fn path_of(&self, name: &OsStr) -> PathBuf {
        self.path.join(name)
    }
}

#[cfg(target_os = "linux")]
mod sys {
    use std::ffi::{OsStr, OsString};
    use std::io;
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    use rustix::fs::{CWD, Dir, FileType as Type, Mode, OFlags, fstat, open as open_path, openat};
    use rustix::io::Errno;

    use super::{Entry, FileType, Folder, Links, NotPlain};

    /// The descriptor of an open folder.
    pub(super) type Handle = OwnedFd;

    const READ: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

    pub(super) fn open(folder: Option<&Folder>, name: &Path, path: &Path, links: Links) -> io::Result<Entry> {
        let place = folder.map_or(CWD, |folder| folder.handle.as_fd());
        let flags = if links == Links::Refuse { READ | OFlags::NOFOLLOW } else { READ };
        let handle = openat(place, name, flags, Mode::empty()).map_err(|error| match error {
            Errno::LOOP if links == Links::Refuse => NotPlain::error(path, FileType::Symlink),
            // What open answers for a socket.
            Errno::NXIO => NotPlain::error(path, FileType::Socket),
            error => error.into(),
        })?;
        match Type::from_raw_mode(fstat(&handle)?.st_mode) {
            Type::RegularFile => Ok(Entry::File(handle.into())),
            Type::Directory => Ok(Entry::Folder(Folder { handle, path: path.into() })),
            Type::Fifo => Err(NotPlain::error(path, FileType::Fifo)),
            Type::Socket => Err(NotPlain::error(path, FileType::Socket)),
            _ => Err(NotPlain::error(path, FileType::Device)),
        }
    }

    pub(super) fn open_folder(path: &Path) -> io::Result<Handle> {
        Ok(open_path(path, READ | OFlags::DIRECTORY, Mode::empty())?)
    }

    pub(super) fn names(folder: &Folder) -> io::Result<Vec<OsString>> {
        let mut names = vec![];
        for entry in Dir::read_from(&folder.handle)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name != "." && name != ".." {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }
}

/// Other systems have no boxes, and so no strangers' programs: the type is checked by path.
#[cfg(not(target_os = "linux"))]
mod sys {
    use std::ffi::OsString;
    use std::fs::{self, File};
    use std::io;
    use std::path::Path;

    use super::{Entry, FileType, Folder, Links, NotPlain};

    /// Folders are known by their paths.
    pub(super) type Handle = ();

    pub(super) fn open(_: Option<&Folder>, _: &Path, path: &Path, links: Links) -> io::Result<Entry> {
        let found = if links == Links::Refuse { fs::symlink_metadata(path)? } else { fs::metadata(path)? };
        match found.file_type() {
            it if it.is_symlink() => Err(NotPlain::error(path, FileType::Symlink)),
            it if it.is_dir() => Ok(Entry::Folder(Folder { handle: (), path: path.into() })),
            it if it.is_file() => File::open(path).map(Entry::File),
            _ => Err(NotPlain::error(path, FileType::Device)),
        }
    }

    pub(super) fn open_folder(path: &Path) -> io::Result<Handle> {
        fs::read_dir(path).map(drop)
    }

    pub(super) fn names(folder: &Folder) -> io::Result<Vec<OsString>> {
        fs::read_dir(&folder.path)?.map(|entry| Ok(entry?.file_name())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source of bytes without end that counts those which were taken.
    struct Endless(u64);

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn no_more_is_read_than_there_is_room_for() {
        let mut endless = Endless(0);
        assert_eq!(read_bounded(&mut endless, 1000).expect("it can be read"), None);
        assert_eq!(endless.0, 1001, "one byte beyond the limit shows that the file is longer");
        assert_eq!(read_bounded(&b"four"[..], 4).expect("it can be read"), Some(b"four".to_vec()));
        assert_eq!(read_bounded(&b"four"[..], 3).expect("it can be read"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_plain_files_and_folders_are_opened() {
        use std::fs;
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;

        let place = std::env::temp_dir().join(format!("palestra-plain-{}", std::process::id()));
        fs::create_dir_all(place.join("folder")).expect("a folder");
        fs::write(place.join("file"), "text").expect("a file");
        symlink("file", place.join("link")).expect("a link");
        symlink("nowhere", place.join("dangling")).expect("a link");
        symlink("folder", place.join("way")).expect("a link");
        let _ = rustix::fs::mkfifoat(rustix::fs::CWD, place.join("fifo"), rustix::fs::Mode::RUSR);
        let _socket = UnixListener::bind(place.join("socket")).expect("a socket");
        let folder = Folder::open(&place).expect("it is there");
        let refused = |name: &str| {
            let error = folder.entry(name.as_ref()).expect_err(name);
            NotPlain::within(&error).unwrap_or_else(|| panic!("{name}: {error}")).what
        };
        assert_eq!(["link", "dangling", "way"].map(refused), [FileType::Symlink; 3]);
        assert_eq!(refused("fifo"), FileType::Fifo);
        assert_eq!(refused("socket"), FileType::Socket);
        assert!(matches!(folder.entry("folder".as_ref()), Ok(Entry::Folder(_))));
        let read = |file: io::Result<File>| io::read_to_string(file.expect("a plain file")).expect("text");
        assert_eq!(read(folder.file("file".as_ref())), "text");
        assert_eq!(read(open(&place.join("link"), Links::Follow)), "text");
        assert!(open(&place.join("link"), Links::Refuse).is_err());
        let device = open(Path::new("/dev/zero"), Links::Refuse).expect_err("a device");
        assert_eq!(NotPlain::within(&device).map(|it| it.what), Some(FileType::Device));
        assert_eq!(folder.names().expect("a folder").len(), 7);
        fs::remove_dir_all(place).expect("removed");
    }
}
