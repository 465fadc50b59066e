//! Whether an answer may be said: numbers that nothing gave, and deeds that were not done, are asked about once more and
//! are then not spoken.
//!
//! A number counts as given where the question, the history, what the persona is told, the surroundings or an observation
//! of the turn holds it, perhaps rounded or by another clock. Numbers are looked at
//! - when a call has brought something in this turn: then the answer tells that and nothing else;
//! - when a tool that calculates is on offer and the question holds a number. A brain that stands by its number without a
//!   call may know it ("When did Apollo 11 land?"), so it is believed then, unless the question holds two numbers or one of
//!   percent, which is a calculation.
//!
//! An answer that only says again what the person said is none.
//!
//! Otherwise ("When was Bach born?") a number is knowledge. "One", nought and small numbers in words are no claim.
//!
//! A deed counts as claimed where a sentence without a negation has one of the language's openings ("I have") and behind it
//! one of its words for what is done ("switched"), or a report of one ("timer set"); so does a promise ("I will switch"), after which
//! nothing more happens. It is false when no call was made in the turn, unless the person may be asking to be told something and an
//! earlier answer of the session speaks of it too. Where a small model was told to do something, it is also false behind calls that
//! changed nothing. A state of the house ("the light is on") that a small model tells is false when no call was made, unless an
//! earlier answer told of a deed.
//!
//! A brain that is held to a schema is held to a calculation then, where a tool calculates: small models add two numbers in
//! their heads, mostly rightly, and apologise when they are asked where the sum comes from.
//!
//! Only the turn whose answer is the answer is looked at: the beginning before that is told while the rest is written, and
//! then all of it. What is said in place of a false deed is the apology of the person's language; in place of a number it is
//! the sentence of the last call, else nothing, for which the daemon has words.

mod unsure;

use std::sync::{Arc, OnceLock};

use super::Review;
use crate::figure::{Figure, Known, figures};
use crate::gate::text;
use crate::turn::Ending;
use crate::turn::entry::CALLED_BEFORE;
use crate::turn::ledger::Ledger;
use crate::turn::resources::{Resources, Shared};
use crate::turn::work::Work;
use loquat_conversation::brain::{ChatMessage, Role};
use loquat_conversation::budget::ADVICE;
use loquat_conversation::dialect::{AFTER_FAILURE, apology};
use loquat_conversation::event::ReplyFault;
use loquat_conversation::question::Question;
use loquat_conversation::record::Reason;
use loquat_decoder::language::{Language, spoken};

/// Says why an answer may not be said.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Doubt {
    /// It tells these numbers, which nothing gave.
    Figures(Vec<String>),
    /// It says that something was done or will be, and no call has changed anything.
    Deed,
    /// It repeats what only the brain was told: of such an answer, of a reply that could not be used, of a call that it made
    /// before or that failed, or of the end of its budget.
    Echo,
    /// It says the person's own words.
    Parroted,
    /// It tells what is there, and no tool has looked.
    Unread,
}

/// This many words in a row of what was told of this answer or call are no accident.
const ECHO: usize = 4;

/// Advice on the budget, on failed calls and on replies that could not be used is made of words that answers use, too, so a longer
/// run of them is needed.
const NOTE_ECHO: usize = 6;

impl Doubt {
    pub(super) fn fault(&self) -> ReplyFault {
        match self {
            Self::Figures(_) => ReplyFault::Figures,
            Self::Deed => ReplyFault::Deed,
            Self::Echo | Self::Parroted => ReplyFault::Echo,
            Self::Unread => ReplyFault::Unread,
        }
    }

    /// Tells the brain what is wrong with its answer.
    pub(super) fn told(&self) -> String {
        match self {
            Self::Figures(written) => format!(
                "That cannot be said: neither the person nor a tool gave {}. Call a tool that gives it, or answer with what \
                 a tool gave.",
                written.join(" or ")
            ),
            Self::Unread => "That cannot be said: what was there before may be gone. Call the tool that looks.".to_owned(),
            Self::Echo => "That cannot be said: it is a note for you alone. Answer the person in one short sentence.".to_owned(),
            Self::Parroted => "That cannot be said: it is what the person said. Answer it in one short sentence, or say that you \
                               cannot do it."
                .to_owned(),
            Self::Deed => "That cannot be said: no call has changed anything, so nothing was done or will be. Call the tool that does \
                           it, or say that you cannot do it."
                .to_owned(),
        }
    }
}

impl Doubt {
    /// Tells whether the brain has to calculate before it answers again.
    pub(super) fn asks_for_a_calculation(&self, resources: &Resources, ledger: &Ledger) -> bool {
        matches!(self, Self::Figures(_)) && (ledger.has_found() || is_calculation(&resources.question))
    }

    /// The end with what may be said in place of an answer; nothing where the answer is believed.
    pub(super) fn ending(&self, resources: &Resources, work: &mut Work, reason: Reason) -> Option<Ending> {
        let lang = resources.question.lang.as_deref();
        match self {
            Self::Deed | Self::Unread | Self::Parroted => Some(Ending::new(reason, apology(lang))),
            Self::Echo => {
                let sentence = work.sayable.take_sentence();
                Some(Ending::new(
                    reason,
                    sentence.unwrap_or_else(|| apology(lang).to_owned()),
                ))
            }
            Self::Figures(_) if !self.asks_for_a_calculation(resources, &work.ledger) => None,
            Self::Figures(_) => Some(match work.sayable.take_sentence() {
                Some(sentence) => Ending::new(reason, sentence),
                // Without the numbers, since the log tells the fault.
                None => {
                    Ending::silent(Reason::ParseError).with_fault("the answer told numbers that nothing gave")
                }
            }),
        }
    }
}

/// All that an answer is held against, as it is between two calls. It looks at whole sentences one by one, so that what speaks
/// against the beginning of an answer speaks against all of it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is what a rule of its own looks at"
)]
pub(in crate::turn) struct Evidence {
    stands: bool,
    doubted: Option<String>,
    flaw: Option<String>,
    has_to_look: bool,
    has_called: bool,
    has_changed: bool,
    asks: bool,
    may_tell_again: bool,
    has_found: bool,
    could_calculate: bool,
    is_small: bool,
    language: &'static Language,
    history: Vec<ChatMessage>,
    shared: Arc<Shared>,
    given: OnceLock<Known>,
}

impl Evidence {
    /// Tells whether this answer, or the beginning of one, may not be said.
    pub(in crate::turn) fn doubts(&self, answer: &str) -> bool {
        self.doubt(answer).is_some()
    }

    /// Finds what speaks against saying this answer.
    pub(super) fn doubt(&self, answer: &str) -> Option<Doubt> {
        if !self.stands {
            return None;
        }
        if self.repeats_a_note(answer) {
            return Some(Doubt::Echo);
        }
        if says_the_same(answer, &self.shared.heard.said) {
            return Some(Doubt::Parroted);
        }
        if self.has_to_look {
            return Some(Doubt::Unread);
        }
        if self.claims_a_deed(answer) {
            return Some(Doubt::Deed);
        }
        if !self.has_found && !self.could_calculate {
            return None;
        }
        let given = self.given.get_or_init(|| self.given_figures());
        let told = figures(answer, self.language).into_iter();
        let invented = told.filter(|figure| !figure.is_trivial() && !given.hold(figure));
        let invented: Vec<String> = invented.map(|figure| figure.written).collect();
        (!invented.is_empty()).then_some(Doubt::Figures(invented))
    }

    /// An end of which the answer claims no deed that was not done, and tells nothing out of a small model's head as sure.
    pub(in crate::turn) fn honest(&self, ending: Ending, lang: Option<&str>) -> Ending {
        let is_false = ending.reason == Reason::Answered && self.claims_a_deed(&ending.answer);
        let answer = if is_false {
            apology(lang).to_owned()
        } else if ending.reason == Reason::Answered {
            self.unsurely(&ending.answer)
        } else {
            ending.answer
        };
        Ending { answer, ..ending }
    }

    fn repeats_a_note(&self, answer: &str) -> bool {
        let doubted = self.doubted.iter().map(String::as_str);
        let mut told = doubted.chain([CALLED_BEFORE]);
        let advice = ADVICE.iter().map(|(_, advice)| *advice);
        let mut notes = advice.chain([AFTER_FAILURE]).chain(self.flaw.as_deref());
        told.any(|told| echoes(answer, told, ECHO))
            || notes.any(|note| echoes(answer, note, NOTE_ECHO) || has_sentence_of(answer, note))
    }

    /// Collects the numbers of the question, the history, the persona, the surroundings and the observations.
    fn given_figures(&self) -> Known {
        let heard = &self.shared.heard;
        let observations = heard.observations();
        let seen = observations.iter().map(|seen| {
            let value = serde_json::from_str(seen);
            value.map_or_else(|_| seen.to_string(), |value| text(&value))
        });
        let seen: Vec<String> = seen.collect();
        let history = self.history.iter().map(|message| message.content.as_str());
        let given = [heard.said.as_str(), heard.persona.as_str()].into_iter();
        let texts = given.chain(history).chain(seen.iter().map(String::as_str));
        Known::of(texts, self.language).and_moment(&heard.surroundings, self.language)
    }

    fn claims_a_deed(&self, answer: &str) -> bool {
        let only_looked = self.is_small && !self.may_tell_again;
        if self.has_changed || self.has_called && !only_looked {
            return false;
        }
        let earlier = self.history.iter();
        let earlier = earlier.filter(|message| message.role == Role::Assistant);
        let earlier: Vec<String> = earlier.map(|message| message.content.to_lowercase()).collect();
        let is_told_again = |deed: &str| {
            let mut told = earlier.iter().flat_map(|answer| words(answer));
            self.may_tell_again && told.any(|word| word == deed)
        };
        let tells_states = !self.has_called && self.is_small && !self.tell_of_deeds(&earlier);
        let answer = answer.to_lowercase().replace('’', "'");
        sentences(&answer).any(|sentence| {
            deed_in(sentence, self.language).is_some_and(|deed| !is_told_again(deed))
                || tells_states && tells_a_state(sentence, self.language)
        })
    }

    fn tell_of_deeds(&self, answers: &[String]) -> bool {
        let mut said = answers.iter().flat_map(|answer| sentences(answer));
        said.any(|sentence| deed_in(sentence, self.language).is_some())
    }
}

impl Review {
    /// Gathers what an answer is held against before another call is made.
    pub(super) fn evidence(&self, resources: &Resources, ledger: &Ledger) -> Evidence {
        let language = spoken(resources.question.lang.as_deref());
        Evidence {
            stands: resources.stands,
            doubted: self.doubted.clone(),
            flaw: self.flaw.clone(),
            has_to_look: resources.has_to_look(),
            has_called: !resources.shared.call_ids.is_empty(),
            has_changed: resources.shared.has_changed(),
            asks: resources.asks_in_any_words(),
            may_tell_again: resources.may_ask(),
            has_found: ledger.has_found(),
            could_calculate: could_calculate(resources, language),
            is_small: resources.is_small(),
            language,
            history: resources.question.history.clone(),
            shared: Arc::clone(&resources.shared),
            given: OnceLock::new(),
        }
    }
}

/// Tells whether the question holds a number and a tool could calculate with it.
fn could_calculate(resources: &Resources, language: &Language) -> bool {
    let mut entries = resources.catalogue.entries().iter();
    entries.any(|entry| entry.tool.calculates) && !asked_figures(&resources.question, language).is_empty()
}

fn is_calculation(question: &Question) -> bool {
    let asked = asked_figures(question, spoken(question.lang.as_deref()));
    asked.len() > 1 || asked.iter().any(|figure| figure.is_percent)
}

fn asked_figures(question: &Question, language: &Language) -> Vec<Figure> {
    let mut asked = figures(&question.utterance, language);
    asked.retain(|figure| !figure.is_trivial());
    asked
}

/// Tells whether an answer has so many words in a row from what the brain was told.
fn echoes(answer: &str, told: &str, run: usize) -> bool {
    let [answer, told] = [answer, told].map(str::to_lowercase);
    let [answer, told]: [Vec<&str>; 2] = [words(&answer).collect(), words(&told).collect()];
    told.windows(run)
        .any(|words| answer.windows(run).any(|own| own == words))
}

/// Tells whether a sentence of an answer is one of a note, however short that is.
fn has_sentence_of(answer: &str, note: &str) -> bool {
    let is_of_note = |own: &str| sentences(note).any(|told| is_of_same_words(own, told));
    sentences(answer).any(|own| words(own).nth(1).is_some() && is_of_note(own))
}

/// Tells whether an answer is what the person said and nothing else. Greetings are answered with themselves.
fn says_the_same(answer: &str, said: &str) -> bool {
    words(said).count() >= ECHO && is_of_same_words(answer, said)
}

fn is_of_same_words(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(str::to_lowercase);
    words(&one).eq(words(&other))
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', '!', '?', ';', '\n'])
}

/// Tells whether a sentence says how something in the house is.
fn tells_a_state(sentence: &str, language: &Language) -> bool {
    let is_denied = words(sentence).any(|word| is_negation(word, language));
    let spaced = spaced(sentence);
    let mut states = language.deeds.states.iter();
    !is_denied && states.any(|state| spaced.contains(&format!(" {state} ")))
}

/// Writes the words of a sentence with a blank around each.
fn spaced(sentence: &str) -> String {
    format!(" {} ", words(sentence).collect::<Vec<_>>().join(" "))
}

/// Finds what a sentence says was done, or will be.
fn deed_in<'s>(sentence: &'s str, language: &Language) -> Option<&'s str> {
    if words(sentence).any(|word| is_negation(word, language)) {
        return None;
    }
    let deeds = &language.deeds;
    let done = behind(sentence, &deeds.openings, &deeds.done);
    let promised = || behind(sentence, &deeds.promises, &deeds.to_do);
    done.or_else(promised)
        .or_else(|| reported(sentence, &deeds.reports))
}

/// Finds the last word of the first of these reports that a sentence holds.
fn reported<'s>(sentence: &'s str, reports: &[String]) -> Option<&'s str> {
    let spaced = spaced(sentence);
    let report = reports
        .iter()
        .find(|report| spaced.contains(&format!(" {report} ")))?;
    let last = words(report).last()?;
    words(sentence).find(|word| *word == last)
}

/// Finds the first of these words behind the first of these openings.
fn behind<'s>(sentence: &'s str, openings: &[String], listed: &[String]) -> Option<&'s str> {
    let spaced = spaced(sentence);
    let found = openings
        .iter()
        .filter_map(|opening| spaced.find(&format!(" {opening} ")));
    let before = spaced.get(..found.min()?)?.split_whitespace().count();
    words(sentence)
        .skip(before)
        .find(|word| listed.iter().any(|one| one == word))
}

/// Knows a negation also in another form of the word, such as "keinen".
fn is_negation(word: &str, language: &Language) -> bool {
    let is_it = |known: &String| word == known || known.len() > 3 && word.starts_with(known.as_str());
    word.ends_with("n't") || language.words.negation.iter().any(is_it)
}

/// Cuts a text into words, with the apostrophes within them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let separate = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '·');
    separate.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_of_the_house_is_told_and_not_denied() {
        for (lang, sentence, expected) in [
            ("en-US", "the kitchen light is on", true),
            ("en-US", "i cannot tell whether the light is on", false),
            ("en-US", "light is faster than sound", false),
            ("de-DE", "das licht ist an", true),
            ("fr-FR", "la lumière est allumée", true),
            ("fr-FR", "la lumière n'est pas allumée", false),
            ("es-ES", "la luz está encendida", true),
        ] {
            let told = tells_a_state(sentence, spoken(Some(lang)));
            assert_eq!(told, expected, "{sentence}");
        }
    }

    #[test]
    fn a_deed_is_claimed_and_not_denied() {
        for (lang, sentence, expected) in [
            ("en-US", "i have set a timer for five minutes", true),
            ("en-US", "the light has been turned on", true),
            ("en-US", "i am called loquat", false),
            ("en-US", "i think that it was played in london", false),
            ("en-US", "i'm playing some music", true),
            ("en-US", "i cannot set a timer", false),
            ("en-US", "i have not set a timer", false),
            ("en-US", "i haven't set a timer", false),
            ("en-US", "i have three tools", false),
            ("en-US", "shakespeare wrote it and it was played in london", false),
            ("de-DE", "ich habe den wecker auf sieben uhr gestellt", true),
            ("de-DE", "ich habe keinen wecker gestellt", false),
            ("de-DE", "das kann ich leider nicht", false),
            ("fr-FR", "j'ai allumé la lumière", true),
            ("fr-FR", "je n'ai pas allumé la lumière", false),
            ("es-ES", "he puesto una alarma", true),
            ("it-IT", "ho impostato la sveglia", true),
            ("pt-PT", "liguei a luz", true),
            ("en-US", "i'll turn off the television", true),
            ("en-US", "i will remind you at seven", true),
            ("en-US", "i will tell you about it", false),
            ("en-US", "i cannot turn it off", false),
            ("de-DE", "ich werde das licht einschalten", true),
            ("de-DE", "ich werde nichts einschalten", false),
            ("fr-FR", "je vais éteindre la télévision", true),
            ("fr-FR", "je vais bien", false),
            ("es-ES", "voy a apagar la luz", true),
            ("nl-NL", "ik zal het licht aanzetten", true),
            ("tlh", "i have set it", true),
        ] {
            let claimed = deed_in(sentence, spoken(Some(lang))).is_some();
            assert_eq!(claimed, expected, "{sentence}");
        }
    }
}
