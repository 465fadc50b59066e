//! Which system calls a command can make, by seccomp. None opens a socket, looks into another process, makes a namespace
//! or a mount, leaves the process group, or changes rights, owners or dates of files, which Landlock does not keep.

use libc::c_long;
use loquat_sandbox::calls::{Calls, CallsError, NAMESPACES};

/// Restricts this process and those that it starts.
pub(crate) fn restrict() -> Result<(), CallsError> {
    let mut calls = Calls::with(ALLOWED);
    // Processes and threads, as long as they stay where they are.
    calls.where_flags(libc::SYS_clone, 0, NAMESPACES, 0)?;
    // Limits may be read, not changed.
    calls.where_null(libc::SYS_prlimit64, 2)?;
    for option in [libc::PR_SET_NAME, libc::PR_GET_NAME, libc::PR_CAPBSET_READ] {
        calls.where_equal(libc::SYS_prctl, 0, option.unsigned_abs().into())?;
    }
    for request in [
        libc::TCGETS,
        libc::TIOCGWINSZ,
        libc::FIONREAD,
        libc::FIONBIO,
        libc::FIOCLEX,
        libc::FIONCLEX,
    ] {
        calls.where_equal(libc::SYS_ioctl, 1, request)?;
    }
    for command in FCNTL {
        calls.where_equal(libc::SYS_fcntl, 1, command.unsigned_abs().into())?;
    }
    calls.restrict()
}

/// What is asked of open files; none that sends signals or leases a file.
const FCNTL: [libc::c_int; 9] = [
    libc::F_DUPFD,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
];

/// What programs use beside the plain calls that read, compute and write.
const ALLOWED: &[c_long] = &[
    // Memory.
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_msync,
    libc::SYS_mincore,
    // Processes, threads and time.
    libc::SYS_execve,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_kill,
    libc::SYS_tgkill,
    libc::SYS_tkill,
    libc::SYS_get_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_getppid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_capget,
    libc::SYS_umask,
    libc::SYS_getpriority,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_timer_gettime,
    libc::SYS_timer_delete,
    libc::SYS_times,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    // Files, as far as Landlock lets them be opened.
    libc::SYS_openat2,
    libc::SYS_close_range,
    libc::SYS_pwritev,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_copy_file_range,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_linkat,
    libc::SYS_truncate,
    libc::SYS_sync_file_range,
    libc::SYS_flock,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_epoll_create1,
    // Older names of the above that programs for this processor still use.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_arch_prctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_getpgrp,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_alarm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_pause,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_time,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_creat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rmdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_link,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_getdents,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_dup2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_pipe,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_select,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_epoll_create,
];
