//! A moment that can be compared with now after a restart, also on a device whose clock forgets the time.
//!
//! Within one run of the kernel its own clock counts, which cannot be set. Across a reboot the wall clock counts, and only
//! if something had set it both times; otherwise it cannot be told how much time has passed.

use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// Names this run of the kernel, which lasts longer than this process.
static BOOT_ID: LazyLock<Option<String>> = LazyLock::new(|| {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned())
});

/// There as soon as systemd-timesyncd has set the clock since boot. What else sets the clock is not believed.
const SYNCHRONISED: &str = "/run/systemd/timesync/synchronized";

/// Reads the wall clock, in seconds since 1970.
pub fn unix_now() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |since| since.as_secs_f64())
}

/// A moment, by all clocks that there are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// The seconds since 1970, by a clock that may be wrong.
    pub unix_seconds: f64,
    /// Says whether that clock had been set by a better one.
    pub is_synchronised: bool,
    /// The run of the kernel; absent where the system does not tell, and in what older versions wrote.
    pub boot_id: Option<String>,
    /// The seconds since the kernel began to run, sleep included.
    pub uptime: f64,
}

impl Moment {
    /// Takes this moment, which the wall clock calls `unix_seconds`. Looks at a file of the system.
    pub fn now(unix_seconds: f64) -> Self {
        let uptime = clock_gettime(ClockId::Boottime);
        Self {
            unix_seconds,
            is_synchronised: Path::new(SYNCHRONISED).exists(),
            boot_id: BOOT_ID.clone(),
            uptime: uptime.tv_sec as f64 + uptime.tv_nsec as f64 / 1e9,
        }
    }

    /// Measures the time from this moment to `now`. It is nothing when that cannot be told,
    /// or when the moment lies ahead.
    pub fn age_at(&self, now: &Self) -> Option<Duration> {
        let seconds = if self.boot_id.is_some() && self.boot_id == now.boot_id {
            now.uptime - self.uptime
        } else if self.is_synchronised && now.is_synchronised {
            now.unix_seconds - self.unix_seconds
        } else {
            return None;
        };
        Duration::try_from_secs_f64(seconds).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(boot: &str, uptime: f64, unix_seconds: f64, is_synchronised: bool) -> Moment {
        Moment {
            unix_seconds,
            is_synchronised,
            boot_id: Some(boot.to_owned()),
            uptime,
        }
    }

    #[test]
    fn the_kernel_s_own_clock_decides_within_one_run() {
        let then = moment("a", 100.0, 1e9, false);
        for wall in [0.0, 1e9 + 5.0, 5e9] {
            let now = moment("a", 105.0, wall, true);
            assert_eq!(then.age_at(&now), Some(Duration::from_secs(5)), "{wall}");
        }
        assert_eq!(moment("a", 106.0, 0.0, true).age_at(&then), None);
    }

    #[test]
    fn across_a_reboot_only_clocks_that_were_set_are_believed() {
        let then = moment("a", 100.0, 1000.0, true);
        assert_eq!(
            then.age_at(&moment("b", 3.0, 1060.0, true)),
            Some(Duration::from_secs(60))
        );
        assert_eq!(then.age_at(&moment("b", 3.0, 1060.0, false)), None);
        assert_eq!(then.age_at(&moment("b", 3.0, 999.0, true)), None, "it lies ahead");
        let unset = moment("a", 100.0, 1000.0, false);
        assert_eq!(unset.age_at(&moment("b", 3.0, 1060.0, true)), None);
        let of_older_version = Moment {
            boot_id: None,
            ..unset
        };
        assert_eq!(
            of_older_version.age_at(&Moment {
                boot_id: None,
                ..moment("", 3.0, 1000.0, true)
            }),
            None
        );
    }

    #[test]
    fn this_machine_tells_both() {
        let (then, now) = (Moment::now(0.0), Moment::now(0.0));
        assert!(then.age_at(&now).is_some_and(|age| age < Duration::from_secs(60)));
    }
}
