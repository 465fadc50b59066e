//! The rights of a process that was started by root: none is kept, so that what Landlock and seccomp leave open is held by the
//! rights of files as for any other person.

use rustix::io::Errno;
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_no_new_privs};

/// Takes all capabilities from this thread and from those that it starts, and every way to others.
pub fn give_up() -> Result<(), Errno> {
    set_no_new_privs(true)?;
    let none = CapabilitySet::empty();
    let none = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    // Where there are none the call that takes them may be taken itself, as by the daemon's unit.
    if capabilities(None)? == none {
        return Ok(());
    }
    set_capabilities(None, none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_capability_is_left_to_a_thread_and_to_those_that_it_starts() {
        let confined = || {
            give_up().expect("rights can be given up");
            give_up().expect("there is nothing left to be given up");
            let own = std::fs::read_to_string("/proc/thread-self/status").expect("it is there");
            for line in [
                "CapEff:\t0000000000000000",
                "CapPrm:\t0000000000000000",
                "NoNewPrivs:\t1",
            ] {
                assert!(own.contains(line), "{own}");
            }
            let child = std::thread::spawn(|| capabilities(None)).join();
            let left = child.expect("it ends").expect("a thread may look at itself");
            assert_eq!(left.effective, CapabilitySet::empty());
        };
        std::thread::spawn(confined).join().unwrap();
    }
}
