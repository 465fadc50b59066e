//! Which system calls the process can still make, by seccomp. Never allows one that opens a socket, starts a program,
//! looks into another process or maps memory that can be executed.

use libc::c_long;
use loquat_sandbox::calls::{Calls, CallsError, NAMESPACES};

/// Restricts this thread and those it starts.
pub(super) fn restrict() -> Result<(), CallsError> {
    let mut calls = Calls::with(ALLOWED);
    let executable = u64::from(libc::PROT_EXEC.unsigned_abs());
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        calls.where_flags(call, 2, executable, 0)?;
    }
    // A thread of this process, and nothing that leaves it: neither a child nor a namespace.
    let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
    calls.where_flags(libc::SYS_clone, 0, thread | NAMESPACES, thread)?;
    // Limits may be read, not raised.
    calls.where_null(libc::SYS_prlimit64, 2)?;
    calls.where_equal(libc::SYS_prctl, 0, u64::from(libc::PR_SET_NAME.unsigned_abs()))?;
    // `abort` and the like.
    calls.where_equal(libc::SYS_tgkill, 0, std::process::id().into())?;
    for request in [libc::TCGETS, libc::FIONBIO, libc::FIOCLEX] {
        calls.where_equal(libc::SYS_ioctl, 1, request)?;
    }
    calls.restrict()
}

/// The calls that llama.cpp, its threads, the runtime and the C library use beside the plain calls on a process whose
/// socket is bound already.
const ALLOWED: &[c_long] = &[
    // Memory.
    libc::SYS_mlock,
    libc::SYS_munlock,
    libc::SYS_memfd_create,
    // Threads and time.
    libc::SYS_sched_setaffinity,
    // Files, as far as Landlock lets them be opened.
    libc::SYS_utimensat,
    libc::SYS_fcntl,
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
