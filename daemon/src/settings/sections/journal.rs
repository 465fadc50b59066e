//! `[journal]`: what is kept of turns that are over, or were cut off.

use loquat_settings::section;

section! {
    /// The journal of turns, in the state folder.
    "journal" Journal {
        /// Whether turns are written down, to be run again with `loquat replay` or gone on with after a crash, and what was
        /// said last in each session, so that a conversation goes on after a restart.
        /// The file holds what people say and what they are answered; only the owner may read it.
        enabled: bool = true;
        /// How many turns that are over are kept.
        keep_turns: u32 = 200 => 0..=100_000;
        /// A turn that a crash cut off is gone on with if it began at most so many seconds ago; an older one is given up. So
        /// is one from before a reboot, unless systemd-timesyncd had set the clock then and now, and one that was gone on with
        /// twice already. A person's yes from before the crash counts for nothing that had not begun.
        resume_within_seconds: u32 = 120 => 0..=86_400;
    }
}
