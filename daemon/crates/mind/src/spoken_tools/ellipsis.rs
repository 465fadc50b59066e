//! The second sentence: words that mean something only behind what was understood last. "And in London?", "no, the blue one",
//! "again", "turn it off".
//!
//! The words that were said take the place of those gaps of the last sentence that they can fill. All of them are used up; where
//! two gaps could be meant, or none, nothing is understood. A sentence that is understood by itself goes before. Nothing here
//! runs a tool.

mod counted;
mod filling;
mod further;
mod recast;
mod rewording;
mod several;
mod works;

use std::borrow::Cow;
use std::sync::Arc;

use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::manifest::Recognised;
use loquat_orchestrator::search::ToolIntents;
use loquat_phrases::Phrases;
use loquat_phrases::following::{GoesOn, Move};
use loquat_sentences::words::{Word, without_elisions, words_and_figures};
use loquat_skills::{Intents, Pronoun, alerts, home, lists};
use serde_json::Map;

use self::filling::{Filling, Known, Unclear, is_named_alone, of_one};
use self::several::MAKING;
use super::denied::NEGATABLE;
use super::last_said::{LastSaid, Own};
use super::{SpokenTools, Wanted, Wish};

/// The intent of a sentence that has none of ours.
const AGAIN: &str = "again";

/// Gaps for places that are named alone.
const BARE_PLACES: [&str; 2] = ["area", "place"];

/// The gap, and the arguments, for what a pronoun may stand for. A sentence about things of one kind has it though it names none.
const THING: &str = "thing";
const NAMING: [&str; 2] = [THING, "kind"];

/// The gaps that name a thing, and the end of the name of an intent in which a pronoun stands for them.
const NAMED: [&str; 2] = [THING, "area"];
const OF_PRONOUN: &str = "_it";

/// More words alone go on with nothing.
const MOST_BARE: usize = 6;

/// Longer texts are no ellipses.
const MOST_WORDS: usize = 12;

/// The sentences in a conversation, in which something was understood before.
#[derive(Debug, Clone)]
pub struct InConversation {
    pub(super) spoken: Arc<SpokenTools>,
    last: Option<Arc<LastSaid>>,
    /// What was answered last, by whatever.
    answer: Option<Arc<str>>,
}

/// What a text is in a conversation.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// A sentence that is understood by itself.
    Alone(Wish),
    /// One that goes on with the last.
    GoesOn(Wanted),
    Nothing,
}

impl InConversation {
    /// These sentences, behind this one.
    pub(super) fn new(spoken: Arc<SpokenTools>, last: Option<Arc<LastSaid>>) -> Self {
        let answer = last.as_ref().and_then(|last| last.answer.clone());
        let last = last.map(|last| spoken.as_asked(last));
        Self { spoken, last, answer }
    }

    /// These behind what was answered last to the same speaker where no sentence of ours was understood, as by a brain.
    #[must_use]
    pub fn answered(self, answer: Option<Arc<str>>) -> Self {
        let answer = self.answer.or(answer);
        Self { answer, ..self }
    }

    /// The call that a text asks for which was recognised as this intent.
    pub fn call(&self, intent: &str, text: &str, lang: &str) -> Option<Wanted> {
        match self.goes_on(text, lang) {
            Some(wanted) => Some(wanted),
            None => self.spoken.call(intent, &self.as_order(text, lang), lang),
        }
    }

    /// The text without the sounds of thinking, and as an order where it asks for a deed in a question with another form of the verb.
    fn as_order<'t>(&self, text: &'t str, lang: &str) -> Cow<'t, str> {
        let Some(phrases) = Phrases::known(lang) else {
            return Cow::Borrowed(text);
        };
        let fluent = phrases.asides.without_hesitations(text);
        let said = fluent.map_or(Cow::Borrowed(text), Cow::Owned);
        let is_first = self.last_in(lang).is_none();
        phrases.plain_order(&said, is_first).map_or(said, Cow::Owned)
    }

    /// The call of a text that goes on with what was understood last.
    pub fn goes_on(&self, text: &str, lang: &str) -> Option<Wanted> {
        self.last.as_ref()?;
        match self.meaning(text, lang) {
            Meaning::GoesOn(wanted) => Some(wanted),
            Meaning::Alone(_) | Meaning::Nothing => None,
        }
    }

    /// The call of a text that names what was spoken of last by a pronoun.
    pub fn means_last(&self, text: &str, lang: &str) -> Option<Wanted> {
        let last = self.last_in(lang)?;
        let found = self.spoken.with_pronoun(text, lang, last)?;
        self.spoken.about_last(found, lang, last)
    }

    pub(super) fn last_in(&self, lang: &str) -> Option<&LastSaid> {
        self.last.as_deref().filter(|last| last.is_spoken_in(lang))
    }

    fn meaning(&self, text: &str, lang: &str) -> Meaning {
        let look_up = || self.looked_up(&self.as_order(text, lang), lang);
        match self.last_in(lang) {
            Some(last) => last.answered(text, lang, look_up),
            None => look_up(),
        }
    }

    /// A pronoun means what was spoken of last rather than what a sentence of another skill, or one with more free words, takes it
    /// for. Where it can mean nothing of that, it means no other thing either.
    fn looked_up(&self, text: &str, lang: &str) -> Meaning {
        let spoken = &self.spoken;
        let alone = spoken.understood(text, lang).into_iter().next();
        let Some(last) = self.last_in(lang) else {
            let alone = alone.or_else(|| spoken.joined_on(text, lang));
            return alone.map_or(Meaning::Nothing, Meaning::Alone);
        };
        let has_pronoun = |wish: &Wish| spoken.pronouns.contains_key(&wish.found.intent_name);
        let is_elsewhere = |wish: &Wish| {
            let call = spoken.called(wish, lang);
            call.is_none_or(|call| call.toolbox_id != last.call.toolbox_id)
        };
        if SpokenTools::is_of_several(text, lang)
            && let Some(wanted) = spoken.of_several(text, lang, last)
        {
            return Meaning::GoesOn(wanted);
        }
        if let Some(wanted) = spoken.of_the_same(text, lang, last) {
            return Meaning::GoesOn(wanted);
        }
        if let Some(found) = spoken.with_pronoun(text, lang, last) {
            // What is said of a home and names nothing of it goes on with what was spoken of: "warmer".
            let is_open = |wish: &Wish| {
                last.call.toolbox_id == home::ID
                    && wish.found.slots.is_empty()
                    && wish.found.score <= found.score
            };
            let goes_before = |wish: &Wish| {
                has_pronoun(wish) || is_elsewhere(wish) || is_open(wish) || wish.found.score < found.score
            };
            if alone.as_ref().is_none_or(goes_before)
                && let Some(wanted) = spoken.about_last(found, lang, last)
            {
                return Meaning::GoesOn(wanted);
            }
        }
        let (with_pronoun, alone): (Vec<Wish>, Vec<Wish>) = alone.into_iter().partition(has_pronoun);
        if let Some(wish) = alone.into_iter().next() {
            let of_last = spoken.of_last_list(&wish.found, lang, last);
            return of_last.map_or(Meaning::Alone(wish), Meaning::GoesOn);
        }
        let deed = spoken.deed_behind(last, text, lang);
        for last in std::iter::once(last).chain(deed) {
            let found = SpokenTools::further(text, lang, last);
            let found = found.or_else(|| spoken.asked_besides(text, lang, last));
            let found = found.or_else(|| spoken.ellipsis(text, lang, last));
            let found = found.or_else(|| spoken.recast(text, lang, last));
            let found = found.or_else(|| spoken.reworded(text, lang, last));
            if let Some(wanted) = found.or_else(|| spoken.counted(text, lang, last)) {
                return Meaning::GoesOn(wanted);
            }
        }
        let has_object = spoken
            .intents
            .object(&last.call)
            .is_some_and(|object| !object.is_empty());
        if let Some(rest) = spoken.but_for_asides(text, lang)
            && let goes_on @ Meaning::GoesOn(_) = self.looked_up(&rest, lang)
        {
            return goes_on;
        }
        if let Some(rest) = behind_no(text, lang)
            && let Some(found) = spoken.with_pronoun(&rest, lang, last)
            && let Some(wanted) = spoken.about_last(found, lang, last)
        {
            return Meaning::GoesOn(wanted);
        }
        let left = with_pronoun.into_iter().find(|_| !has_object);
        let left = left.or_else(|| spoken.joined_on(text, lang));
        left.map_or(Meaning::Nothing, Meaning::Alone)
    }
}

impl SpokenTools {
    /// A sentence in which a pronoun may stand for what was spoken of last.
    fn with_pronoun(&self, text: &str, lang: &str, last: &LastSaid) -> Option<Recognised> {
        let is_meant = |intent: &str| {
            self.pronouns.contains_key(intent)
                && self.intents.toolbox_of(intent) == Some(last.call.toolbox_id.as_str())
                && self.intents.goes_on_with(intent, &last.call.tool)
        };
        let found = self.among(text, lang, &is_meant);
        found.or_else(|| {
            let said = words_and_figures(text);
            let behind = joined(Phrases::known(lang)?.asides.behind_join(&said)?);
            let is_whole = !self.understood_together(&behind, lang).is_empty();
            self.among(&behind, lang, &is_meant).filter(|_| !is_whole)
        })
    }

    /// What the same toolbox did before a question. Who has heard what is on a list and names more of it wants it there, also where
    /// something was taken off before.
    fn deed_behind<'l>(&self, last: &'l LastSaid, text: &str, lang: &str) -> Option<&'l LastSaid> {
        let deed = last.deed.as_deref().filter(|deed| deed.is_fresh())?;
        let said = words_and_figures(text);
        let ways = Phrases::known(lang)?.following.read(&said);
        let is_more = ways.iter().any(|way| way.how.makes_more());
        if self.asks_for(deed, lists::REMOVE) && is_more {
            return last.chain().find(|said| self.asks_for(said, lists::ADD));
        }
        Some(deed)
    }

    /// Whether a sentence asked for this tool of the lists, wherever they are kept.
    fn asks_for(&self, said: &LastSaid, tool: &str) -> bool {
        let own = said.own.as_ref();
        own.and_then(|own| self.intents.tool(&own.intent)) == Some((lists::ID, tool))
    }

    /// The call of such a sentence.
    fn about_last(&self, found: Recognised, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let own = Own {
            carried: self.intents.object(&last.call)?,
            base: last.base(),
            ..Own::of(found)
        };
        let is_meant = self.is_of_its_kind(&own, lang);
        let call = self.made(&own, lang).filter(|_| is_meant)?;
        Some(Wanted::going_on(own, call))
    }

    /// Whether the thing that is meant is one that the sentence is about, where that is about one kind: a lamp runs no slower.
    fn is_of_its_kind(&self, own: &Own, lang: &str) -> bool {
        let is_named = own.slots.iter().any(|(slot, _)| slot == THING);
        if is_named || !self.intents.has_slot(&own.intent, THING) {
            return true;
        }
        let mut named = NAMING.iter().filter_map(|name| own.carried.get(*name)?.as_str());
        let takes = |named: &str| self.intents.takes(&own.intent, lang, THING, named);
        named.next().is_some_and(takes)
    }

    /// The call of a sentence about "the list", which is the one that was spoken of last.
    fn of_last_list(&self, found: &Recognised, lang: &str, last: &LastSaid) -> Option<Wanted> {
        if last.call.toolbox_id != lists::ID || self.intents.toolbox_of(&found.intent_name) != Some(lists::ID)
        {
            return None;
        }
        let list = last.call.arguments.get("list")?.as_str()?;
        let mut own = Own::of(found.clone());
        let mut slots = own.slots.iter_mut().filter(|(slot, _)| slot == "list");
        let (_, said) = slots.find(|(_, said)| lists::is_unnamed(said, self.locales(), lang))?;
        list.clone_into(said);
        let call = self.made(&own, lang)?;
        Some(Wanted::going_on(own, call))
    }

    /// The call that such a sentence asks for.
    fn made(&self, own: &Own, lang: &str) -> Option<IntendedCall> {
        self.where_it_is_kept(self.as_said(own, lang)?, lang)
    }

    /// The call, wherever that is kept which it is about.
    pub(super) fn as_said(&self, own: &Own, lang: &str) -> Option<IntendedCall> {
        let slots = own
            .slots
            .iter()
            .map(|(slot, said)| (slot.as_str(), said.as_str()));
        let mut call = self.intents.call(&own.intent, lang, slots)?;
        // What is said of the thing goes before what is known of it: "the other one".
        let is_said = |argument: &str| {
            let mut gaps = self.intents.gaps(&own.intent);
            gaps.any(|(slot, becomes)| becomes == argument && own.slots.iter().any(|(said, _)| said == slot))
        };
        let carried = own.carried.iter().filter(|(argument, _)| !is_said(argument));
        call.arguments
            .extend(carried.map(|(argument, value)| (argument.clone(), value.clone())));
        Some(call)
    }

    /// The call of words that go on with what was understood last.
    fn ellipsis(&self, text: &str, lang: &str, last: &LastSaid) -> Option<Wanted> {
        let phrases = Phrases::known(lang)?;
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS || phrases.orders.is_dismissal(text) {
            return None;
        }
        // What was answered is said again as it was: a second throw of the dice is another.
        if asks_again(text, lang) {
            let is_asked_anew = last.answer.is_none() && !self.acts(last.call.clone());
            return is_asked_anew.then(|| self.again(last)).flatten();
        }
        let core = phrases.orders.core_of(&said);
        let is_question = text.trim_end().ends_with(['?', '？']);
        // What is said for politeness may be a part of the length behind a comma: "mezza ora".
        let has_comma = core.len() > 2 && core.iter().any(|word| word.said.ends_with(','));
        let whole = (has_comma && core.len() < said.len()).then(|| said.clone());
        let texts = std::iter::once(core.to_vec()).chain(without_elisions(core));
        let full = phrases.asides.in_full(&joined(core));
        let full = (full.len() > core.len()).then_some(full);
        // Behind "oh" a word has to tell how it goes on: what is left alone may be the beginning of any remark.
        let behind = phrases.following.behind_fillers(core).map(<[Word]>::to_vec);
        let texts = texts.chain(whole).chain(full).map(|said| (said, true));
        for (said, may_be_bare) in texts.chain(behind.map(|said| (said, false))) {
            let may_be_bare = may_be_bare && said.len() <= MOST_BARE && !phrases.following.are_idle(&said);
            let bare = may_be_bare.then(|| GoesOn {
                how: Move::Bare,
                rest: joined(&said),
                old: None,
            });
            for way in phrases.following.read(&said).into_iter().chain(bare) {
                let found = self.gone_on(&way, &said, last, lang, is_question);
                if let Some(wanted) = found.ok()? {
                    return Some(wanted);
                }
            }
        }
        None
    }

    /// What comes of one way to go on: nothing where it brings nothing that fits.
    fn gone_on(
        &self,
        way: &GoesOn,
        said: &[Word],
        last: &LastSaid,
        lang: &str,
        is_question: bool,
    ) -> Result<Option<Wanted>, Unclear> {
        let following = &Phrases::known(lang).ok_or(Unclear)?.following;
        if way.how == Move::Again {
            return Ok(self.again(last));
        }
        let acts = self.acts(last.call.clone());
        let is_meant = match way.how {
            Move::Asks => !acts,
            // What is enough or will do is a time.
            Move::Settles => acts && last.call.toolbox_id == alerts::ID,
            Move::Retells => false,
            _ => true,
        };
        let Some(own) = last.own.as_ref().filter(|_| is_meant) else {
            return Ok(None);
        };
        let filling = Filling {
            spoken: self,
            following,
            last,
            lang,
            way,
            said,
            takes_free_words: match way.how {
                Move::Insists | Move::Contrasts => true,
                Move::More | Move::Same => !acts || !is_question,
                Move::Asks => !acts,
                Move::Corrects | Move::Settles | Move::Again | Move::Retells | Move::Bare => false,
            },
            acts,
            known: Known::default(),
        };
        // One more of the thing that was made, where it was changed meanwhile.
        let base = own.base.as_deref().filter(|base| {
            let call = self.made(base, lang).filter(|_| way.how.makes_more());
            call.is_some_and(|call| acts && self.acts(call))
        });
        let named = way.how.insists().then(|| self.with_name(own)).flatten();
        let filled = match (filling.filled(own)?, base.or(named.as_ref())) {
            (None, Some(base)) => filling.filled(base)?,
            (filled, _) => filled,
        };
        let filled = filled.filter(|new| way.how != Move::Bare || is_bare_meant(new, own, acts));
        // What is set beside another rings at a time of its own.
        let filled = filled.filter(|new| way.how != Move::More || !self.lacks_own_time(new, own));
        let is_one = way.how.makes_more() && following.is_single(said);
        let filled = filled.map(|new| if is_one { of_one(new, own) } else { new });
        let done = filled.map(|own| self.done_instead(way.how, own, last, acts, lang));
        done.map(|done| done.ok_or(Unclear)).transpose()
    }

    /// The sentence that names the thing for which a pronoun stood: "make it brighter" with the lamp in its place.
    fn with_name(&self, own: &Own) -> Option<Own> {
        let intent = own.intent.strip_suffix(OF_PRONOUN)?;
        let carried = |name: &&str| {
            let said = own.carried.get(*name)?.as_str()?;
            Some(((*name).to_owned(), said.to_owned()))
        };
        let named = NAMED
            .iter()
            .filter(|slot| self.intents.has_slot(intent, slot))
            .filter_map(carried);
        let slots: Vec<(String, String)> = own.slots.iter().cloned().chain(named).collect();
        let is_named = slots.iter().any(|(slot, _)| slot == THING);
        is_named.then(|| Own {
            intent: intent.to_owned(),
            slots,
            carried: Map::new(),
            base: None,
        })
    }

    /// Whether a new thing has but another name than the one before.
    fn lacks_own_time(&self, new: &Own, last: &Own) -> bool {
        let tool = self.intents.tool(&new.intent).map(|(_, tool)| tool);
        let is_made = tool.is_some_and(|tool| MAKING.contains(&tool));
        is_made && is_named_alone(new, last.first())
    }

    /// What was done or asked last, once more. What cannot be taken back is done only after a yes.
    fn again(&self, last: &LastSaid) -> Option<Wanted> {
        let object = self.intents.object(&last.call);
        let is_of_device = object.as_ref().is_some_and(Map::is_empty);
        let call = IntendedCall {
            is_guess: self.acts(last.call.clone()) && !is_of_device,
            ..last.call.clone()
        };
        let call = self.where_it_is_kept(call, &last.lang)?;
        Some(Wanted::recalled(last.own.clone(), call))
    }

    /// The call of the sentence as it is now, behind the one that takes back what was done before, where that was not meant. What
    /// cannot be taken back is asked about, unless the same thing is only set anew. A thing of a home that is set anew need not be
    /// what it was before in between.
    fn done_instead(&self, how: Move, own: Own, last: &LastSaid, acts: bool, lang: &str) -> Option<Wanted> {
        let call = self.made(&own, lang)?;
        if self.intents.answer_to(&own.intent, &call).is_some() {
            return None;
        }
        // Nothing is taken back for what has to be asked about first.
        if how.takes_back() && alerts::lacks_hour(&call, lang) {
            return None;
        }
        if !how.takes_back() || !acts {
            return Some(Wanted::going_on(own, call));
        }
        // Of the sentence as ours: the community's call names the same thing in other words.
        let before = last.own.as_ref().and_then(|own| self.made(own, lang));
        let object = self.intents.object(&call);
        let is_set_anew = object.is_some() && object == before.and_then(|call| self.intents.object(&call));
        let is_overwritten = is_set_anew && call.toolbox_id == home::ID;
        let call = match last.undo.as_ref().filter(|_| !is_overwritten) {
            Some(undo) => IntendedCall::together([undo.call.clone(), call])?,
            None => IntendedCall {
                is_guess: !is_set_anew,
                ..call
            },
        };
        Some(Wanted::going_on(own, call))
    }
}

impl Wanted {
    fn going_on(own: Own, call: IntendedCall) -> Self {
        Self::recalled(Some(own), call)
    }

    fn recalled(own: Option<Own>, call: IntendedCall) -> Self {
        let intent = own.as_ref().map(|own| own.intent.clone());
        Self {
            intent: intent.unwrap_or_else(|| AGAIN.to_owned()),
            call,
            readings: Vec::new(),
            own,
            several: None,
        }
    }

    /// The one call that was made for its own sake; nothing where several were, or none that was surely meant.
    pub(super) fn done(&self) -> Option<&IntendedCall> {
        let mut calls = self.call.all().filter(|call| !call.undoes);
        // A list of the home takes one thing at a time, whatever was named in one sentence.
        let call = calls.next()?;
        let is_of_list = call.tool == home::CHANGE_LIST && self.own.is_some();
        let is_one = calls.all(|other| is_of_list && other.tool == call.tool);
        let call = Some(call).filter(|_| is_one)?;
        (!call.is_guess || self.own.is_some()).then_some(call)
    }
}

impl ToolIntents for InConversation {
    fn recognise(&self, text: &str, lang: &str) -> Option<Recognised> {
        match self.meaning(text, lang) {
            Meaning::Alone(wish) => Some(wish.found),
            Meaning::GoesOn(wanted) => Some(Recognised {
                skill_id: SKILL_ID.to_owned(),
                intent_name: wanted.intent.clone(),
                slots: wanted.own.map(|own| own.slots).unwrap_or_default(),
                score: 1.0,
            }),
            Meaning::Nothing => None,
        }
    }

    /// What a pronoun is said of is no other thing: "restart it" behind a timer is nearly what restarts the device.
    fn guess(&self, text: &str, lang: &str) -> Option<Recognised> {
        let text = &*self.as_order(text, lang);
        let found = self.spoken.guess(text, lang)?;
        let is_of_last = |last: &LastSaid| {
            let toolbox = self.spoken.intents.toolbox_of(&found.intent_name);
            toolbox == Some(last.call.toolbox_id.as_str()) || !ends_in_pronoun(text, lang)
        };
        self.last_in(lang).is_none_or(is_of_last).then_some(found)
    }

    fn toolboxes(&self, text: &str, lang: &str) -> Vec<String> {
        match self.goes_on(text, lang) {
            Some(wanted) => wanted.call.all().map(|call| call.toolbox_id.clone()).collect(),
            None => self.spoken.toolboxes(&self.as_order(text, lang), lang),
        }
    }

    fn refrains(&self, text: &str, lang: &str) -> Option<String> {
        let order = self.as_order(text, lang);
        let recited = self.last_in(lang).and_then(|last| recited(text, lang, last));
        let retold = || self.answer.as_deref().filter(|_| asks_again(&order, lang));
        let told = recited.or_else(|| retold().map(str::to_owned));
        told.or_else(|| self.spoken.refrains(&order, lang))
    }

    fn is_dismissal(&self, text: &str, lang: &str) -> bool {
        self.spoken.is_dismissal(text, lang)
    }
}

/// Whether words alone may be meant for what they changed in a sentence: a time where something is done, a time or a place where
/// something is asked.
fn is_bare_meant(new: &Own, old: &Own, acts: bool) -> bool {
    let mut changed = new.slots.iter().filter(|slot| !old.slots.contains(slot));
    changed.all(|(slot, _)| {
        let is_time = Intents::holds_time(slot) && slot != "duration" && slot != "length";
        is_time || !acts && BARE_PLACES.contains(&slot.as_str())
    })
}

/// What stands behind a no and its comma: "no, not that bright". Without the comma it may be a part of what is said.
fn behind_no(text: &str, lang: &str) -> Option<String> {
    let said = words_and_figures(text);
    let (first, rest) = said.split_first()?;
    let is_no = Phrases::known(lang)?.negations.contains(&first.plain) && first.said.ends_with(',');
    is_no.then(|| joined(rest))
}

/// Whether a text ends in a word for what was spoken of.
fn ends_in_pronoun(text: &str, lang: &str) -> bool {
    let said = words_and_figures(text);
    let phrases = Phrases::known(lang);
    phrases.is_some_and(|phrases| phrases.following.ends_in_pronoun(phrases.orders.core_of(&said)))
}

/// Whether a sentence means nothing without what was said before it.
pub(super) fn needs_last(pronoun: Option<Pronoun>) -> bool {
    pronoun == Some(Pronoun::Last)
}

/// Whether a text asks for the answer once more. What is left of a longer one without courtesies may be no question: "tell me what".
fn asks_again(text: &str, lang: &str) -> bool {
    let said = words_and_figures(text);
    let Some(phrases) = Phrases::known(lang).filter(|_| said.len() <= MOST_WORDS) else {
        return false;
    };
    let core = phrases.orders.core_of(&said);
    phrases.following.retells(&said) || core.len() > 1 && phrases.following.retells(core)
}

/// What the person has said, where that is asked.
fn recited(text: &str, lang: &str, last: &LastSaid) -> Option<String> {
    let phrases = Phrases::known(lang)?;
    let said = words_and_figures(text);
    let asks = said.len() <= MOST_WORDS && phrases.following.recites(phrases.orders.core_of(&said));
    let words = last.heard.as_ref().unwrap_or(&last.text);
    asks.then(|| phrases.recited.replace("{text}", words.trim()))
}

/// Words as a text.
fn joined(words: &[Word]) -> String {
    let said: Vec<&str> = words.iter().map(|word| word.said.as_str()).collect();
    said.join(" ").trim_end_matches(',').to_owned()
}
