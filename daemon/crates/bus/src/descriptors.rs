//! How many files and connections the process may have open. Never opens any.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More than this is of no use to a device, and some programs that we start close every number up to the limit.
const ENOUGH: u64 = 65_536;

/// Raises the limit of this process, and of those that it starts, as far as the system lets it; the limit from now on.
///
/// Most systems begin with 1,024, which idle clients of a bus use up.
pub fn raise_descriptor_limit() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(ENOUGH, |maximum| maximum.min(ENOUGH));
    if current.is_none_or(|current| current >= wanted) {
        return descriptor_limit();
    }
    let raised = Rlimit {
        current: Some(wanted),
        maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, wanted, "failed to raise the limit of open files");
    }
    descriptor_limit()
}

pub(crate) fn descriptor_limit() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_raised_to_what_is_allowed_and_stays_there() {
        let allowed = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
        let raised = raise_descriptor_limit();
        assert!(raised >= allowed.min(ENOUGH), "{raised}");
        assert_eq!(raise_descriptor_limit(), raised);
    }
}
