//! Tools over the bus, in both directions: our toolboxes offered to everybody, and everybody's offered to us.

mod announced;
mod asking;
mod cautious;
mod claims;
mod following;
#[cfg(feature = "mcp")]
mod for_programs;
mod found;
mod host;
mod late;
mod order;
mod registered;
mod remote;
mod served;
mod set_apart;
mod skills;
mod waking;

pub use self::asking::{Askable, AskingToolbox, PATIENCE};
pub(crate) use self::cautious::Cautious;
#[cfg(feature = "mcp")]
pub use self::for_programs::ToolsForPrograms;
pub use self::host::{Host, HostedTool, PersonaToolboxes};
pub use self::late::LateToolboxes;
pub use self::order::{Order, Rivals, Shadowed, shadowed};
pub use self::registered::Registered;
pub use self::remote::{RemoteToolboxes, WantedToolbox};
pub(crate) use self::set_apart::{Others, SetApart, is_set_apart};
pub use self::skills::{AllArrivals, InstalledSkills, SkillArrivals, SkillCaller};
pub use self::waking::Waking;
