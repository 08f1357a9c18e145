//! Zeroed memory for the table, in huge pages where the system gives them: a table is read all over, and with small
//! pages half of the time would go into finding out where a page is.

#![allow(unsafe_code, reason = "memory from the system, and a prefetch instruction")]

use std::sync::atomic::AtomicU64;

/// Eight words in one line of the cache.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub(super) struct Cluster(pub(super) [AtomicU64; 8]);

/// Asks the processor to fetch a cluster; a hint without effect but on speed.
#[inline]
pub(super) fn prefetch(cluster: &Cluster) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect that a program could see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cluster).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cluster;
}

#[cfg(target_os = "linux")]
pub(super) use linux::Memory;
#[cfg(not(target_os = "linux"))]
pub(super) use portable::Memory;

#[cfg(target_os = "linux")]
mod linux {
    use std::ops::Deref;
    use std::ptr::{self, NonNull};

    use rustix::io::Errno;
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

    use super::Cluster;

    const HUGE_PAGE: usize = 2 << 20;

    /// A slice of zeroed clusters.
    #[derive(Debug)]
    pub(in super::super) struct Memory {
        clusters: NonNull<Cluster>,
        count: usize,
        /// What the system gave: aligning it leaves room on both sides.
        mapped: (*mut core::ffi::c_void, usize),
    }

    // SAFETY: the memory belongs to this value alone and holds atomics, which may be shared.
    unsafe impl Send for Memory {}
    // SAFETY: as above.
    unsafe impl Sync for Memory {}

    impl Memory {
        /// Room for `count` clusters, at least one; `None` when the system has not that much.
        pub(in super::super) fn new(count: usize) -> Option<Self> {
            let bytes = count.checked_mul(size_of::<Cluster>())?;
            let length = bytes.checked_add(HUGE_PAGE)?;
            let (read_write, private) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
            // SAFETY: a fresh anonymous mapping touches no memory of the program.
            let start = unsafe { mmap_anonymous(ptr::null_mut(), length, read_write, private) }.ok()?;
            let aligned = start.wrapping_byte_add(start.align_offset(HUGE_PAGE));
            // SAFETY: the range lies within the mapping. Whether the advice is taken does not matter.
            let _ = unsafe { madvise(aligned, bytes, Advice::LinuxHugepage) };
            // Pages are made now: made one by one while searching, they would keep the search from stopping in time.
            // SAFETY: as above; fresh pages hold nothing that could be lost.
            let populated = unsafe { madvise(aligned, bytes, Advice::LinuxPopulateWrite) };
            let memory = Self { clusters: NonNull::new(aligned.cast())?, count, mapped: (start, length) };
            // Older kernels do not know the advice; then pages are made as they are needed.
            if populated == Err(Errno::NOMEM) { None } else { Some(memory) }
        }
    }

    impl Deref for Memory {
        type Target = [Cluster];

        #[inline]
        fn deref(&self) -> &[Cluster] {
            // SAFETY: `count` clusters lie within the mapping, aligned, and zero bytes are valid atomics.
            unsafe { std::slice::from_raw_parts(self.clusters.as_ptr(), self.count) }
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            // SAFETY: the mapping is ours and nobody borrows from it any more.
            let _ = unsafe { munmap(self.mapped.0, self.mapped.1) };
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use std::ops::Deref;

    use super::Cluster;

    /// A slice of zeroed clusters.
    #[derive(Debug)]
    pub(in super::super) struct Memory(Vec<Cluster>);

    impl Memory {
        /// Room for `count` clusters; `None` when the system has not that much.
        pub(in super::super) fn new(count: usize) -> Option<Self> {
            let mut clusters = Vec::new();
            clusters.try_reserve_exact(count).ok()?;
            clusters.resize_with(count, Cluster::default);
            Some(Self(clusters))
        }
    }

    impl Deref for Memory {
        type Target = [Cluster];

        fn deref(&self) -> &[Cluster] {
            &self.0
        }
    }
}
