//! The rights of a process that was started by root: none is kept, so that what Landlock and seccomp leave open is held by the
//! rights of files as for any other person.

use rustix::io::Errno;
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities, set_no_new_privs};

/// Takes all capabilities from this thread and from those that it starts, and every way to others.
pub(super) fn give_up() -> Result<(), Errno> {
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
