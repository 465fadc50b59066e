//! Calculations, units and moments as people say them: `seventeen percent of two thousand`, `drei Meter minus zehn
//! Zentimeter`, `Kilometern`, `half past six`.
//!
//! A text is read as a whole or not at all. Calculates nothing.

mod spacing;

use serde_json::Value;

use self::spacing::{apart, unglued};
use super::units::Category;
use super::{expression, units};
use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::JOINT;
use loquat_kit::intent::InLanguage;
use loquat_kit::numbers::with_figures;
use loquat_kit::slots;

/// The folder of the sentences.
pub(super) const FOLDER: &str = "math";

/// The list of the words that stand for signs. A sign that ends in a bracket holds the number behind it.
pub(super) const OPERATORS: &str = "operator";

/// The list of the words that stand between the numbers of a list, and what is written there.
pub(super) const LINKS: &str = "link";
const COMMA: &str = ",";

/// The list of what units are called.
pub(super) const UNITS: &str = "unit";

/// The list of what currencies are called.
pub(super) const CURRENCIES: &str = "currency";

/// The sign behind which a unit stands and no number.
const CONVERSION: &str = "in";

/// The most words of a unit's name.
const LONGEST_NAME: usize = 4;

/// What counts something is less than this.
const MOST_COUNTED: f64 = 1e12;

/// The most parts that a word of its own names: `a twentieth`.
const MOST_PARTS: u8 = 20;

/// Less than so many cents are not said without their name, and neither are they behind less than so much: "one twenty" may be a
/// hundred and twenty.
const LEAST_CENTS: u32 = 10;
const LEAST_BEFORE_CENTS: u32 = 10;

/// The most words of a date or a time of day.
const LONGEST_MOMENT: usize = 8;

/// Units that a number behind another unit counts where it has none of its own, and how many are less than one of the other:
/// `six foot two`, `un mètre quatre-vingts`.
const SMALLER: [(&str, &str, f64); 7] = [
    ("feet", "inches", 12.0),
    ("stones", "pounds", 14.0),
    ("pounds", "ounces", 16.0),
    ("hours", "minutes", 60.0),
    ("minutes", "seconds", 60.0),
    ("meters", "centimeters", 100.0),
    ("kilograms", "grams", 1000.0),
];

/// A calculation: numbers with signs between them, or one number with a sign that makes another of it. Numbers may have
/// units, as far as these can be calculated with.
pub(super) fn read_expression(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    read_with(
        &said.to_lowercase(),
        Translator::new(spoken),
        Translator::calculation,
    )
}

/// A number, with its unit or currency if it has one. Lengths of time are left to what is set for them: `add two hours and ten
/// minutes` is said of a timer.
pub(super) fn read_amount(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    if slots::seconds(said, spoken.lang).is_some() {
        return None;
    }
    read_with(&said.to_lowercase(), Translator::new(spoken), Translator::amount)
}

/// What is to be paid, also as people say money without its name: "eighty-six forty".
pub(super) fn read_bill(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let [whole, cents] = two_numbers(said, spoken)?;
    let is_money = whole >= LEAST_BEFORE_CENTS && (LEAST_CENTS..100).contains(&cents);
    is_money.then(|| Value::from(format!("{whole}.{cents}")))
}

/// A number of hundreds as some say it without their name: "three fifty" degrees are 350.
pub(super) fn read_hundreds(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let [hundreds, rest] = two_numbers(said, spoken)?;
    let is_one = (1..10).contains(&hundreds) && (10..100).contains(&rest);
    is_one.then(|| Value::from(f64::from(hundreds * 100 + rest)))
}

/// Two whole numbers in words that stand beside each other.
fn two_numbers(said: &str, spoken: &InLanguage<'_>) -> Option<[u32; 2]> {
    if said.contains(|sign: char| sign.is_ascii_digit()) {
        return None;
    }
    let words: Vec<&str> = said.split_whitespace().collect();
    let number = |words: &[&str]| {
        let figures = with_figures(&words.join(" "), spoken.lang);
        figures.parse::<u32>().ok()
    };
    let mut places = (1..words.len()).filter_map(|at| words.split_at_checked(at));
    places.find_map(|(front, behind)| Some([number(front)?, number(behind)?]))
}

/// A number that counts something, as a part of an expression.
pub(super) fn read_count(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let count = loquat_kit::numbers::number(said, spoken.lang);
    let count = count.filter(|count| *count > 0.0 && *count < MOST_COUNTED);
    count.map(|count| Value::from(count.to_string()))
}

/// A fraction that is less than one, as a part of an expression: `a third`, `three quarters`.
pub(super) fn read_fraction(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let share = loquat_kit::numbers::number(said, spoken.lang)?;
    let is_whole = |number: f64| (number - number.round()).abs() < 1e-6;
    let mut parts = (2..=MOST_PARTS).map(f64::from);
    let parts = parts.find(|parts| share > 0.0 && share < 1.0 && is_whole(share * parts))?;
    Some(Value::from(format!("({} / {parts})", (share * parts).round())))
}

/// Several amounts that make one: `3 weeks and 2 days`, `six foot two`, `5'11`.
pub(super) fn read_amounts(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let translator = Translator {
        takes_symbols: true,
        ..Translator::new(spoken)
    };
    read_with(&unglued(&said.to_lowercase()), translator, Translator::amounts)
}

/// Two numbers or more beside each other, each perhaps with its unit. One length of time is none, as with [`read_amount`].
pub(super) fn read_figures(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    if slots::seconds(said, spoken.lang).is_some() {
        return None;
    }
    read_with(
        &said.to_lowercase(),
        Translator::listing(spoken),
        Translator::figures,
    )
}

fn read_with<'a>(
    said: &str,
    translator: Translator<'a>,
    meant: fn(Translator<'a>) -> Option<String>,
) -> Option<Value> {
    let lang = translator.spoken.lang;
    let text = apart(&with_figures(said, lang));
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_list = !translator.links.is_empty();
    let expression = meant(translator.translated(&words)?)?;
    let checked = if is_list {
        format!("sum({expression})")
    } else {
        expression.clone()
    };
    let wish = expression::parse_wish(&checked, &Calendar::spoken(lang)).ok()?;
    wish.outcome().ok()?;
    Some(Value::from(expression))
}

/// A unit, by one of the names that the list has, or by one that every language shares.
pub(super) fn read_unit(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let name = match listed(UNITS, said, spoken) {
        Some(name) => name,
        None => units::find(said).ok()?.plural,
    };
    Some(Value::from(name))
}

/// A unit of time by one of the names that the list has: `Wochen`, `quest'anno`.
pub(super) fn read_unit_of_time(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let bare = said.rsplit(['\'', '\u{2019}']).next().unwrap_or(said);
    let unit = units::known(listed(UNITS, bare, spoken)?).ok()??;
    (unit.category == Category::Time).then(|| Value::from(unit.plural))
}

/// A day or a time of day, and nothing else.
pub(super) fn read_moment(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    if said.split_whitespace().count() > LONGEST_MOMENT {
        return None;
    }
    let calendar = Calendar::spoken(spoken.lang);
    let is_moment = calendar.day(said).is_some() || calendar.hour(said).is_some();
    is_moment.then(|| Value::from(said))
}

/// A time of day.
pub(super) fn read_hour(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    if said.split_whitespace().count() > LONGEST_MOMENT {
        return None;
    }
    let hour = Calendar::spoken(spoken.lang).hour(said);
    hour.map(|_| Value::from(said))
}

/// The name of a list under which one of these words stands.
fn listed<'a>(list: &str, said: &str, spoken: &InLanguage<'a>) -> Option<&'a str> {
    if said.split_whitespace().count() > LONGEST_NAME {
        return None;
    }
    let file = format!("{list}.value");
    let plain = loquat_kit::folded(said);
    let is_called = |forms: &str| {
        let mut forms = forms.split('|').map(str::trim);
        forms.any(|form| may_begin(form, &plain) && loquat_kit::folded(form) == plain)
    };
    let mut names = spoken.locales.values(FOLDER, spoken.lang, &file);
    names
        .find(|(_, forms)| is_called(forms))
        .map(|(name, _)| name.trim())
}

/// Whether a name can come to this folded one, judged by its first letter: folding hundreds of names takes a while.
fn may_begin(name: &str, plain: &str) -> bool {
    match (name.chars().next(), plain.chars().next()) {
        (Some(letter), Some(first)) => !letter.is_ascii() || letter.eq_ignore_ascii_case(&first),
        _ => false,
    }
}

/// What words stand for, the longer ones first.
fn operators<'a>(spoken: &InLanguage<'a>) -> Vec<(Vec<&'a str>, &'a str)> {
    let file = format!("{OPERATORS}.value");
    let listed = spoken.locales.values(FOLDER, spoken.lang, &file);
    let mut operators: Vec<(Vec<&str>, &str)> = listed
        .map(|(words, sign)| (words.split_whitespace().collect(), sign.trim()))
        .collect();
    operators.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    operators
}

/// Turns words into an expression.
struct Translator<'a> {
    spoken: &'a InLanguage<'a>,
    operators: Vec<(Vec<&'a str>, &'a str)>,
    /// This word joins the parts of an amount: `1 hour and 20 minutes`.
    and: Option<&'a str>,
    parts: Vec<String>,
    numbers: usize,
    /// How many of the numbers have a unit.
    measured: usize,
    signs: usize,
    /// Whether a bracket waits for its number.
    is_open: bool,
    /// Whether the last part is a unit.
    is_after_unit: bool,
    /// The last unit that stood behind a number, and the last number.
    last: (Option<String>, f64),
    /// Whether units also go by what every language shares, such as `ft`.
    takes_symbols: bool,
    /// The words that stand between the numbers of a list, where one is read.
    links: Vec<&'a str>,
}

impl<'a> Translator<'a> {
    fn new(spoken: &'a InLanguage<'a>) -> Self {
        let joint = format!("{JOINT}.value");
        let and = spoken.locales.values(FOLDER, spoken.lang, &joint).next();
        Self {
            spoken,
            operators: operators(spoken),
            and: and.map(|(_, word)| word.trim()),
            parts: Vec::new(),
            numbers: 0,
            measured: 0,
            signs: 0,
            is_open: false,
            is_after_unit: false,
            last: (None, 0.0),
            takes_symbols: false,
            links: Vec::new(),
        }
    }

    /// Reads a list, in which no sign stands.
    fn listing(spoken: &'a InLanguage<'a>) -> Self {
        let file = format!("{LINKS}.value");
        let links = spoken.locales.values(FOLDER, spoken.lang, &file);
        Self {
            operators: Vec::new(),
            links: links.map(|(word, _)| word.trim()).chain([COMMA]).collect(),
            takes_symbols: true,
            ..Self::new(spoken)
        }
    }

    /// The numbers of a list, with commas between them.
    fn figures(self) -> Option<String> {
        let are_alike = self.measured == 0 || self.measured == self.numbers;
        let is_list = self.numbers > 1 && are_alike;
        is_list.then(|| self.parts.join(" ").replace(" ,", COMMA))
    }

    fn translated(mut self, mut words: &[&str]) -> Option<Self> {
        while let Some((first, rest)) = words.split_first() {
            if self.numbers > 0 && self.links.contains(first) {
                words = rest;
                continue;
            }
            if self.is_after_unit && Some(*first) == self.and {
                self.parts.push("and".to_owned());
                self.is_after_unit = false;
                words = rest;
                continue;
            }
            let length = self.sign(words).or_else(|| self.number(words))?;
            words = words.get(length..)?;
        }
        Some(self)
    }

    fn amounts(mut self) -> Option<String> {
        let is_bare = !self.is_after_unit && self.numbers == self.measured + 1;
        if let Some(smaller) = self.smaller().filter(|_| is_bare) {
            self.parts.push(smaller.to_owned());
            self.measured += 1;
        }
        let are_amounts = self.numbers > 1 && self.numbers == self.measured && self.signs == 0;
        are_amounts.then(|| self.parts.join(" "))
    }

    fn amount(self) -> Option<String> {
        (self.numbers == 1 && self.signs == 0 && !self.is_open).then(|| self.parts.join(" "))
    }

    /// The unit that the last number counts, which has none of its own.
    fn smaller(&self) -> Option<&'static str> {
        let (unit, number) = (self.last.0.as_deref()?, self.last.1);
        let mut known = SMALLER.into_iter();
        let (_, smaller, _) = known.find(|(known, _, most)| *known == unit && number < *most)?;
        Some(smaller)
    }

    fn calculation(self) -> Option<String> {
        // A sign with a number in it, as of a half, is one of two.
        let is_share = |part: &str| part.ends_with('*') && part.starts_with(|c: char| c.is_ascii_digit());
        let changes_one = |part: &String| part.ends_with('(') || part.starts_with('^') || is_share(part);
        let is_calculation =
            self.signs > 0 && self.numbers > 1 || self.numbers == 1 && self.parts.iter().any(changes_one);
        (is_calculation && !self.is_open).then(|| self.parts.join(" "))
    }

    /// Takes a sign, and with `in` the unit behind it; how many words that are.
    fn sign(&mut self, words: &[&str]) -> Option<usize> {
        let mut operators = self.operators.iter();
        let (phrase, sign) = operators.find(|(phrase, _)| words.starts_with(phrase))?;
        let (length, sign) = (phrase.len(), *sign);
        self.is_after_unit = false;
        self.parts.push(sign.to_owned());
        if sign == CONVERSION {
            let (unit, count) = self.unit(words.get(length..)?)?;
            self.parts.push(unit);
            return Some(length + count);
        }
        self.signs += 1;
        self.is_open = self.is_open || sign.ends_with('(') && length > 1;
        Some(length)
    }

    /// Takes a number with its unit, if it has one; how many words that are.
    fn number(&mut self, words: &[&str]) -> Option<usize> {
        let first = words.first()?;
        let number = first.parse::<f64>().ok();
        self.last.1 = number.filter(|_| first.starts_with(|c: char| c.is_ascii_digit()))?;
        if self.numbers > 0 && !self.links.is_empty() {
            self.parts.push(COMMA.to_owned());
        }
        self.parts.push((*first).to_owned());
        self.numbers += 1;
        let unit = self.unit(words.get(1..)?);
        self.is_after_unit = unit.is_some();
        self.measured += usize::from(unit.is_some());
        let count = unit.map_or(0, |(unit, count)| {
            self.parts.push(unit.clone());
            self.last.0 = Some(unit);
            count
        });
        if std::mem::take(&mut self.is_open) {
            self.parts.push(")".to_owned());
        }
        Some(1 + count)
    }

    /// The unit or currency that the words begin with; a word that is a sign is none, nor is one that links numbers: the Spanish "y" is
    /// no year.
    fn unit(&self, words: &[&str]) -> Option<(String, usize)> {
        if words.first().is_some_and(|first| self.links.contains(first)) {
            return None;
        }
        if self.operators.iter().any(|(phrase, _)| words.starts_with(phrase)) {
            return None;
        }
        (1..=LONGEST_NAME.min(words.len())).rev().find_map(|count| {
            let name = words.get(..count)?.join(" ");
            let found = listed(UNITS, &name, self.spoken).or_else(|| listed(CURRENCIES, &name, self.spoken));
            let found = found.or_else(|| {
                let shared = self.takes_symbols.then(|| units::known(&name).ok())???;
                Some(shared.plural)
            });
            found.map(|found| (found.to_owned(), count))
        })
    }
}
