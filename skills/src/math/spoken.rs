//! Calculations and units as people say them: `seventeen percent of two thousand`, `Quadratwurzel aus 144`, `Kilometern`.
//!
//! A text is read as a whole or not at all. Calculates nothing.

use serde_json::Value;

use super::{FOLDER, expression, units};
use crate::intent::InLanguage;
use crate::numbers::with_figures;

/// The list of the words that stand for signs. A sign that ends in a bracket holds the number behind it.
pub(super) const OPERATORS: &str = "operator";

/// The list of what units are called.
pub(super) const UNITS: &str = "unit";

/// The list of what currencies are called.
pub(super) const CURRENCIES: &str = "currency";

/// Signs that stand beside figures without a space.
const SIGNS: [char; 10] = ['+', '*', '/', '^', '=', '%', '(', ')', '\u{d7}', '\u{f7}'];

/// A calculation: numbers with signs between them, or one number with a sign that makes another of it.
pub(super) fn read_expression(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let text = with_figures(&apart(&said.to_lowercase()), spoken.lang);
    let words: Vec<&str> = text.split_whitespace().collect();
    let expression = translated(&words, &operators(spoken))?;
    expression::parse(&expression).ok()?;
    Some(Value::from(expression))
}

/// A unit, by one of the names that the list has, or by one that every language shares.
pub(super) fn read_unit(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let file = format!("{UNITS}.value");
    let mut listed = spoken.locales.values(FOLDER, spoken.lang, &file);
    let plain = crate::folded(said);
    let is_called = |forms: &str| forms.split('|').any(|form| crate::folded(form.trim()) == plain);
    let named = listed.find(|(_, forms)| is_called(forms));
    let name = match named {
        Some((name, _)) => name.trim(),
        None => units::find(said).ok()?.plural,
    };
    Some(Value::from(name))
}

/// Signs with a space around them; a hyphen only in front of a figure, and an x only between two.
fn apart(text: &str) -> String {
    let mut spaced = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let before_figure = letters.peek().is_some_and(char::is_ascii_digit);
        let is_minus = matches!(letter, '-' | '\u{2212}') && before_figure;
        let is_times = letter == 'x' && before_figure && spaced.ends_with(|c: char| c.is_ascii_digit());
        if is_minus || is_times || SIGNS.contains(&letter) {
            spaced.extend([' ', letter, ' ']);
        } else {
            spaced.push(letter);
        }
    }
    spaced
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

fn translated(mut words: &[&str], operators: &[(Vec<&str>, &str)]) -> Option<String> {
    let mut parts = Vec::new();
    let (mut numbers, mut signs, mut open) = (0, 0, false);
    while let Some((first, rest)) = words.split_first() {
        if let Some((phrase, sign)) = operators.iter().find(|(phrase, _)| words.starts_with(phrase)) {
            parts.push(*sign);
            signs += 1;
            open = open || sign.ends_with('(') && phrase.len() > 1;
            words = words.get(phrase.len()..)?;
            continue;
        }
        first
            .parse::<f64>()
            .ok()
            .filter(|_| first.starts_with(|c: char| c.is_ascii_digit()))?;
        parts.push(first);
        numbers += 1;
        if std::mem::take(&mut open) {
            parts.push(")");
        }
        words = rest;
    }
    let changes_one = |sign: &&str| sign.ends_with('(') || sign.starts_with('^');
    let is_calculation = signs > 0 && numbers > 1 || numbers == 1 && parts.iter().any(changes_one);
    (is_calculation && !open).then(|| parts.join(" "))
}
