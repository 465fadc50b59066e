//! What was said in free words, said again by a small brain in a sentence of the device, and carried out as that. Talk is answered in
//! words, with no tool in sight.
//!
//! A wish in a sentence that the device does not know is declined at once, since the brain would only say that it did it. A question
//! that is no sentence of the device is left to the steps of the engine, which only look something up; where nothing fits, it is answered
//! in words. Tools of other programs that fit may be used for both.

use super::intent;
use crate::turn::{Ending, Turn};
use loquat_conversation::dialect::Manner;
use loquat_conversation::dialect::phase::step::{self, Steps};
use loquat_conversation::dialect::restated::Restated;
use loquat_conversation::record::Reason;

/// Answers talk, and what the grammar understands behind the brain; nothing where a step has to be taken.
pub(super) async fn answer(turn: &mut Turn) -> Option<Ending> {
    let is_talk = match turn.restated().await {
        None => turn.is_talk().await,
        Some(Restated::Talk) => true,
        Some(Restated::Unclear) => is_for_no_tool(turn),
        Some(Restated::Sentence(sentence)) => match as_sentence(turn, &sentence).await {
            Meant::Done(ending) => return Some(ending),
            Meant::Repetition => true,
            Meant::Nothing if !is_for_no_tool(turn) => false,
            Meant::Nothing if turn.is_talk_after_all(&sentence) => true,
            Meant::Nothing => return Some(Ending::answered(turn.declined())),
        },
    };
    if !is_talk {
        return None;
    }
    turn.begin_in(Manner::Chat, step::instructions);
    Some(turn.think_and_act(&Steps::none()).await)
}

/// What a sentence of a brain is to the device.
enum Meant {
    Done(Ending),
    /// The sentence before: something was remarked behind it.
    Repetition,
    Nothing,
}

/// Leaves the brain with the tools that may be used without a sentence, and tells whether there is none.
fn is_for_no_tool(turn: &mut Turn) -> bool {
    turn.only_look();
    turn.has_nothing_fitting()
}

async fn as_sentence(turn: &mut Turn, sentence: &str) -> Meant {
    let Some(intended) = turn.understood(sentence).await else {
        return Meant::Nothing;
    };
    if turn.repeats(&intended) {
        return Meant::Repetition;
    }
    let ending = intent::carry_out_all(turn, &intended).await;
    let is_nothing = ending.reason == Reason::Noop && ending.answer.is_empty();
    if is_nothing && !turn.work.has_done_something() {
        turn.resources.question.intended = None;
        return Meant::Nothing;
    }
    turn.work.restated = Some(sentence.to_owned());
    Meant::Done(ending)
}
