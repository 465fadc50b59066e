//! What the toolbox and its tools are called. Does nothing.

/// The toolbox's id.
pub const ID: &str = "loquat-home-tools";

/// The folder of its sentences.
pub(crate) const FOLDER: &str = "home";

pub(crate) const CONTROL: &str = "control_home";
pub(crate) const SET: &str = "set_home";
/// The tool that changes nothing.
pub const READ: &str = "read_home";
/// Known outside, since it takes what no sentence of ours does.
pub const ASSIST: &str = "ask_assist";
pub(crate) const RESOLVE: &str = "resolve_home";
pub(crate) const RESTORE: &str = "restore_home";
pub(crate) const PLAY: &str = "play_home";
pub(crate) const ANNOUNCE: &str = "announce_home";
/// It tells what is on a list of the home.
pub const READ_LIST: &str = "read_home_list";
/// It puts something on such a list, or takes it off.
pub const CHANGE_LIST: &str = "change_home_list";
/// It takes everything off such a list.
pub const CLEAR_LIST: &str = "clear_home_list";

/// The kind that asks for the temperature that a heating is to reach.
pub(super) const SET_TEMPERATURE: &str = "set temperature";
