//! The words of a language for the states of things, as its own questions have them. Translates nothing else.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::State;
use crate::template::{Kind, Piece, Spelling, Template};

/// The lists of states that questions are asked with, the most usual first.
const LISTS: [&str; 5] = [
    "on_off_states",
    "cover_states",
    "lock_states",
    "presence_states",
    "person_states",
];

/// Where states are what people and programs have written, and no words of Home Assistant.
const FREE: [&str; 6] = [
    "calendar",
    "input_select",
    "input_text",
    "select",
    "sensor",
    "text",
];

/// What a language calls the states that Home Assistant has words for.
#[derive(Debug, Default)]
pub(super) struct StateWords(BTreeMap<String, String>);

impl StateWords {
    /// Those of a file of the community's sentences.
    pub(super) fn from_pack(pack: &Json) -> Self {
        let mut words = BTreeMap::new();
        let lists = LISTS.iter().filter_map(|list| pack.get("lists")?.get(list));
        let values = lists.filter_map(|list| list.get("values")?.as_array()).flatten();
        for value in values {
            let (said, state) = (value.get("in"), value.get("out"));
            let word = said.and_then(Json::as_str).and_then(first_form);
            if let (Some(word), Some(state)) = (word, state.and_then(Json::as_str)) {
                words.entry(state.to_owned()).or_insert(word);
            }
        }
        Self(words)
    }

    /// A thing as a template can tell it: its state in words of the language, unless the template has words for it itself.
    pub(super) fn told(&self, state: &State, template: &str) -> State {
        let is_known_there = quoted(&state.state)
            .iter()
            .any(|quoted| template.contains(quoted));
        match self.0.get(&state.state).filter(|_| !is_known_there) {
            Some(word) => State {
                state: word.clone(),
                state_with_unit: word.clone(),
                ..state.clone()
            },
            None => state.clone(),
        }
    }

    /// The state of one of these things, each with how it was told, that stands in a text as it is although it is no word of
    /// the language.
    pub(super) fn untold<'s>(
        &self,
        things: impl Iterator<Item = (&'s State, &'s State)>,
        text: &str,
    ) -> Option<&'s str> {
        let says = |state: &str| {
            text.split(|sign: char| !is_of_state(sign))
                .any(|word| word == state)
        };
        let as_it_is = things.filter(|(thing, told)| thing.state == told.state);
        let mut states = as_it_is
            .filter(|(thing, _)| is_code(thing))
            .map(|(thing, _)| thing.state.as_str());
        states.find(|state| self.0.get(*state).map(String::as_str) != Some(*state) && says(state))
    }
}

/// Whether a state is a word of Home Assistant, which is no word of any language's.
fn is_code(thing: &State) -> bool {
    let state = thing.state.as_str();
    let is_zone = thing.domain == "person" && !matches!(state, "home" | "not_home");
    !state.is_empty() && !is_zone && !FREE.contains(&thing.domain.as_str()) && state.chars().all(is_of_state)
}

fn is_of_state(sign: char) -> bool {
    sign.is_ascii_lowercase() || sign == '_'
}

fn quoted(state: &str) -> [String; 2] {
    [format!("'{state}'"), format!("\"{state}\"")]
}

/// The first of the forms that a template has; nothing where that would be a part of a word.
fn first_form(template: &str) -> Option<String> {
    let mut form = String::new();
    write(
        &Template::read(template, Spelling::Community).ok()?.root,
        &mut form,
    )?;
    let form = form.split_whitespace().collect::<Vec<_>>().join(" ");
    (!form.is_empty()).then_some(form)
}

fn write(piece: &Piece, form: &mut String) -> Option<()> {
    match piece {
        Piece::Words(words) => form.push_str(words),
        Piece::Sequence(parts) => parts.iter().try_for_each(|part| write(part, form))?,
        Piece::Either(parts, Kind::Required) => write(parts.first()?, form)?,
        // What may be left out is left out, if it does not end the word before it.
        Piece::Either(_, Kind::Optional) => return (!form.ends_with(char::is_alphanumeric)).then_some(()),
        Piece::AnyOrder(_) | Piece::Slot { .. } | Piece::Rule(_) => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> StateWords {
        StateWords::from_pack(&serde_json::json!({"lists": {
            "on_off_states": {"values": [
                {"in": "aan", "out": "on"}, {"in": "(uit|afgezet)", "out": "off"},
            ]},
            "lock_states": {"values": [{"in": "[op ]slot", "out": "locked"}, {"in": "włącz[ony|one]", "out": "unlocked"}]},
        }}))
    }

    fn thing(domain: &str, state: &str) -> State {
        State {
            domain: domain.into(),
            state: state.into(),
            state_with_unit: state.into(),
            ..State::default()
        }
    }

    #[test]
    fn a_state_has_the_first_whole_word_of_its_list() {
        let words = words();
        for (state, word) in [
            ("on", "aan"),
            ("off", "uit"),
            ("locked", "slot"),
            ("unlocked", "unlocked"),
        ] {
            assert_eq!(
                words.told(&thing("light", state), "{{ state.state }}").state,
                word
            );
        }
    }

    #[test]
    fn a_template_that_has_words_itself_is_given_the_state_as_it_is() {
        let told = words().told(
            &thing("light", "on"),
            "{% if state.state == 'on' %}włączone{% endif %}",
        );
        assert_eq!(told.state, "on");
    }

    #[test]
    fn a_state_without_a_word_is_found_in_a_text() {
        let words = words();
        let untold = |domain: &str, state: &str, text: &str| {
            let thing = thing(domain, state);
            words
                .untold(std::iter::once((&thing, &thing)), text)
                .map(str::to_owned)
        };
        assert_eq!(
            untold("light", "unlocked", "Het slot is unlocked").as_deref(),
            Some("unlocked")
        );
        assert_eq!(
            untold("person", "not_home", "Anna är på not_home").as_deref(),
            Some("not_home")
        );
        assert_eq!(untold("person", "work", "Anna är på work"), None);
        assert_eq!(untold("sensor", "rinse", "De was is rinse"), None);
        assert_eq!(untold("sensor", "21", "Het is 21"), None);
    }
}
