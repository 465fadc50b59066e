//! The sentences of the community's pack in the languages that are spoken here, with the names of the home, and what they
//! ask for. A language is compiled when it is first spoken.
//!
//! Nothing here runs a tool, and without a pack nothing is understood here.

use std::sync::Arc;

use loquat_agent::turn::IntendedCall;
use loquat_models::Pack;
use loquat_phrases::Phrases;
use loquat_sentences::{
    Asked, Home, Language, Name, OpenText, Origin, Reading, Responses, Slot, Source, Value, best,
};
use loquat_skills::home::HomeAssistant;
use loquat_skills::pack::{self, Filled, Means, Understanding};
use parking_lot::Mutex;
use serde_json::json;

use super::bare_level::is_bare;
use super::denied::is_negated;
use super::kept::Kept;
use super::nearly::NearNames;

/// Whether a reading may hold words of a person's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// Only words that are known.
    Known,
    /// Only words that are known, where one slight word of the sentence was not said.
    KnownButOne,
    /// Any words where a sentence has room for them.
    Any,
}

/// What a sentence of the pack asks for.
#[derive(Debug, Clone)]
pub(super) struct Wish {
    /// The pack's intent.
    pub(super) intent: String,
    /// What fills its slots, as it was said.
    pub(super) slots: Vec<(String, String)>,
    /// How much of what was said is not a person's own words, from 0 to 1.
    pub(super) score: f64,
    /// Whether it names a thing of the home.
    pub(super) names_a_thing: bool,
    pub(super) call: IntendedCall,
}

/// The names of the home as they are at one time.
#[derive(Debug, Clone, Default)]
struct Names {
    /// For sentences.
    exact: Arc<Home>,
    /// For what was misheard.
    near: Arc<NearNames>,
}

/// The sentences of the pack.
#[derive(Debug)]
pub(super) struct Community {
    pack: Pack,
    languages: Kept<Language>,
    /// The answers of languages in which tools have no words, read when they are first told.
    answers: Kept<Responses>,
    home: Option<Arc<HomeAssistant>>,
    /// The names of the home, and the count of its changes for which they are right.
    names: Mutex<Option<(u64, Names)>>,
}

/// What is known beside the pack, by those who ask it.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// Whether a text is a whole order, which can be kept for later.
    pub(super) understands: &'a dyn Fn(&str) -> bool,
    /// Whether a text names nothing, or begins with a room or a floor.
    pub(super) is_no_name: &'a dyn Fn(&str) -> bool,
}

impl Known<'static> {
    /// For a question in which neither matters.
    pub(super) const NOTHING: Self = Known {
        understands: &|_| false,
        is_no_name: &|_| false,
    };
}

impl Community {
    /// With the languages that are spoken here compiled.
    pub(super) fn new<'a>(
        pack: Pack,
        home: Option<Arc<HomeAssistant>>,
        spoken: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let community = Self {
            pack,
            languages: Kept::default(),
            answers: Kept::default(),
            home,
            names: Mutex::default(),
        };
        for lang in spoken {
            community.language(lang);
        }
        community
    }

    /// What a text asks for; `None` where it is no sentence of the pack, or nothing here can do it.
    pub(super) fn wish(
        &self,
        text: &str,
        lang: &str,
        words: Words,
        Known {
            understands,
            is_no_name,
        }: Known<'_>,
    ) -> Option<Wish> {
        let means = Means {
            home: self.home.as_deref(),
            understands,
        };
        let mut readings = self.readings(text, lang, words)?;
        // What is negated in one reading is so in all: another one would only take the negation for a part of something.
        if readings.iter().any(|reading| is_not_wanted(reading, lang)) {
            return None;
        }
        let is_misread = |reading: &Reading| {
            self.swallows_a_name(reading)
                || is_called_by_no_name(reading, is_no_name)
                || is_bare(reading, text, lang)
        };
        readings.retain(|reading| !is_misread(reading));
        let called = readings.iter().filter_map(|reading| {
            let call = pack::call(&understanding(reading), means)?;
            Some((reading.clone(), call))
        });
        let (readings, calls): (Vec<Reading>, Vec<IntendedCall>) = called.unzip();
        let chosen = best(&readings)?;
        let place = readings.iter().position(|reading| reading == chosen)?;
        Some(Wish {
            intent: chosen.intent.clone(),
            slots: said(chosen),
            score: known_part(chosen, text),
            names_a_thing: chosen
                .slots
                .iter()
                .any(|slot| slot.name == "name" && is_known(slot)),
            call: calls.into_iter().nth(place)?,
        })
    }

    /// The sentences of a language that something here answers, by intent, as a person reads them.
    pub(super) fn sentences(&self, lang: &str) -> Vec<(String, Vec<String>)> {
        let text = self.pack.language(lang).and_then(|code| self.text(code));
        let Some((source, _)) = text.and_then(|text| Source::from_pack(&text).ok()) else {
            return Vec::new();
        };
        let has_home = self.home.is_some();
        let answered = source.intents.iter();
        let answered = answered.filter(|intent| pack::is_answered(&intent.name, has_home));
        let written = answered.map(|intent| (intent.name.clone(), source.written(intent, has_home)));
        written.filter(|(_, lines)| !lines.is_empty()).collect()
    }

    /// The pack's answers in a language.
    pub(super) fn answers(&self, lang: &str) -> Option<Arc<Responses>> {
        let code = self.pack.language(lang)?;
        self.answers.of(code, || self.read_answers(code))
    }

    fn read_answers(&self, code: &str) -> Option<Responses> {
        let read = Responses::from_pack(&self.text(code)?);
        let read = read.inspect_err(|error| tracing::warn!(code, %error, "failed to read answers"));
        let (answers, errors) = read.ok()?;
        for error in errors {
            tracing::warn!(code, %error, "left an answer of the pack out");
        }
        Some(answers)
    }

    /// Whether a text asks to forget what was begun.
    pub(super) fn is_dismissal(&self, text: &str, lang: &str) -> bool {
        let readings = self.readings(text, lang, Words::Known).unwrap_or_default();
        best(&readings).is_some_and(|reading| pack::is_never_mind(&understanding(reading)))
    }

    fn readings(&self, text: &str, lang: &str, words: Words) -> Option<Vec<Reading>> {
        let language = self.language(lang)?;
        let open_text = match words {
            Words::Known | Words::KnownButOne => OpenText::Without,
            Words::Any => OpenText::With,
        };
        let asked = Asked {
            open_text,
            lacks: words == Words::KnownButOne,
            ..Asked::default()
        };
        Some(language.read_as(text, &self.names().exact, &asked).readings)
    }

    /// Whether a person's own words stand for a state and hold the name of a room or a thing. A name that is known is no part of
    /// free words; in what is announced, searched or said later it may be.
    fn swallows_a_name(&self, reading: &Reading) -> bool {
        let mut states = reading
            .slots
            .iter()
            .filter(|slot| slot.name == "state" && slot.origin == Origin::Open);
        let Some(home) = &self.home else {
            return false;
        };
        states.any(|slot| home.is_named_in(&slot.said))
    }

    /// The sentences of a language, which are compiled where that was not done yet.
    fn language(&self, lang: &str) -> Option<Arc<Language>> {
        let code = self.pack.language(lang)?;
        self.languages.of(code, || self.compiled(code, lang))
    }

    fn compiled(&self, code: &str, lang: &str) -> Option<Language> {
        let compiled = Language::from_pack(&self.text(code)?);
        let compiled = compiled.inspect_err(|error| tracing::warn!(code, %error, "failed to read sentences"));
        let (language, complaints) = compiled.ok()?;
        for complaint in complaints {
            tracing::warn!(code, %complaint, "left a sentence of the pack out");
        }
        let slight = Phrases::known(lang).map(|phrases| phrases.slight.as_slice());
        let slight = slight.unwrap_or_default().iter().map(String::as_str);
        Some(language.with_slight_words(slight))
    }

    /// The file of a language.
    fn text(&self, code: &str) -> Option<String> {
        let text = self.pack.read(code);
        let text = text.inspect_err(|error| tracing::warn!(%error, "failed to read sentences"));
        text.ok()
    }

    /// How often the home has changed. With the same count a text asks for the same.
    pub(super) fn changes(&self) -> u64 {
        self.home.as_ref().map_or(0, |home| home.changes())
    }

    /// The names of the home as they are now, for what was misheard.
    pub(super) fn near_names(&self) -> Arc<NearNames> {
        self.names().near
    }

    /// The names of the home as they are now.
    fn names(&self) -> Names {
        let Some(home) = &self.home else {
            return Names::default();
        };
        let changes = home.changes();
        let mut kept = self.names.lock();
        if let Some((_, names)) = kept.as_ref().filter(|(count, _)| *count == changes) {
            return names.clone();
        }
        let names = names_of(home);
        *kept = Some((changes, names.clone()));
        names
    }
}

fn names_of(home: &HomeAssistant) -> Names {
    let known = home.vocabulary();
    let things = known.things.iter().map(|thing| thing.name.as_str());
    let places = known.areas.iter().chain(&known.floors).map(String::as_str);
    let near = Arc::new(NearNames::new(things.chain(places)));
    let things = known.things.into_iter().map(|thing| {
        let name = Name::new(&thing.name).with("domain", thing.domain);
        match thing.class {
            Some(class) => name.with("device_class", class),
            None => name,
        }
    });
    let places = |names: Vec<String>| names.into_iter().map(|name| Name::new(&name)).collect::<Vec<_>>();
    let home = Home::new()
        .with_names("name", things.collect::<Vec<_>>())
        .with_names("area", places(known.areas))
        .with_names("floor", places(known.floors));
    let exact = Arc::new(match known.own_area {
        Some(area) => home.with_context("area", area),
        None => home,
    });
    Names { exact, near }
}

fn understanding(reading: &Reading) -> Understanding {
    let slots = reading.slots.iter().map(|slot| {
        let value = match &slot.value {
            Value::Text(text) => json!(text),
            Value::Whole(number) => json!(number),
            Value::Number(number) => json!(number),
            Value::Truth(is_so) => json!(is_so),
            Value::AnyOf(several) => json!(several.iter().map(ToString::to_string).collect::<Vec<_>>()),
        };
        let said = slot.span.as_ref().map(|_| slot.said.clone());
        (slot.name.clone(), Filled { value, said })
    });
    Understanding {
        intent: reading.intent.clone(),
        response: reading.response.clone().unwrap_or_default(),
        slots: slots.collect(),
    }
}

/// Whether a person's own words begin with one that turns the order into its opposite.
fn is_not_wanted(reading: &Reading, lang: &str) -> bool {
    let mut open = reading.slots.iter().filter(|slot| slot.origin == Origin::Open);
    open.any(|slot| is_negated(&slot.name, &slot.said, lang))
}

/// Whether a name that may be any words is none. "Nella cucina", a room and the word that joins it, is no name of a timer.
fn is_called_by_no_name(reading: &Reading, is_no_name: &dyn Fn(&str) -> bool) -> bool {
    let name = reading.slot("name").filter(|slot| slot.origin == Origin::Open);
    name.is_some_and(|name| is_no_name(&name.said))
}

/// Whether a slot was said, and holds no words of a person's own.
fn is_known(slot: &Slot) -> bool {
    slot.span.is_some() && slot.origin != Origin::Open
}

fn said(reading: &Reading) -> Vec<(String, String)> {
    let said = reading.slots.iter().filter(|slot| slot.span.is_some());
    said.map(|slot| (slot.name.clone(), slot.said.clone())).collect()
}

/// How much of a text is not a person's own words.
#[expect(clippy::cast_precision_loss, reason = "a person says few words")]
fn known_part(reading: &Reading, text: &str) -> f64 {
    let letters = text.chars().count().max(1);
    1.0 - (reading.open_letters.min(letters) as f64 / letters as f64)
}
