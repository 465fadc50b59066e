//! The sentences that our own tools understand: compared with what was said, listed for other programs, and turned into
//! the call that they ask for.
//!
//! Those of the community's pack come first where all of their words are known, then ours, then those of the pack that have
//! room for any words. Solo they are compared here, after those of other skills; beside ovos-core ours are registered with it
//! where the settings say so. Nothing here runs a tool.

mod asides;
mod bare_level;
mod beside;
mod community;
mod current;
mod deferred;
mod denied;
mod ellipsis;
mod foresight;
mod home_lists;
mod kept;
mod kinds;
mod lacking;
mod last_said;
mod nearly;
mod ordered;
mod readings;
mod restated;
mod routines;
mod sayings;
mod spared;
mod topic;
mod triggered;
mod ways;
mod years;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use loquat_agent::turn::IntendedCall;
use loquat_failure::with_causes;
use loquat_models::Pack;
use loquat_orchestrator::commands::{self, Offered};
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::manifest::{IntentKey, Recognised};
use loquat_orchestrator::registration::spelled;
use loquat_orchestrator::search::ToolIntents;
use loquat_phrases::Phrases;
use loquat_phrases::following::Several;
use loquat_sentences::words::{Word, without_elisions, words_and_figures};
use loquat_sentences::{Compounds, Fit, Fitting, Language, Source, Spelling, Template, Utterance};
use loquat_settings::complaint::{Complaint, Origin};
use loquat_skills::home::HomeAssistant;
use loquat_skills::locale::{Line, LocaleError};
use loquat_skills::{Intents, Locales, Pronoun, Standing, Things, alerts};
use loquat_speech::{Completeness, is_number};
use loquat_wire::session::DEFAULT_SESSION_ID;
use serde_json::Value;

use self::community::{Community, Known, Words};
use self::ellipsis::needs_last;
use self::kept::Kept;
use self::last_said::Own;
use self::nearly::Guesses;
use self::readings::Reading;
use self::ways::Ways;
use crate::settings::{SentenceSettings, Sentences};

pub use self::current::CurrentSentences;
pub use self::ellipsis::InConversation;
pub use self::foresight::Foresight;
pub use self::last_said::LastSaid;
pub use self::restated::SentencesOfTurn;
pub use self::sayings::{Saying, Writer};

/// A person says no longer sentence to a tool.
const MOST_WORDS: usize = 40;

/// A sentence asks for no more than so many things.
const MOST_WISHES: usize = 4;

/// Words with more of them are no list of wishes. Each is a place at which all sentences are compared.
const MOST_CONJUNCTIONS: usize = 8;

/// Steps that all comparisons of one text may take together.
const MOST_STEPS: u32 = 100_000;

/// The names of the pack's intents begin so. Ours begin with the folder of their skill.
const OF_PACK: &str = "pack.";

/// Fits no gap but one that takes any words.
const NO_WORD: &str = "xyzzy";

/// The sentences of all tools.
#[derive(Debug)]
pub struct SpokenTools {
    intents: Intents,
    understood: Vec<Understood>,
    /// What is understood, by the primary subtag of its language, compiled when it is first spoken.
    languages: BTreeMap<String, OnceLock<Language>>,
    /// The words that consist of others, by the primary subtag of their language.
    compounds: BTreeMap<String, Compounds>,
    /// The intents that mean nothing by themselves: they answer a question, name by a pronoun what was said before, say what
    /// is waited for, go on with an order in front of them, or are statements unless they are put as questions.
    dependent: BTreeSet<String>,
    /// The intents that say what is waited for.
    awaited: BTreeSet<String>,
    /// The intents that are meant only where what was said is put as a question.
    asked: BTreeSet<String>,
    /// The intents that are meant only behind another order for their toolbox.
    further: BTreeSet<String>,
    /// The intents that name something by a pronoun.
    pronouns: BTreeMap<String, Pronoun>,
    when: Sentences,
    /// The sentences of the pack, where there is one.
    community: Option<Community>,
    /// What was nearly understood last.
    guesses: Guesses,
    /// The sentences by the tools that they ask for, in the languages that were spoken.
    ways: Kept<Ways>,
    /// The tools that change something, by toolbox and name.
    acting: OnceLock<BTreeSet<(String, String)>>,
}

/// What a sentence, or a part of it, asks for.
#[derive(Debug, Clone)]
struct Wish {
    found: Recognised,
    /// Of a sentence of the pack; that of ours is made of what was found.
    call: Option<IntendedCall>,
}

/// An intent in one language.
#[derive(Debug)]
struct Understood {
    name: String,
    /// Lower-case BCP-47.
    lang: String,
    samples: Vec<String>,
    /// Where it means something.
    standing: Standing,
    /// What it names by a pronoun.
    pronoun: Option<Pronoun>,
}

/// A call that an utterance asks for, and the intent that understood it.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    intent: String,
    /// The call.
    pub call: IntendedCall,
    /// All that the sentence may mean, where it is not one thing.
    readings: Vec<Reading>,
    /// As a sentence of ours, which what is said next may go on with.
    own: Option<Own>,
    /// How many of what was spoken of it is about, where it is not one.
    several: Option<Several>,
}

impl Wanted {
    /// A call that takes an earlier one back.
    pub fn undoing(call: IntendedCall) -> Self {
        let intent = commands::UNDO.to_owned();
        Self {
            intent,
            call,
            readings: Vec::new(),
            own: None,
            several: None,
        }
    }
}

impl SpokenTools {
    /// The sentences of the skills, with those of the machine and of the person, in `sentences` beside `loquat.toml`, in
    /// their place. What is wrong with these comes along; it is left out. So are the sentences about a home and about
    /// services where there are none.
    pub fn load(settings: SentenceSettings<'_>, home: Option<Arc<HomeAssistant>>) -> (Self, Vec<Complaint>) {
        let folders = [
            Some(&settings.folders.system_config),
            settings.folders.config.as_ref(),
        ];
        let mut errors = Vec::new();
        let mut locales = loquat_skills::locales();
        for folder in folders.into_iter().flatten() {
            let (with_folder, own) = locales.with_folder(folder);
            locales = with_folder;
            errors.extend(own);
        }
        let mut intents = loquat_skills::intents(Arc::new(locales)).with_home(home);
        if !settings.has_services {
            intents = intents.without(loquat_skills::services::ID);
        }
        let (spoken, wrong) = Self::new(intents, settings.when);
        let complaint =
            |error: LocaleError| Complaint::warning(Origin::file(error.file()), with_causes(&error));
        (spoken, errors.into_iter().chain(wrong).map(complaint).collect())
    }

    fn new(intents: Intents, when: Sentences) -> (Self, Vec<LocaleError>) {
        let mut errors = intents.mistakes();
        let mut understood = Vec::new();
        if when != Sentences::Never {
            for sentences in intents.sentences() {
                let mut known = Understood {
                    name: sentences.name,
                    lang: sentences.lang.to_owned(),
                    samples: Vec::new(),
                    standing: sentences.standing,
                    pronoun: sentences.pronoun,
                };
                for line in sentences.lines {
                    match known.check(line, &intents) {
                        Ok(()) => known.samples.push(line.text.clone()),
                        Err(error) => errors.push(error),
                    }
                }
                understood.push(known);
            }
        }
        let dependent = understood.iter().filter(|intent| intent.is_dependent());
        let of = |standing: Standing| -> BTreeSet<String> {
            let intents = understood.iter().filter(|intent| intent.standing == standing);
            intents.map(|intent| intent.name.clone()).collect()
        };
        let (awaited, asked, further) = (
            of(Standing::Awaited),
            of(Standing::Question),
            of(Standing::Further),
        );
        let pronouns = understood.iter();
        let pronouns = pronouns.filter_map(|intent| Some((intent.name.clone(), intent.pronoun?)));
        let languages: BTreeSet<String> = understood.iter().map(|intent| primary(&intent.lang)).collect();
        let compounds = languages
            .iter()
            .map(|lang| (lang.clone(), compounds(&intents, lang)));
        let spoken = Self {
            compounds: compounds.collect(),
            languages: languages
                .into_iter()
                .map(|lang| (lang, OnceLock::new()))
                .collect(),
            intents,
            dependent: dependent.map(|intent| intent.name.clone()).collect(),
            awaited,
            asked,
            further,
            pronouns: pronouns.collect(),
            understood,
            when,
            community: None,
            guesses: Guesses::default(),
            ways: Kept::default(),
            acting: OnceLock::new(),
        };
        (spoken, errors)
    }

    /// With the sentences of the pack, in the languages that the settings name and in those that are spoken later.
    #[must_use]
    pub fn with_pack(
        self,
        pack: Option<Pack>,
        settings: SentenceSettings<'_>,
        home: Option<Arc<HomeAssistant>>,
    ) -> Self {
        let is_used = self.when != Sentences::Never;
        let spoken = settings.mycroft;
        let langs = std::iter::once(&spoken.lang).chain(&spoken.secondary_langs);
        for lang in langs.clone() {
            self.language(lang);
        }
        let community = pack
            .filter(|_| is_used)
            .map(|pack| Community::new(pack, home, langs.map(String::as_str)));
        Self { community, ..self }
    }

    /// What the device keeps or reaches, whose names sentences may hold.
    pub fn things(&self) -> &Things {
        self.intents.things()
    }

    /// The files, for what tools say.
    pub fn locales(&self) -> &Arc<Locales> {
        self.intents.locales()
    }

    /// The intents as other programs are shown them (INTENT-4 §10), those of a language or of a skill where one is named.
    pub fn listing(&self, lang: Option<&str>, skill_id: Option<&str>) -> Vec<Value> {
        let keys = self.shown().map(Understood::key);
        keys.filter(|key| key.is_asked_for(lang, skill_id))
            .map(|key| key.listed("template", true))
            .collect()
    }

    /// One intent as other programs are shown it, once for each language.
    pub fn description(&self, skill_id: &str, intent_name: &str) -> Vec<Value> {
        let asked = |intent: &&Understood| skill_id == SKILL_ID && intent.name == intent_name;
        self.shown()
            .filter(asked)
            .map(|intent| intent.key().described(Some(&intent.samples), true))
            .collect()
    }

    /// All but those that mean nothing by themselves.
    fn shown(&self) -> impl Iterator<Item = &Understood> {
        self.understood.iter().filter(|intent| !intent.is_dependent())
    }

    /// The sentences of a language, compiled.
    fn language(&self, lang: &str) -> Option<&Language> {
        let lang = primary(lang);
        let place = self.languages.get(&lang)?;
        Some(place.get_or_init(|| compiled(&self.understood, &lang)))
    }

    /// The names of the intents.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.understood.iter().map(|intent| intent.name.as_str())
    }

    /// What is registered with an ovos-core in these languages.
    pub fn offered<'a>(&'a self, langs: &'a [&'a str]) -> impl Iterator<Item = Offered<'a>> {
        let is_offered = self.when == Sentences::Always;
        let all = langs.iter().filter(move |_| is_offered);
        all.flat_map(|lang| {
            let of_language = self.shown().filter(|intent| intent.is_spoken_in(lang));
            of_language.map(|intent| Offered {
                lang,
                intent: &intent.name,
                samples: &intent.samples,
            })
        })
    }

    /// The call that an utterance asks for which was recognised as this intent, perhaps by an ovos-core.
    pub fn call(&self, intent: &str, text: &str, lang: &str) -> Option<Wanted> {
        let is_kept = [deferred::INTENT, triggered::INTENT, routines::INTENT].contains(&intent);
        let is_known = is_kept || self.names().any(|name| name == intent);
        if !intent.starts_with(OF_PACK) && !is_known {
            return None;
        }
        let text = &*self.without_asides(text, lang);
        let wishes = self.recognised(text, lang);
        let calls: Option<Vec<_>> = wishes.iter().map(|wish| self.called(wish, lang)).collect();
        let call = IntendedCall::together(calls?)?;
        let is_one = !call.is_guess && (call.further.is_empty() || home_lists::is_of_one(&call, &wishes));
        let first = wishes.into_iter().next()?;
        let readings = is_one.then(|| self.readings(&first, text, lang));
        Some(Wanted {
            own: is_one.then(|| self.own(&first, text, lang)).flatten(),
            intent: first.found.intent_name,
            call,
            readings: readings.unwrap_or_default(),
            several: None,
        })
    }

    /// What was understood as a sentence of ours, perhaps because one asks for the same as that of the pack.
    fn own(&self, wish: &Wish, text: &str, lang: &str) -> Option<Own> {
        let Some(call) = &wish.call else {
            return Some(Own::of(wish.found.clone()));
        };
        if wish.found.intent_name == deferred::INTENT {
            return Some(deferred::own(wish.found.clone()));
        }
        let found = self.of_ours(text, lang)?.found;
        let own = self.called_by_ours(&found, lang)?;
        let own = self.where_it_is_kept(own, lang)?;
        let is_same = own.toolbox_id == call.toolbox_id && own.tool == call.tool;
        is_same.then(|| Own::of(found))
    }

    /// What a person filled in where a sentence asks for something and lacks nothing; `None` for every other sentence.
    pub fn filled_in(&self, text: &str, lang: &str) -> Option<Vec<String>> {
        let wishes = self.understood(text, lang);
        for wish in &wishes {
            let call = self.called(wish, lang)?;
            if self.intents.answer_to(&wish.found.intent_name, &call).is_some() {
                return None;
            }
        }
        let slots = wishes.iter().flat_map(|wish| wish.found.slots.iter());
        let filled_in = slots.map(|(_, text)| text.clone()).collect();
        (!wishes.is_empty()).then_some(filled_in)
    }

    /// How whole a sentence is: open where it asks for something and lacks a part of it, whole where it lacks nothing and does
    /// not end in words of the person's own, which may go on; unsure where it is none of ours.
    pub fn completeness(&self, text: &str, lang: &str) -> Completeness {
        let wishes = self.understood(text, lang);
        let Some(Wish { found: last, .. }) = wishes.last() else {
            return Completeness::Unsure;
        };
        for wish in &wishes {
            match self.called(wish, lang) {
                None => return Completeness::Unsure,
                Some(call) if self.intents.answer_to(&wish.found.intent_name, &call).is_some() => {
                    return Completeness::Open;
                }
                Some(_) => {}
            }
        }
        let takes_anything = |slot: &str| self.intents.takes(&last.intent_name, lang, slot, NO_WORD);
        let is_last = |filled_in: &str| letters(text).ends_with(&letters(filled_in));
        // Behind a number there may be another, or a unit.
        let ends_in_number = |filled_in: &str| {
            let word = filled_in.split_whitespace().last();
            word.is_some_and(|word| is_number(word, lang))
        };
        let may_go_on = |(slot, filled_in): &(String, String)| {
            is_last(filled_in) && (takes_anything(slot) || ends_in_number(filled_in))
        };
        if last.slots.iter().any(may_go_on) {
            Completeness::Unsure
        } else {
            Completeness::Whole
        }
    }

    /// What a sentence asks for, or what it nearly asks for.
    fn recognised(&self, text: &str, lang: &str) -> Vec<Wish> {
        let understood = self.understood(text, lang);
        if understood.is_empty() {
            let joined = self.joined_on(text, lang);
            joined.or_else(|| self.guessed(text, lang)).into_iter().collect()
        } else {
            understood
        }
    }

    /// What a sentence asks for, now or at a moment that stands beside it, whichever foresees more of its words.
    fn understood_together(&self, text: &str, lang: &str) -> Vec<Wish> {
        if let Some(steps) = self.routine(text, lang) {
            return steps;
        }
        if let Some(sets) = self.sets_routine(text, lang) {
            return vec![sets];
        }
        let now = self.understood_now(text, lang);
        let said = words_and_figures(text);
        let least: f64 = now.iter().map(|wish| foreseen(&wish.found, &said)).sum();
        if let Some((wish, words)) = self.triggered(text, lang)
            && words > least
        {
            return vec![wish];
        }
        match self.deferred(text, lang) {
            Some((wish, words)) if words > least && !has_time(&now) => vec![wish],
            _ => now,
        }
    }

    /// What a sentence asks for: all of it as one wish, or several wishes with conjunctions between them where these
    /// foresee more of its words.
    fn understood_now(&self, text: &str, lang: &str) -> Vec<Wish> {
        let whole = self.whole(text, lang);
        if let Some(wish) = whole
            .as_ref()
            .filter(|wish| wish.call.is_some() && wish.found.score >= 1.0)
        {
            return vec![wish.clone()];
        }
        // Two names of one order are no order and a name.
        if let Some(joint) = whole.as_ref().filter(|wish| self.names_several(wish, lang)) {
            return vec![joint.clone()];
        }
        let said = words_and_figures(text);
        let several = Some(said.as_slice()).filter(|said| said.len() <= MOST_WORDS);
        let several = several.and_then(|said| self.several(said, lang, MOST_WISHES));
        let least = whole.as_ref().map_or(0.0, |whole| foreseen(&whole.found, &said));
        match several {
            Some((wishes, words)) if words > least => wishes,
            _ => whole.into_iter().collect(),
        }
    }

    /// What all of a text asks for: a sentence of the pack whose words are known or that names a thing of the home, one of ours,
    /// one of the pack that has room for any words, or an order about kinds or with an exception.
    fn whole(&self, text: &str, lang: &str) -> Option<Wish> {
        let plainly = self.plainly(text, lang);
        let plainly = plainly.or_else(|| self.of_kinds(text, lang));
        plainly.or_else(|| self.sparing(text, lang))
    }

    fn plainly(&self, text: &str, lang: &str) -> Option<Wish> {
        if let Some((wish, _)) = self.of_pack(text, lang, Words::Known) {
            return Some(self.rather_an_order(wish, text, lang));
        }
        let any = self.of_pack(text, lang, Words::Any);
        if let Some((wish, true)) = any {
            return Some(wish);
        }
        self.of_ours(text, lang).or_else(|| any.map(|(wish, _)| wish))
    }

    fn of_ours(&self, text: &str, lang: &str) -> Option<Wish> {
        let is_question = text.trim_end().ends_with(['?', '？']);
        let is_meant =
            |intent: &str| !self.dependent.contains(intent) || is_question && self.asked.contains(intent);
        let found = self.among(text, lang, &is_meant)?;
        let mut said = found.slots.iter();
        let is_not_wanted = said.any(|(slot, said)| denied::is_negated(slot, said, lang));
        (!is_not_wanted).then_some(Wish { found, call: None })
    }

    /// A sentence of the pack, and whether it names a thing of the home, which one of ours would take for free words.
    fn of_pack(&self, text: &str, lang: &str, words: Words) -> Option<(Wish, bool)> {
        // What is to be said later is done then and delays nothing once more: delays within delays would be read without end.
        let understands = |later: &str| {
            self.of_pack(later, lang, Words::Known).is_some() || self.of_ours(later, lang).is_some()
        };
        let is_no_name = |said: &str| {
            self.begins_with_a_place(said, lang) || alerts::names_nothing(said, lang, self.locales())
        };
        let community = self.community.as_ref()?;
        let wish = community.wish(
            text,
            lang,
            words,
            Known {
                understands: &understands,
                is_no_name: &is_no_name,
            },
        )?;
        if denied::stand_for_others(&wish.slots, lang) {
            return None;
        }
        let found = Recognised {
            skill_id: SKILL_ID.to_owned(),
            intent_name: format!("{OF_PACK}{}", wish.intent),
            slots: wish.slots,
            score: wish.score,
        };
        let call = Some(wish.call);
        Some((Wish { found, call }, wish.names_a_thing))
    }

    /// The wishes of which a sentence consists, two at least, and how many of its words they foresaw.
    fn several(&self, said: &[Word], lang: &str, most: usize) -> Option<(Vec<Wish>, f64)> {
        let mut best: Option<(Vec<Wish>, f64)> = None;
        let parted = Phrases::of(lang).orders.parted(said);
        if parted.len() > MOST_CONJUNCTIONS {
            return None;
        }
        for (head, tail) in parted {
            let Some(first) = self.wish(head, lang) else {
                continue;
            };
            let last = self.wish(tail, lang);
            let last = last
                .or_else(|| self.further_wish(&first, tail, lang))
                .map(|last| {
                    let words = foreseen(&last.found, tail);
                    (vec![last], words)
                });
            let more = (most > 2).then(|| self.several(tail, lang, most - 1)).flatten();
            for (mut wishes, words) in last.into_iter().chain(more) {
                let words = words + foreseen(&first.found, head);
                if best.as_ref().is_none_or(|(_, most)| words > *most) {
                    wishes.insert(0, first.clone());
                    best = Some((wishes, words));
                }
            }
        }
        best
    }

    /// One of several wishes: it lacks nothing.
    fn wish(&self, said: &[Word], lang: &str) -> Option<Wish> {
        let words: Vec<&str> = said.iter().map(|word| word.said.as_str()).collect();
        let text = words.join(" ");
        let wish = self.whole(text.trim_end_matches(','), lang)?;
        if beside::names_only(&wish, said, lang) {
            return None;
        }
        let call = self.called(&wish, lang)?;
        let is_whole = self.intents.answer_to(&wish.found.intent_name, &call).is_none();
        is_whole.then_some(wish)
    }

    fn called(&self, wish: &Wish, lang: &str) -> Option<IntendedCall> {
        let call = match &wish.call {
            Some(call) => call.clone(),
            None => self.called_by_ours(&wish.found, lang)?,
        };
        self.where_it_is_kept(call, lang)
    }

    fn called_by_ours(&self, found: &Recognised, lang: &str) -> Option<IntendedCall> {
        let slots = found
            .slots
            .iter()
            .map(|(slot, said)| (slot.as_str(), said.as_str()));
        self.intents.call(&found.intent_name, lang, slots)
    }

    /// The best of these intents for all of the words, or for what is left without courtesies.
    fn among(&self, text: &str, lang: &str, is_meant: &dyn Fn(&str) -> bool) -> Option<Recognised> {
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return None;
        }
        let found = self.among_words(&said, lang, is_meant);
        let apart = self.apart(&said, lang).into_iter();
        apart
            .filter_map(|said| self.among_words(&said, lang, is_meant))
            .fold(found, |best, apart| match best {
                Some(best) if best.score >= apart.score => Some(best),
                _ => Some(apart),
            })
    }

    /// The words with those that consist of two apart: elided ones, and those that the language makes of others.
    fn apart(&self, said: &[Word], lang: &str) -> Vec<Vec<Word>> {
        let compounds = self.compounds.get(&primary(lang));
        let compounds = compounds.and_then(|compounds| compounds.apart(said));
        without_elisions(said).into_iter().chain(compounds).collect()
    }

    fn among_words(&self, said: &[Word], lang: &str, is_meant: &dyn Fn(&str) -> bool) -> Option<Recognised> {
        let core = Phrases::of(lang).orders.core_of(said);
        let whole = self.best(said, lang, is_meant);
        whole.or_else(|| {
            self.best(core, lang, is_meant)
                .filter(|_| core.len() < said.len())
        })
    }

    /// Each intent that foresaw the words, once, in the order of their sentences: as they were said, else without what is said
    /// around an order or with words that consist of two apart.
    fn each_among(&self, text: &str, lang: &str, is_meant: &dyn Fn(&str) -> bool) -> Vec<Recognised> {
        let said = words_and_figures(text);
        if said.len() > MOST_WORDS {
            return Vec::new();
        }
        let orders = &Phrases::of(lang).orders;
        let apart = self.apart(&said, lang);
        let ways = [said.as_slice(), orders.core_of(&said)].into_iter();
        let ways = ways.chain(
            apart
                .iter()
                .flat_map(|said| [said.as_slice(), orders.core_of(said)]),
        );
        let mut found: Vec<Recognised> = Vec::new();
        for recognised in ways.flat_map(|words| self.fits(words, lang, is_meant)) {
            if found
                .iter()
                .all(|known| known.intent_name != recognised.intent_name)
            {
                found.push(recognised);
            }
        }
        found
    }

    /// The intent that foresaw most of the words; of equally good ones the first.
    fn best(&self, said: &[Word], lang: &str, is_meant: &dyn Fn(&str) -> bool) -> Option<Recognised> {
        let fits = self.fits_of(said, lang, is_meant);
        Fit::best(fits, Intents::holds_time).map(recognised)
    }

    /// The best fit of each intent.
    fn fits(&self, said: &[Word], lang: &str, is_meant: &dyn Fn(&str) -> bool) -> Vec<Recognised> {
        let mut of_intents: Vec<(&str, Vec<Fit<'_>>)> = Vec::new();
        for fit in self.fits_of(said, lang, is_meant) {
            match of_intents.iter_mut().find(|(intent, _)| *intent == fit.intent) {
                Some((_, fits)) => fits.push(fit),
                None => of_intents.push((fit.intent, vec![fit])),
            }
        }
        let best = of_intents.into_iter();
        best.filter_map(|(_, fits)| Fit::best(fits, Intents::holds_time).map(recognised))
            .collect()
    }

    fn fits_of(&self, said: &[Word], lang: &str, is_meant: &dyn Fn(&str) -> bool) -> Vec<Fit<'_>> {
        let Some(language) = self.language(lang) else {
            return Vec::new();
        };
        let takes = |intent: &str, slot: &str, text: &str| self.intents.takes(intent, lang, slot, text);
        let asked = Fitting {
            is_meant,
            takes: Some(&takes),
        };
        language.fits(&Utterance::new(said), asked, &mut MOST_STEPS.clone())
    }
}

fn recognised(fit: Fit<'_>) -> Recognised {
    Recognised {
        skill_id: SKILL_ID.to_owned(),
        intent_name: fit.intent.to_owned(),
        slots: fit.slots,
        score: fit.score,
    }
}

/// The language of a tag, without its country.
fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_lowercase()
}

/// Lower-case letters and digits alone.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(|sign| sign.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

impl ToolIntents for SpokenTools {
    fn recognise(&self, text: &str, lang: &str) -> Option<Recognised> {
        let first = self.understood(text, lang).into_iter().next();
        let first = first.or_else(|| self.joined_on(text, lang));
        first.map(|wish| wish.found)
    }

    fn guess(&self, text: &str, lang: &str) -> Option<Recognised> {
        self.guessed(text, lang).map(|wish| wish.found)
    }

    fn refrains(&self, text: &str, lang: &str) -> Option<String> {
        self.is_denied(text, lang)
            .then(|| Phrases::of(lang).refrained.clone())
    }

    fn is_dismissal(&self, text: &str, lang: &str) -> bool {
        let community = self.community.as_ref();
        community.is_some_and(|community| community.is_dismissal(text, lang))
    }

    fn toolboxes(&self, text: &str, lang: &str) -> Vec<String> {
        let wishes = self.recognised(text, lang).into_iter();
        let called = wishes.filter_map(|wish| self.called(&wish, lang));
        called.map(|call| call.toolbox_id).collect()
    }
}

impl Understood {
    fn is_dependent(&self) -> bool {
        self.standing != Standing::Alone || needs_last(self.pronoun)
    }

    fn key(&self) -> IntentKey {
        IntentKey {
            skill_id: SKILL_ID.to_owned(),
            intent_name: self.name.clone(),
            lang: spelled(&self.lang),
            session_id: DEFAULT_SESSION_ID.to_owned(),
        }
    }

    fn is_spoken_in(&self, lang: &str) -> bool {
        primary(&self.lang) == primary(lang)
    }

    /// Whether a line is a sentence with gaps that this intent has.
    fn check(&self, line: &Line, intents: &Intents) -> Result<(), LocaleError> {
        let wrong = |fault: String, mend: &str| LocaleError::Line {
            place: line.place.clone(),
            fault,
            mend: mend.to_owned(),
        };
        let template = Template::read(&line.text, Spelling::Words)
            .map_err(|_| wrong(format!("'{}' is no sentence", line.text), "close every ( [ and {"))?;
        let slots = template.slots();
        match slots.into_iter().find(|slot| !intents.has_slot(&self.name, slot)) {
            Some(slot) => Err(wrong(
                format!("the intent {} has no gap {{{slot}}}", self.name),
                "use the gaps of the file that comes with Loquat",
            )),
            None => Ok(()),
        }
    }
}

/// What is understood in a language, by its primary subtag.
fn compiled(understood: &[Understood], lang: &str) -> Language {
    let spoken = understood.iter().filter(|intent| primary(&intent.lang) == lang);
    let intents = spoken.map(|intent| (intent.name.as_str(), intent.samples.clone()));
    Language::build(&Source::of_words(intents)).0
}

/// The words of a language that consist of others.
fn compounds(intents: &Intents, lang: &str) -> Compounds {
    let [heads, whole, joined] = ["heads", "whole", "joined"].map(|name| intents.compounds(lang, name));
    Compounds { heads, whole, joined }
}

/// Whether one of these wishes has taken a time for itself.
fn has_time(wishes: &[Wish]) -> bool {
    let mut slots = wishes.iter().flat_map(|wish| &wish.found.slots);
    slots.any(|(slot, _)| Intents::holds_time(slot))
}

/// How many of the words a sentence foresaw.
#[expect(clippy::cast_precision_loss, reason = "a person says few words")]
fn foreseen(found: &Recognised, said: &[Word]) -> f64 {
    found.score * said.len() as f64
}

#[cfg(test)]
mod tests;
