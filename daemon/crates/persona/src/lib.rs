//! Personas: OVOS's own persona files, read unchanged, with a few keys of ours beside theirs.
//!
//! A persona with a mistake in it is left out with one sentence that says where and what; the others are there.
//! Nothing here talks to a brain or runs a tool: this says who is to answer, and with what.

mod agents_md;
mod brain_choice;
mod brain_keys;
mod channels;
mod embedded;
mod engine_settings;
mod fields;
mod handler;
mod key_policy;
mod keys;
mod known;
mod load;
mod names;
mod own_file;
mod parse;
mod persona;
mod persona_choice;
mod personas;
mod prompts;
mod schedule;
mod scopes;
mod skill_choice;
mod sources;
#[cfg(test)]
mod tests;
mod toolbox_choice;
mod trust;
pub mod written_secrets;

pub use brain_choice::{BrainChoice, LOCAL_BRAIN, OPENAI_BRAIN};
pub use brain_keys::{BrainSettings, Texts};
pub use embedded::text_of as embedded;
pub use handler::{ByChannel, Handler};
pub use key_policy::KeyPolicy;
pub use keys::Keys;
pub use known::Known;
pub use names::slug;
pub use persona::{BudgetOverrides, Persona};
pub use persona_choice::{Insulation, PERSONA_TOOLS, PersonaChoice};
pub use personas::Personas;
pub use prompts::Prompts;
pub use schedule::{Scheduled, ScheduledAt};
pub use skill_choice::{SKILL_TOOLS, SkillChoice};
pub use sources::Sources;
pub use toolbox_choice::{Caution, ToolboxChoice};
pub use trust::{ToolTrust, Trust};
