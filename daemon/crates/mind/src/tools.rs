//! Tools over the bus, in both directions: our toolboxes offered to everybody, and everybody's offered to us.

mod announced;
mod asking;
mod cautious;
mod claims;
mod following;
mod found;
mod host;
mod late;
mod order;
mod ovos_loudness;
mod own;
mod registered;
mod remote;
mod served;
mod set_apart;
mod skills;
mod waking;

pub use self::asking::{Askable, AskingToolbox, PATIENCE};
pub(crate) use self::cautious::Cautious;
pub use self::host::{Host, HostedTool, PersonaToolboxes};
pub use self::late::LateToolboxes;
pub use self::order::{Order, Rivals, Shadowed, shadowed};
pub use self::ovos_loudness::OvosLoudness;
pub use self::own::own_toolboxes;
pub use self::registered::Registered;
pub use self::remote::{RemoteToolboxes, WantedToolbox};
pub use self::set_apart::is_set_apart;
pub(crate) use self::set_apart::{Others, SetApart};
pub use self::skills::{AllArrivals, InstalledSkills, SkillArrivals, SkillCaller};
pub use self::waking::Waking;
