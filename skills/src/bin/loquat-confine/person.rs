//! As whom the command runs: as the daemon's own person, but never as root, and with no way to become another.

use loquat_sandbox::rights;
use rustix::io::Errno;
use rustix::process::{getuid, umask};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

/// The user and group without any rights of their own: all Linux systems give them this number.
const WITHOUT_RIGHTS: u32 = 65534;

/// Takes all rights from this process but those that any process of this person has.
pub(crate) fn give_up_rights() -> Result<(), Errno> {
    if getuid().is_root() {
        let (user, group) = (
            rustix::fs::Uid::from_raw(WITHOUT_RIGHTS),
            rustix::fs::Gid::from_raw(WITHOUT_RIGHTS),
        );
        set_thread_groups(&[])?;
        set_thread_res_gid(group, group, group)?;
        set_thread_res_uid(user, user, user)?;
    }
    umask(rustix::fs::Mode::from_raw_mode(0o077));
    rights::give_up()
}
