//! The tool that tells a fact, in the person's words and formats.

use jiff::Timestamp;
use jiff::civil::Date;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FOLDER;
use super::fact::{FACTS, Fact, Written};
use super::service::{Known, Wikidata};
use crate::reference::source::ENGLISH;
use crate::reference::{soon, source};
use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::folded;
use loquat_kit::locale::Locales;
use loquat_kit::numbers;

const CREDIT: &str = "Wikidata, CC0";

/// In letters.
const LONGEST: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Question {
    /// Person, place or thing.
    subject: String,
    /// As in "height", "population" or "birth".
    fact: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Answer {
    subject: String,
    fact: String,
    value: String,
    source: &'static str,
}

impl Tell for Answer {
    fn tell(&self) -> Option<Telling> {
        let told = Telling::new("fact").words("subject", &self.subject);
        Some(told.words("fact", &self.fact).words("value", &self.value))
    }
}

pub(super) async fn find_fact(
    Question { subject, fact }: Question,
    person: &Circumstances,
    wikidata: &Wikidata,
    locales: &Locales,
    now: Timestamp,
) -> Result<Answer, ToolError> {
    let lang = source::language_of(person);
    let words = Words { locales, lang: &lang };
    let fact = words.fact(&fact).ok_or_else(|| {
        let known: Vec<&str> = FACTS.iter().map(|fact| fact.name).collect();
        let complaint = format!("fact: is not known; write one of {}", known.join(", "));
        ToolError::reply("ValueError", complaint)
    })?;
    let subject = words.bare(&subject);
    if subject.is_empty() || subject.chars().count() > LONGEST {
        let complaint = "subject: is empty or too long; name a person, a place or a thing";
        return Err(ToolError::reply("ValueError", complaint));
    }
    let found = soon(wikidata.find(&subject, fact, &lang, now)).await;
    let found = found.map_err(|fault| fault.of("Wikidata"))?;
    let answer = found.and_then(|known| words.answer(fact, known, &Calendar::of(person, now)));
    answer.ok_or_else(|| {
        let complaint = format!("subject: Wikidata has no {} of '{subject}'", fact.name);
        ToolError::reply("LookupError", complaint)
    })
}

/// The words of a language, out of the lists.
struct Words<'a> {
    locales: &'a Locales,
    lang: &'a str,
}

impl Words<'_> {
    /// The fact that is called so.
    fn fact(&self, said: &str) -> Option<Fact> {
        let said = folded(said);
        let by_name = FACTS.iter().find(|fact| fact.name == said);
        by_name
            .or_else(|| {
                let mut called = [self.lang, ENGLISH]
                    .into_iter()
                    .flat_map(|lang| self.listed(lang, "fact.value"));
                let (name, _) =
                    called.find(|(_, words)| words.split('|').any(|word| folded(word) == said))?;
                FACTS.iter().find(|fact| fact.name == name)
            })
            .copied()
    }

    /// A name without the article before it.
    fn bare(&self, said: &str) -> String {
        let said = said.trim();
        let article = said.split_once([' ', '\'', '\u{2019}']).filter(|(article, _)| {
            let mut articles = self
                .listed(self.lang, "article.value")
                .flat_map(|(_, words)| words.split('|'));
            articles.any(|known| folded(known) == folded(article))
        });
        article.map_or(said, |(_, bare)| bare).trim().to_owned()
    }

    fn answer(&self, fact: Fact, known: Known, calendar: &Calendar) -> Option<Answer> {
        let Known {
            subject,
            value,
            name,
            died,
        } = known;
        let value = match (fact.name, value) {
            ("age", born) => self.age(&born, died.as_ref(), calendar)?,
            (_, Written::Amount(amount, unit)) => self.amount(amount, unit.as_deref())?,
            (_, Written::Day(day)) => calendar.told_date(day),
            (_, Written::Year(year)) => year.to_string(),
            (_, Written::Thing(_)) => name?,
        };
        let called = if fact.name == "age" && died.is_some() {
            "age at death"
        } else {
            fact.name
        };
        Some(Answer {
            subject,
            fact: self.called(called)?,
            value,
            source: CREDIT,
        })
    }

    /// What has no unit is counted, what has one of which there is no word is not told.
    fn amount(&self, amount: f64, unit: Option<&str>) -> Option<String> {
        let number = numbers::written(amount, self.lang);
        let Some(unit) = unit else { return Some(number) };
        let mut units = self.listed(self.lang, "unit.value");
        let (_, unit) = units.find(|(id, _)| *id == unit)?;
        Some(format!("{number} {unit}"))
    }

    /// In years, now or when a life ended.
    fn age(&self, born: &Written, died: Option<&Written>, calendar: &Calendar) -> Option<String> {
        let (Written::Day(born), None | Some(Written::Day(_))) = (born, died) else {
            return None;
        };
        let end: Date = match died {
            Some(Written::Day(died)) => *died,
            _ => calendar.now().date(),
        };
        let years = born.until((jiff::Unit::Year, end)).ok()?.get_years();
        let (_, unit) = self
            .listed(self.lang, "unit.value")
            .find(|(id, _)| *id == "years")?;
        (0..=130).contains(&years).then(|| format!("{years} {unit}"))
    }

    fn called(&self, name: &str) -> Option<String> {
        let mut values = [self.lang, ENGLISH]
            .into_iter()
            .flat_map(|lang| self.listed(lang, "fact.value"));
        let (_, words) = values.find(|(known, _)| *known == name)?;
        words.split('|').next().map(str::to_owned)
    }

    fn listed(&self, lang: &str, list: &str) -> impl Iterator<Item = (&str, &str)> {
        let values = self.locales.values(FOLDER, lang, list);
        values.map(|(name, words)| (name.trim(), words.trim()))
    }
}
