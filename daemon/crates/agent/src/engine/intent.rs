//! The calls that a sentence asks for, and the tools' own words for what came of them. No brain is asked.
//!
//! Where a call is refused or brings no words the turn ends without any, and what was said is for the persona, unless an
//! earlier call of the sentence has changed something.

use futures_util::future::{BoxFuture, FutureExt};

use super::Engine;
use crate::turn::{Ending, Turn};
use loquat_conversation::brain::ChatReply;
use loquat_conversation::budget::Limit;
use loquat_conversation::intended::IntendedCall;
use loquat_conversation::record::Reason;
use loquat_decoder::{Arguments, Call, capitalised};

pub(super) const ENGINE: Engine = Engine {
    id: "loquat-intent",
    settings: &[],
    limit: Limit::Steps("max_iterations"),
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        match turn.resources.question.intended.clone() {
            Some(intended) => carry_out_all(turn, &intended).await,
            None => Ending::silent(Reason::Noop),
        }
    }
    .boxed()
}

/// Makes the calls of a sentence, and ends with the tools' words.
pub(super) async fn carry_out_all(turn: &mut Turn, intended: &IntendedCall) -> Ending {
    let mut sentences = Vec::new();
    let mut reason = Reason::Noop;
    let mut silent = 0;
    for call in intended.all() {
        let ending = carry_out(turn, call).await;
        // What was taken back for something else is told by that.
        if call.undoes && ending.answer.is_empty() && turn.work.has_done_something() {
            silent += 1;
            continue;
        }
        if ending.answer.is_empty() {
            return without_the_rest(turn, ending);
        }
        reason = ending.reason;
        sentences.push(capitalised(&ending.answer));
        // What may not leave the device keeps nothing else of the sentence from being done.
        if !matches!(reason, Reason::Answered | Reason::ConfirmationDenied) {
            break;
        }
    }
    if sentences.len() + silent <= intended.further.len() {
        return Ending::silent(reason);
    }
    Ending::new(reason, sentences.join(" "))
}

async fn carry_out(turn: &mut Turn, intended: &IntendedCall) -> Ending {
    turn.work.open_step();
    // The tool is asked for the dialog of this call.
    turn.resources.question.intended = Some(intended.clone());
    let call = Call {
        id: None,
        tool: intended.tool.clone(),
        arguments: Arguments::Named(intended.arguments.clone()),
    };
    match turn.act(&ChatReply::of_words(""), "", vec![call], false).await {
        Ok(()) => turn.work.told(),
        Err(ending) => ending,
    }
}

/// The end of a turn whose call brought no words. What an earlier call has changed is told as something cut short, since
/// the persona would do it once more.
fn without_the_rest(turn: &Turn, ending: Ending) -> Ending {
    if ending.reason == Reason::Noop && turn.work.has_done_something() {
        Ending::silent(Reason::Answered)
    } else {
        ending
    }
}
