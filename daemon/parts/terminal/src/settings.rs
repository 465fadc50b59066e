//! `[terminal]`: what is kept of what is typed at `loquat run`.

use loquat_settings::section;

section! {
    /// The prompt that `loquat run` shows on a terminal.
    "terminal" TerminalSettings {
        /// Whether typed lines are kept in the state folder, so that the arrow keys bring them back after a restart.
        /// Only the owner may read the file.
        history: bool = true;
    }
}
