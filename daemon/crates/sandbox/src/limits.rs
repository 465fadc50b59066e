//! Bounds of what a process may take of the machine. They are only ever lowered.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Lowers these limits of this process and of those that it starts to these values.
///
/// Never asks for more than there is, which only a privileged process may.
pub fn lower(limits: &[(Resource, u64)]) -> io::Result<()> {
    for (resource, most) in limits {
        let present = getrlimit(*resource);
        let least = |bound: Option<u64>| Some(bound.map_or(*most, |bound| bound.min(*most)));
        let (current, maximum) = (least(present.current), least(present.maximum));
        setrlimit(*resource, Rlimit { current, maximum })?;
    }
    Ok(())
}

/// Says how early the kernel ends this process and those that it starts when memory runs out; 1000 goes first of all. A
/// device without /proc ends whichever it likes.
pub fn set_out_of_memory_score(score: u16) -> io::Result<()> {
    std::fs::write("/proc/self/oom_score_adj", score.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_lowered_and_never_raised() {
        for asked in [0, u64::MAX] {
            lower(&[(Resource::Core, asked)]).unwrap();
            let now = getrlimit(Resource::Core);
            assert_eq!((now.current, now.maximum), (Some(0), Some(0)));
        }
    }
}
