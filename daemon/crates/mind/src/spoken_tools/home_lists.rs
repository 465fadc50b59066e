//! Lists that the home keeps under the name that is said: what is put on them, taken off and told is for its tools, whatever
//! sentence asks for it. Nothing here does anything.

use loquat_agent::turn::IntendedCall;
use loquat_skills::{alerts, home, lists};
use serde_json::{Map, Value};

use super::SpokenTools;

impl SpokenTools {
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
