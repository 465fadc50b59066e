//! Which tools a turn may call, and which of them its brain is shown. Judges no call.

use std::sync::Arc;

use super::channel;
use super::settings::EngineSettings;
use loquat_conversation::brain::Capabilities;
use loquat_conversation::catalogue::{Catalogue, Silence};
use loquat_conversation::means::Means;
use loquat_conversation::question::Question;
use loquat_conversation::toolbox::{Tool, Toolbox};

/// A small brain chooses among so many of those that fit: with fewer the right one is not among them often enough.
const FITTING_TOOLS: u64 = 16;

/// One that needs a thought before it chooses is of the smallest, and calls any that it is shown.
const BEST_FITTING_TOOLS: u64 = 6;

/// Gives the tools for a question.
pub(super) fn to(question: &Question, means: &Means, settings: &EngineSettings) -> Catalogue {
    let silence = settings
        .may_be_silent()
        .then(|| Arc::new(Silence) as Arc<dyn Toolbox>);
    let toolboxes: Vec<_> = means.toolboxes.iter().cloned().chain(silence).collect();
    let allowed =
        Catalogue::new(&toolboxes, &means.turn_cache).allowed(|tool| is_allowed(tool, question, settings));
    shown(allowed, question, means, settings)
}

/// Tells whether the channel and the question allow a tool.
pub(super) fn is_allowed(tool: &Tool, question: &Question, settings: &EngineSettings) -> bool {
    channel::allows(settings.values(), question.channel.as_deref(), tool) && question.may_call(tool)
}

/// The tools with no more shown than a brain can choose among: those that fit what was said, where that is known.
fn shown(all: Catalogue, question: &Question, means: &Means, settings: &EngineSettings) -> Catalogue {
    let Some(selection) = &question.selection else {
        return all.narrowed(&question.utterance, settings.tools_in_prompt(), &means.turn_cache);
    };
    let Capabilities {
        small, acts_at_once, ..
    } = means.brain.capabilities();
    let most = match (small, acts_at_once) {
        (true, false) => settings.most_tools(BEST_FITTING_TOOLS),
        (true, true) => settings.most_tools(FITTING_TOOLS),
        (false, _) => settings.tools_in_prompt(),
    };
    // A small model keeps a question in mind, or sets what it is about, where it does not know how to look it up.
    let may_show = |tool: &Tool| tool.read_only || !(small && selection.asks);
    all.fitted(selection, most, &may_show)
}
