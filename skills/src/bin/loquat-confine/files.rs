//! What a command can open, by Landlock: the system's programs, a few facts about the machine, and the files beneath one
//! folder. Never a device that does anything, a socket, another process, or a file of a person elsewhere.

use std::os::fd::BorrowedFd;

use landlock::{
    AccessFs, CompatLevel, PathBeneath, RestrictionStatus, RulesetCreatedAttr, RulesetError, RulesetStatus,
    make_bitflags,
};
use loquat_sandbox::files::{allow, nothing};

/// Programs, and what they need to start.
const PROGRAMS: &[&str] = &["/usr", "/bin", "/lib", "/lib32", "/lib64"];

/// Which libraries there are, where this is, and what the machine does.
const READ: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/os-release",
    "/proc/cpuinfo",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
];

/// Restricts this process for good. Says why where it could not be done entirely.
pub(crate) fn restrict(root: BorrowedFd<'_>, allow_write: bool) -> Result<(), String> {
    let status = apply(root, allow_write).map_err(|error| error.to_string())?;
    if status.ruleset == RulesetStatus::FullyEnforced && status.no_new_privs {
        return Ok(());
    }
    Err(format!("the kernel has enforced them as {:?}", status.ruleset))
}

fn apply(root: BorrowedFd<'_>, allow_write: bool) -> Result<RestrictionStatus, RulesetError> {
    let mut rules = nothing(CompatLevel::HardRequirement)?;
    let reading = make_bitflags!(AccessFs::{ReadFile | ReadDir});
    for folder in PROGRAMS {
        rules = allow(rules, folder, reading | AccessFs::Execute)?;
    }
    for file in READ {
        rules = allow(rules, file, AccessFs::ReadFile.into())?;
    }
    rules = allow(rules, "/dev/null", AccessFs::ReadFile | AccessFs::WriteFile)?;
    // No links, which would lead other programs elsewhere, and nothing but files and folders.
    let writing = make_bitflags!(AccessFs::{
        WriteFile | Truncate | MakeReg | MakeDir | RemoveFile | RemoveDir | Refer
    });
    let own = if allow_write { reading | writing } else { reading };
    rules.add_rule(PathBeneath::new(root, own))?.restrict_self()
}
