//! Finds rules that begin with themselves, also behind parts that may be empty. Never calls itself along a chain of
//! rules, since a grammar may be long.

use std::collections::{BTreeMap, BTreeSet};

use super::check::GrammarError;
use super::syntax::{Choices, Item, Rules, What};

/// Checks that all rules are there and none begins with itself.
pub(super) fn check(rules: &Rules<'_>) -> Result<(), GrammarError> {
    let mut named = BTreeSet::new();
    for rule in rules.values() {
        collect_names(&rule.choices, &mut named);
    }
    if let Some(missing) = named.iter().find(|name| !rules.contains_key(**name)) {
        return Err(GrammarError::NoSuchRule((*missing).to_owned()));
    }
    let empty = rules_that_may_be_empty(rules);
    let beginnings = rules
        .iter()
        .map(|(name, rule)| {
            let mut first = BTreeSet::new();
            collect_beginnings(&rule.choices, &empty, &mut first);
            (*name, first)
        })
        .collect();
    match find_cycle(&beginnings) {
        Some(name) => Err(GrammarError::LeftRecursion(name.to_owned())),
        None => Ok(()),
    }
}

fn collect_names<'a>(choices: &Choices<'a>, names: &mut BTreeSet<&'a str>) {
    for item in choices.iter().flatten() {
        match &item.what {
            What::Letters(_) => {}
            What::Rule(name) => {
                names.insert(name);
            }
            What::Group(choices) => collect_names(choices, names),
        }
    }
}

/// Which rules can stand for no text at all; repeated until nothing changes, as emptiness comes from other rules.
fn rules_that_may_be_empty<'a>(rules: &Rules<'a>) -> BTreeSet<&'a str> {
    let mut empty = BTreeSet::new();
    loop {
        let before = empty.len();
        for (name, rule) in rules {
            if some_choice_is_empty(&rule.choices, &empty) {
                empty.insert(*name);
            }
        }
        if empty.len() == before {
            return empty;
        }
    }
}

fn some_choice_is_empty(choices: &Choices<'_>, empty: &BTreeSet<&str>) -> bool {
    choices
        .iter()
        .any(|sequence| sequence.iter().all(|item| may_be_empty(item, empty)))
}

fn may_be_empty(item: &Item<'_>, empty: &BTreeSet<&str>) -> bool {
    item.optional
        || match &item.what {
            What::Letters(letters) => *letters == 0,
            What::Rule(name) => empty.contains(name),
            What::Group(choices) => some_choice_is_empty(choices, empty),
        }
}

/// The rules that may come first in these choices.
fn collect_beginnings<'a>(choices: &Choices<'a>, empty: &BTreeSet<&str>, first: &mut BTreeSet<&'a str>) {
    for sequence in choices {
        for item in sequence {
            match &item.what {
                What::Letters(_) => {}
                What::Rule(name) => {
                    first.insert(name);
                }
                What::Group(choices) => collect_beginnings(choices, empty, first),
            }
            if !may_be_empty(item, empty) {
                break;
            }
        }
    }
}

/// A rule that comes first in itself: what is left after taking away, again and again, the rules that only begin with
/// rules already taken away.
fn find_cycle<'a>(beginnings: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Option<&'a str> {
    let mut open: BTreeMap<&str, usize> = beginnings
        .iter()
        .map(|(name, first)| (*name, first.len()))
        .collect();
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, first) in beginnings {
        for used in first {
            users.entry(used).or_default().push(name);
        }
    }
    let mut done: Vec<&str> = open
        .iter()
        .filter(|(_, left)| **left == 0)
        .map(|(name, _)| *name)
        .collect();
    while let Some(name) = done.pop() {
        open.remove(name);
        for user in users.get(name).into_iter().flatten() {
            if let Some(left) = open.get_mut(user) {
                *left -= 1;
                if *left == 0 {
                    done.push(user);
                }
            }
        }
    }
    let start = beginnings.keys().find(|name| open.contains_key(**name))?;
    Some(follow_into_cycle(start, beginnings, &open))
}

/// What is left also holds rules that only lead into a circle; going on from any of them ends in the circle itself.
fn follow_into_cycle<'a>(
    start: &'a str,
    beginnings: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    open: &BTreeMap<&str, usize>,
) -> &'a str {
    let mut seen = BTreeSet::new();
    let mut here = start;
    while seen.insert(here) {
        let next = beginnings
            .get(here)
            .into_iter()
            .flatten()
            .find(|next| open.contains_key(**next));
        here = next.copied().unwrap_or(here);
    }
    here
}
