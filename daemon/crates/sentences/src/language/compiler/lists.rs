//! Compiles lists: values, ranges of numbers, open text, and what only a home knows.

use super::{Compiler, Complaint, Problem, Scope};
use crate::choices::{Choice as Value, Choices, Said};
use crate::language::Choice;
use crate::phrase::Phrase;
use crate::source::{List, ListValue, Numbers, Undeclared};
use crate::spoken::even;
use crate::template::Template;

impl Compiler<'_> {
    /// The number of a list by its name.
    pub(super) fn list(&mut self, name: &str, scope: &mut Scope<'_>) -> Result<u32, Problem> {
        if let Some(known) = scope.known_list(name) {
            return known;
        }
        scope.begin_list(name)?;
        let number = self.choice(name, scope).map(|choice| {
            self.language.lists.push(choice);
            (self.language.lists.len() - 1) as u32
        });
        scope.end_list(name, &number);
        number
    }

    fn choice(&mut self, name: &str, scope: &mut Scope<'_>) -> Result<Choice, Problem> {
        Ok(match scope.lists.get(name) {
            Some(List::Values(values)) => Choice::Values(self.values(values, scope)),
            Some(List::Numbers(numbers)) => self.numbers(numbers.clone()),
            Some(List::Open) => Choice::Open,
            Some(List::Home) => Choice::Home(name.to_owned()),
            None => self.undeclared(name, scope)?,
        })
    }

    /// A range that a template brings itself, or any words.
    fn undeclared(&mut self, name: &str, scope: &Scope<'_>) -> Result<Choice, Problem> {
        match inline_range(name) {
            Some(numbers) => Ok(self.numbers(numbers)),
            None if self.source.undeclared == Undeclared::Words => Ok(Choice::Words),
            None => Err(Problem::List {
                list: name.to_owned(),
                there: scope
                    .lists
                    .keys()
                    .map(String::as_str)
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    fn numbers(&mut self, numbers: Numbers) -> Choice {
        let language = numbers
            .words_language
            .clone()
            .unwrap_or_else(|| self.source.language.clone());
        let words = numbers.words.then(|| self.number_words(&language));
        Choice::Numbers { numbers, words }
    }

    /// The values of a list; one that cannot be read is left out and reported.
    fn values(&mut self, values: &[ListValue], scope: &mut Scope<'_>) -> Choices {
        let mut has_slots = false;
        let mut all = Vec::with_capacity(values.len());
        for value in values {
            match self.said(&value.said, scope) {
                Ok((said, slots)) => {
                    has_slots |= slots;
                    all.push(Value {
                        said,
                        value: value.value.clone(),
                        context: value.context.clone(),
                    });
                }
                Err(problem) => self.complaints.push(Complaint {
                    intent: None,
                    block: 0,
                    sentence: Some(value.said.chars().take(200).collect()),
                    problem,
                }),
            }
        }
        Choices::new(all, has_slots)
    }

    /// How a value is said, and whether it has slots of its own.
    fn said(&mut self, said: &str, scope: &mut Scope<'_>) -> Result<(Said, bool), Problem> {
        if !Template::is_one(said) {
            return Ok((Said::Plainly(Phrase::new(&even(said))), false));
        }
        let compiled = self.piece(&Template::read(said, self.source.spelling)?.root, scope)?;
        Ok((Said::As(compiled.node), compiled.has_slots))
    }
}

/// The numbers of `{1..5:slot}` or `{0..100,10:slot}`.
fn inline_range(name: &str) -> Option<Numbers> {
    let (from, rest) = name.split_once("..")?;
    let (to, step) = rest.split_once(',').unwrap_or((rest, "1"));
    let (from, to, step): (i64, i64, i64) = (from.parse().ok()?, to.parse().ok()?, step.parse().ok()?);
    (from <= to && step > 0).then(|| Numbers {
        step,
        ..Numbers::between(from, to)
    })
}
