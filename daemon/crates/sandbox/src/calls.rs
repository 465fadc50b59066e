//! Which system calls are left to a process, by seccomp. None is left that was not named.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

/// Why system calls are not restricted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallsError {
    /// The filter cannot be made for this processor.
    #[error("{0}")]
    Filter(#[from] BackendError),
    /// The kernel refused.
    #[error("{0}")]
    Kernel(#[from] seccompiler::Error),
}

/// The calls that are left.
#[derive(Debug)]
pub struct Calls(BTreeMap<i64, Vec<SeccompRule>>);

impl Calls {
    /// Allows those of [`PLAIN`] and these, with any arguments.
    pub fn with(others: &[c_long]) -> Self {
        let all = PLAIN.iter().chain(others);
        Self(all.map(|call| (*call, Vec::new())).collect())
    }

    /// Leaves a call where an argument, a number of which the kernel reads 32 bits, is this one.
    pub fn where_equal(&mut self, call: c_long, argument: u8, value: u64) -> Result<(), BackendError> {
        let is_this = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)?;
        self.allow_if(call, is_this)
    }

    /// Leaves a call where an argument points to nothing.
    pub fn where_null(&mut self, call: c_long, argument: u8) -> Result<(), BackendError> {
        let is_null = SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
        self.allow_if(call, is_null)
    }

    /// Leaves a call where an argument holds these of some flags and none of the others of them.
    pub fn where_flags(
        &mut self,
        call: c_long,
        argument: u8,
        of: u64,
        flags: u64,
    ) -> Result<(), BackendError> {
        let masked = SeccompCmpOp::MaskedEq(of);
        let has_these = SeccompCondition::new(argument, SeccompCmpArgLen::Qword, masked, flags)?;
        self.allow_if(call, has_these)
    }

    fn allow_if(&mut self, call: c_long, condition: SeccompCondition) -> Result<(), BackendError> {
        let rules = self.0.entry(call).or_default();
        rules.push(SeccompRule::new(vec![condition])?);
        Ok(())
    }

    /// Restricts this thread and those that it starts. What is not left is answered as by a kernel that does not know the
    /// call: libraries then go another way, as with `clone3`, whose flags a filter cannot see.
    pub fn restrict(self) -> Result<(), CallsError> {
        let filter = SeccompFilter::new(
            self.0,
            SeccompAction::Errno(libc::ENOSYS.unsigned_abs()),
            SeccompAction::Allow,
            std::env::consts::ARCH.try_into()?,
        )?;
        let program: BpfProgram = filter.try_into()?;
        Ok(seccompiler::apply_filter(&program)?)
    }
}

/// Flags of `clone` that ask for a namespace.
pub const NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// `SYS_renameat`, which libc knows of one processor only: that of the table which all newer processors share.
#[cfg(not(target_arch = "x86_64"))]
const RENAMEAT: c_long = 38;
#[cfg(target_arch = "x86_64")]
const RENAMEAT: c_long = libc::SYS_renameat;

/// What the C library and any program use that compute, read files and write them.
pub const PLAIN: &[c_long] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_madvise,
    // Threads and time.
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_membarrier,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_getcpu,
    libc::SYS_restart_syscall,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_gettimeofday,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_getrandom,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_getrusage,
    // Files, as far as Landlock lets them be opened.
    libc::SYS_openat,
    libc::SYS_close,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_fstatfs,
    libc::SYS_statfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_unlinkat,
    RENAMEAT,
    libc::SYS_renameat2,
    libc::SYS_mkdirat,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_dup,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_eventfd2,
    // Older names of the above that programs for this processor still use.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_epoll_wait,
];
