//! Which system calls the process can still make, by seccomp. Never allows one that opens a socket, starts a program,
//! looks into another process or maps memory that can be executed.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

/// Why system calls are not restricted.
#[derive(Debug, thiserror::Error)]
pub(super) enum CallsError {
    /// The filter cannot be made for this processor.
    #[error("{0}")]
    Filter(#[from] BackendError),
    /// The kernel refused.
    #[error("{0}")]
    Kernel(#[from] seccompiler::Error),
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Restricts this thread and those it starts. What is not allowed is answered as by a kernel that does not know the
/// call: libraries then go another way, as with `clone3`, whose flags a filter cannot see.
pub(super) fn restrict() -> Result<(), CallsError> {
    let mut rules: Rules = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    conditions(&mut rules)?;
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Errno(libc::ENOSYS.unsigned_abs()),
        SeccompAction::Allow,
        std::env::consts::ARCH.try_into()?,
    )?;
    let program: BpfProgram = filter.try_into()?;
    Ok(seccompiler::apply_filter(&program)?)
}

/// Calls that are allowed with some arguments only.
fn conditions(rules: &mut Rules) -> Result<(), BackendError> {
    let executable = u64::from(libc::PROT_EXEC.unsigned_abs());
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        allow_if(rules, call, 2, SeccompCmpOp::MaskedEq(executable), 0)?;
    }
    // A thread of this process, and nothing that leaves it: neither a child nor a namespace.
    let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
    allow_if(
        rules,
        libc::SYS_clone,
        0,
        SeccompCmpOp::MaskedEq(thread | NAMESPACES),
        thread,
    )?;
    // Limits may be read, not raised.
    allow_if(rules, libc::SYS_prlimit64, 2, SeccompCmpOp::Eq, 0)?;
    allow_if(
        rules,
        libc::SYS_prctl,
        0,
        SeccompCmpOp::Eq,
        u64::from(libc::PR_SET_NAME.unsigned_abs()),
    )?;
    // `abort` and the like.
    allow_if(
        rules,
        libc::SYS_tgkill,
        0,
        SeccompCmpOp::Eq,
        std::process::id().into(),
    )?;
    for request in [libc::TCGETS, libc::FIONBIO, libc::FIOCLEX] {
        allow_if(rules, libc::SYS_ioctl, 1, SeccompCmpOp::Eq, request)?;
    }
    Ok(())
}

fn allow_if(
    rules: &mut Rules,
    call: c_long,
    argument: u8,
    is: SeccompCmpOp,
    value: u64,
) -> Result<(), BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Qword, is, value)?;
    rules
        .entry(call)
        .or_default()
        .push(SeccompRule::new(vec![condition])?);
    Ok(())
}

/// Flags of `clone` that ask for a namespace.
const NAMESPACES: u64 = (libc::CLONE_NEWNS
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

/// What llama.cpp, its threads, the runtime and the C library use on a process whose socket is bound already.
const ALLOWED: &[c_long] = &[
    // Memory.
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_mlock,
    libc::SYS_mremap,
    libc::SYS_munlock,
    libc::SYS_munmap,
    libc::SYS_memfd_create,
    // Threads and time.
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_gettid,
    libc::SYS_getpid,
    libc::SYS_membarrier,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_setaffinity,
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
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
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
    libc::SYS_utimensat,
    libc::SYS_fcntl,
    libc::SYS_dup,
    // Connections that come in, and the event loop.
    libc::SYS_accept4,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_shutdown,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_eventfd2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    // Older names of the above that the C library of this processor still uses.
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

#[cfg(test)]
mod tests {
    use std::io;
    use std::net::{TcpStream, UdpSocket};
    use std::os::unix::net::{UnixDatagram, UnixStream};
    use std::process::Command;

    use super::*;

    /// The answer of a kernel that does not know the call.
    fn refused<T>(outcome: io::Result<T>) {
        let Err(error) = outcome else {
            panic!("a confined thread could do it");
        };
        assert_eq!(error.raw_os_error(), Some(libc::ENOSYS), "{error}");
    }

    #[test]
    fn there_is_no_network_no_program_and_no_higher_limit() {
        let confined = || {
            restrict().expect("the tests need a kernel with seccomp");
            refused(TcpStream::connect("127.0.0.1:9"));
            refused(UdpSocket::bind("127.0.0.1:0"));
            refused(UnixDatagram::unbound());
            refused(UnixStream::pair());
            refused(Command::new("/bin/true").status());
            let limit = rustix::process::getrlimit(rustix::process::Resource::Core);
            refused(rustix::process::setrlimit(rustix::process::Resource::Core, limit).map_err(Into::into));
        };
        std::thread::spawn(confined).join().unwrap();
    }

    #[test]
    fn threads_and_memory_are_there() {
        let confined = || {
            restrict().expect("the tests need a kernel with seccomp");
            let threads = (0..4).map(|_| std::thread::spawn(|| vec![1_u8; 8 << 20].len()));
            let threads: Vec<_> = threads.collect();
            assert!(
                threads
                    .into_iter()
                    .all(|thread| thread.join().unwrap() == 8 << 20)
            );
        };
        std::thread::spawn(confined).join().unwrap();
    }
}
