//! The limit of open files, RLIMIT_NOFILE.

#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The limit on open files of this process.
pub(super) fn descriptor_limit() -> usize {
    #[cfg(target_os = "linux")]
    return getrlimit(Resource::Nofile)
        .current
        .map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    // The usual soft limit.
    #[cfg(not(target_os = "linux"))]
    1024
}

/// Raises the soft limit of open files (RLIMIT_NOFILE) to the hard limit, and returns the limit that holds then. A
/// server calls this before it makes its [`Config`](crate::Config), whose limits of connections follow from it.
pub fn raise_descriptor_limit() -> usize {
    #[cfg(target_os = "linux")]
    {
        let maximum = getrlimit(Resource::Nofile).maximum;
        // If it cannot be raised, the old one holds.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    descriptor_limit()
}
