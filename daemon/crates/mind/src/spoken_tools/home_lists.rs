//! Lists that the home keeps under the name that is said: what is put on them, taken off and told is for its tools, whatever
//! sentence asks for it. Nothing here does anything.

use std::sync::Arc;

use loquat_agent::turn::IntendedCall;
use loquat_skills::{alerts, home, lists};
use serde_json::{Map, Value};

use super::last_said::Own;
use super::{LastSaid, SpokenTools, Wish};

/// The intents that name things and their list, and their gaps.
const ADDING: &str = "lists.add";
const REMOVING: &str = "lists.remove";
const ITEMS: &str = "items";
const LIST: &str = "list";

/// Gaps for the name of a list.
const NAMING: [&str; 4] = [LIST, "new_list", "called", "known"];

impl SpokenTools {
    /// What was said last about a list, as a call for a list that is kept here, wherever it is, and as a sentence that names its list:
    /// what a person says next goes on with these words.
    pub(super) fn as_asked(&self, last: Arc<LastSaid>) -> Arc<LastSaid> {
        let deed = last.deed.clone().map(|deed| self.as_asked(deed));
        let asked = self.asked_of_list(&last);
        if asked.is_none() && deed.is_none() {
            return last;
        }
        let last = Arc::unwrap_or_clone(last);
        let (call, own) = match asked {
            Some((call, own)) => (call, Some(own)),
            None => (last.call.clone(), last.own.clone()),
        };
        Arc::new(last.asked_as(call, own, deed))
    }

    fn asked_of_list(&self, last: &LastSaid) -> Option<(IntendedCall, Own)> {
        let own = last.own.as_ref()?;
        if self.intents.toolbox_of(&own.intent) != Some(lists::ID) {
            return None;
        }
        let call = self.as_said(own, &last.lang)?;
        let own = self
            .naming_list(own, &call, &last.lang)
            .unwrap_or_else(|| own.clone());
        Some((call, own))
    }

    /// The sentence with its list, where a deed was asked for without one: "we need salt".
    fn naming_list(&self, own: &Own, call: &IntendedCall, lang: &str) -> Option<Own> {
        let mut deeds = [(lists::ADD, ADDING), (lists::REMOVE, REMOVING)].into_iter();
        let (_, intent) = deeds.find(|(tool, _)| *tool == call.tool)?;
        if own.slots.iter().any(|(slot, _)| NAMING.contains(&slot.as_str())) {
            return None;
        }
        let text = |argument: &str| call.arguments.get(argument)?.as_str().map(str::to_owned);
        let standard = || lists::names_of(None, self.locales(), lang).into_iter().next();
        let list = text("list").or_else(standard)?;
        let slots = [(ITEMS, text(ITEMS)?), (LIST, list)];
        Some(Own {
            intent: intent.to_owned(),
            slots: slots.map(|(slot, said)| (slot.to_owned(), said)).to_vec(),
            carried: Map::new(),
            base: None,
        })
    }

    /// The call for the tools that keep the list; nothing where these cannot do it.
    pub(super) fn where_it_is_kept(&self, call: IntendedCall, lang: &str) -> Option<IntendedCall> {
        if let Some(timers) = alerts::each_timer(&call) {
            return IntendedCall::together(timers);
        }
        if call.toolbox_id == home::ID && call.tool == home::CHANGE_LIST {
            return Some(self.one_by_one(call, lang));
        }
        if call.toolbox_id != lists::ID {
            return Some(call);
        }
        let text = |argument: &str| call.arguments.get(argument).and_then(Value::as_str);
        let names = lists::names_of(text("list"), self.locales(), lang);
        let Some(list) = self.intents.list_of_home(&names) else {
            return Some(call);
        };
        let kept = match call.tool.as_str() {
            lists::ADD => self.changed_at_home("add", text("items")?, &list, lang),
            lists::REMOVE => self.changed_at_home("remove", text("items")?, &list, lang),
            lists::READ | lists::FIND => Some(at_home(home::READ_LIST, &[("list", &list)])),
            lists::CLEAR => Some(at_home(home::CLEAR_LIST, &[("list", &list)])),
            _ => return Some(call),
        };
        kept.map(|kept| guessed_as(call.is_guess, kept))
    }

    /// A change of a list of the home for each thing that it names.
    fn one_by_one(&self, call: IntendedCall, lang: &str) -> IntendedCall {
        let text = |argument: &str| call.arguments.get(argument).and_then(Value::as_str);
        let items = text("item").and_then(|items| lists::items_of(items, self.locales(), lang));
        let names_several = items.is_some_and(|items| items.len() > 1) && call.further.is_empty();
        let several = || {
            let (action, items, list) = (text("action")?, text("item")?, text("list")?);
            self.changed_at_home(action, items, list, lang)
        };
        let is_guess = call.is_guess;
        let several = names_several.then(several).flatten();
        several.map_or(call, |several| guessed_as(is_guess, several))
    }

    fn changed_at_home(&self, action: &str, items: &str, list: &str, lang: &str) -> Option<IntendedCall> {
        let items = lists::items_of(items, self.locales(), lang)?;
        let change = |item: &String| {
            at_home(
                home::CHANGE_LIST,
                &[("action", action), ("item", item.as_str()), ("list", list)],
            )
        };
        let mut calls = items.iter().map(change);
        let first = calls.next()?;
        Some(IntendedCall {
            further: calls.collect(),
            ..first
        })
    }
}

/// Whether several calls are one wish: a list of the home takes one thing at a time.
pub(super) fn is_of_one(call: &IntendedCall, wishes: &[Wish]) -> bool {
    wishes.len() == 1 && call.tool == home::CHANGE_LIST
}

/// The call and what it asks for besides: where the sentence was guessed, a person is asked before each of them.
fn guessed_as(is_guess: bool, call: IntendedCall) -> IntendedCall {
    let further = call.further.into_iter();
    let further = further.map(|further| guessed_as(is_guess, further)).collect();
    IntendedCall {
        is_guess,
        further,
        ..call
    }
}

fn at_home(tool: &str, arguments: &[(&str, &str)]) -> IntendedCall {
    let arguments = arguments.iter();
    let arguments = arguments.map(|(name, value)| ((*name).to_owned(), Value::from(*value)));
    IntendedCall {
        toolbox_id: home::ID.to_owned(),
        tool: tool.to_owned(),
        arguments: arguments.collect::<Map<String, Value>>(),
        ..IntendedCall::default()
    }
}
