//! What the context of an utterance tells of how it came to be said. The ear and the ringer write it, and the desk reads it.

/// The name of the persona that the wake word is for, behind which it was said.
pub const ADDRESSEE: &str = "loquat_persona";

/// How many milliseconds ago its sound began, or the capture in which it was said.
pub const BEGAN: &str = "loquat_began_ms";

/// Says that another program has recorded it.
pub const RECORDED: &str = "loquat_recording";

/// Says that it was kept for later, and what is known of it since then. It counts in frames of this process alone.
pub const LATER: &str = "loquat_later";
