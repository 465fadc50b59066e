//! `loquat-settings-tools`: settings that a person changes by saying so, and forgetting what was said.
//!
//! What a change comes to is behind the port [`Preferences`]: nothing here knows a settings file or the daemon.

use std::sync::Arc;

use futures_util::FutureExt;
use include_dir::include_dir;

use loquat_kit::Skill;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, Unsaid};
use loquat_kit::wording::Wording;
use serde_json::Map;

mod permitted;
mod port;
mod question;
#[cfg(test)]
mod tests;
mod tools;

pub use permitted::PermittedToolbox;
pub use port::{ModelSize, Pace, Preferences, Unchanged};
pub use question::{Asking, named};
use tools::Owner;

/// The toolbox's id.
pub const ID: &str = "loquat-settings-tools";

/// The folder of its sentences.
pub(crate) const FOLDER: &str = "preferences";

const PACE: &str = "set_speech_speed";
const MODEL: &str = "use_model";
const FORGET: &str = "forget_conversation";
const ALLOW: &str = "allow_service";
const FORBID: &str = "forbid_service";

/// A service outside the device, by what it is called in the language.
const SERVICE: Slot = Slot {
    name: "service",
    argument: "service",
    read: |said, spoken| {
        let service = named(said, spoken.locales, spoken.lang)?;
        Some(service.name().into())
    },
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("slower", PACE).unsaid(&[("speed", Unsaid::Words("slower"))]),
    Intent::new("faster", PACE).unsaid(&[("speed", Unsaid::Words("faster"))]),
    Intent::new("normal", PACE).unsaid(&[("speed", Unsaid::Words("normal"))]),
    Intent::new("slower_still", PACE)
        .unsaid(&[("speed", Unsaid::Words("slower"))])
        .meaning_last(),
    Intent::new("faster_still", PACE)
        .unsaid(&[("speed", Unsaid::Words("faster"))])
        .meaning_last(),
    Intent::new("normal_again", PACE)
        .unsaid(&[("speed", Unsaid::Words("normal"))])
        .meaning_last(),
    Intent::new("small_model", MODEL).unsaid(&[("model", Unsaid::Words("small"))]),
    Intent::new("big_model", MODEL).unsaid(&[("model", Unsaid::Words("big"))]),
    Intent::new("forget", FORGET),
    Intent::new("allow", ALLOW).slots(&[SERVICE]),
    Intent::new("forbid", FORBID).slots(&[SERVICE]),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/preferences/sentences"),
    intents: INTENTS,
    object: |call| (call.tool == PACE).then(Map::new),
    ..Skill::PLAIN
};

/// Forgets what was said in the conversation of a session.
pub type Forgetting = Arc<dyn Fn(&str) + Send + Sync>;

/// The toolbox.
pub fn toolbox(asking: Asking, forgetting: Forgetting, wording: &Wording) -> FunctionToolbox {
    let owner = Owner(asking.preferences.clone());
    let network = Arc::new(asking);
    let functions = vec![
        Function::sharing(
            &owner,
            PACE,
            "Speak slower, faster or at normal speed.",
            tools::set_speech_speed,
        )
        .changing(),
        Function::sharing(
            &owner,
            MODEL,
            "Think with the small or the big model of this device.",
            tools::use_model,
        )
        .changing(),
        Function::waiting(
            FORGET,
            "Forget what was said in this conversation.",
            move |asked, person| {
                let forgotten = tools::forget_conversation(&forgetting, asked, person);
                std::future::ready(Ok(forgotten)).boxed()
            },
        )
        .changing(),
        Function::sharing(
            &network,
            ALLOW,
            "Ask the owner whether a service outside the device may be asked from now on.",
            tools::allow_service,
        )
        .changing()
        .with(|tool| tool.unseen = true),
        Function::sharing(
            &network,
            FORBID,
            "Ask a service outside the device nothing any more.",
            tools::forbid_service,
        )
        .changing()
        .with(|tool| tool.unseen = true),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
