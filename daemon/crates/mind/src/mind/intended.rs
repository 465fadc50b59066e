//! What a handler is told of the sentence that was understood. It understands nothing itself.

use loquat_agent::engine::INTENT;
use loquat_agent::turn::IntendedCall;

use super::Handler;
use super::Utterance;

/// What a sentence asks for, as this handler is told of it. The calls of a brain are its own: they are no guesses, and the
/// pack's answer to the sentence does not tell of them.
pub(super) fn intended_for(handler: &Handler, utterance: &Utterance) -> Option<IntendedCall> {
    let intended = utterance.intended.clone()?;
    if handler.engine.id == INTENT.id {
        return Some(intended);
    }
    Some(IntendedCall {
        is_guess: false,
        phrasing: None,
        ..intended
    })
}

#[cfg(test)]
mod tests {
    use loquat_agent::engine;
    use loquat_agent::turn::Phrasing;

    use super::*;

    #[test]
    fn only_the_engine_of_the_sentence_is_told_that_it_was_a_guess() {
        let guess = IntendedCall {
            tool: "cancel".to_owned(),
            is_guess: true,
            phrasing: Some(Phrasing::default()),
            ..IntendedCall::default()
        };
        let utterance = Utterance {
            intended: Some(guess.clone()),
            ..Utterance::aloud("cancle it", "en")
        };
        let mut handler = Handler::without_brain(Vec::new(), None);
        assert_eq!(intended_for(&handler, &utterance), Some(guess));
        handler.engine = engine::find("auto").unwrap();
        let told = intended_for(&handler, &utterance).unwrap();
        assert_eq!(
            (told.tool.as_str(), told.is_guess, told.phrasing),
            ("cancel", false, None)
        );
    }
}
