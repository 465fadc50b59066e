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
        Some(restated) => match meant(turn, restated).await {
            Meant::Done(ending) => return Some(ending),
            Meant::Talk | Meant::Repetition => true,
            Meant::Unclear => is_for_no_tool(turn),
            Meant::Nothing(_) if !is_for_no_tool(turn) => false,
            Meant::Nothing(sentence) if turn.is_talk_after_all(&sentence) => true,
            Meant::Nothing(_) => return Some(Ending::answered(turn.declined())),
        },
    };
    if !is_talk {
        return None;
    }
    turn.begin_in(Manner::Chat, step::instructions);
    Some(turn.think_and_act(&Steps::none()).await)
}

/// What the words of a brain are to the device.
enum Meant {
    Done(Ending),
    Talk,
    /// The sentence before: something was remarked behind it.
    Repetition,
    /// A sentence that the device does not know.
    Nothing(String),
    /// Neither a sentence nor talk.
    Unclear,
}

/// What a brain has made of what was said, behind the sentence before; where that is nothing, what it makes of it alone. Alone it takes
/// remarks for wishes, so that only a question is carried out then; of anything else it may tell that it is talk.
async fn meant(turn: &mut Turn, restated: Restated) -> Meant {
    let first = carried_out(turn, restated).await;
    let is_question = turn.is_question();
    let is_remark = !is_question && matches!(first, Meant::Repetition);
    if is_remark || matches!(first, Meant::Done(_) | Meant::Talk) {
        return first;
    }
    match turn.restated_alone().await {
        Some(Restated::Talk) => Meant::Talk,
        Some(alone) if is_question => match carried_out(turn, alone).await {
            Meant::Done(ending) => Meant::Done(ending),
            _ => first,
        },
        _ => first,
    }
}

async fn carried_out(turn: &mut Turn, restated: Restated) -> Meant {
    match restated {
        Restated::Talk => Meant::Talk,
        Restated::Unclear => Meant::Unclear,
        Restated::Sentence(sentence) => as_sentence(turn, sentence).await,
    }
}

/// Leaves the brain with the tools that may be used without a sentence, and tells whether there is none.
fn is_for_no_tool(turn: &mut Turn) -> bool {
    turn.only_look();
    turn.has_nothing_fitting()
}

async fn as_sentence(turn: &mut Turn, sentence: String) -> Meant {
    let Some(intended) = turn.understood(&sentence).await else {
        return Meant::Nothing(sentence);
    };
    if turn.repeats(&intended) {
        return Meant::Repetition;
    }
    let ending = intent::carry_out_all(turn, &intended).await;
    let is_nothing = ending.reason == Reason::Noop && ending.answer.is_empty();
    if is_nothing && !turn.work.has_done_something() {
        turn.resources.question.intended = None;
        return Meant::Nothing(sentence);
    }
    turn.work.restated = Some(sentence);
    Meant::Done(ending)
}
