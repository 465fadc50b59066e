//! A plan: a list of steps and what each needs, or the answer when no plan is needed.

mod list;

use serde_json::{Value, json};

use super::{Heard, Otherwise, Phase, head, object, text};
use crate::dialect::examples::{asked_for, behind_tools, brought, first_of_several};
use crate::dialect::{Dialect, Speech, prompts};
use crate::toolbox::Example;
use list::{behind_step_word, bulleted, counted, numbered};
use loquat_decoder::language::in_all;
use loquat_decoder::{Call, Flaw, LabelKind, label_at};

/// Asks for a plan of at most so many steps.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Further ones are cut off.
    pub most: usize,
}

/// The instructions for a plan.
pub fn planning(speech: &Speech<'_>) -> String {
    match speech.dialect {
        Dialect::Schema => one_object(speech),
        _ => speech.with_tools(&prompts::PLAN_TEXT),
    }
}

/// The instructions for a plan as one JSON object. What one tool does is one step in the person's own words; a small model
/// otherwise breaks up everything.
fn one_object(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let at_once = |(_, example): (String, Example)| {
        let step = json!({"step": example.question, "needs": []});
        asked_for(
            &example,
            &json!({"thought": "One call does this.", "steps": [step]}),
        )
    };
    let examples = [
        first_of_several(catalogue).map(at_once),
        Some(format!("{}\n", speech.text(&prompts::PLAN_SCHEMA_EXAMPLES))),
        brought(catalogue).map(at_once),
    ];
    let examples: String = examples.into_iter().flatten().collect();
    behind_tools(speech, &prompts::PLAN_SCHEMA, examples.trim_end())
}

/// The word of a planner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Planned {
    /// These steps are to be taken; never empty.
    Steps(Vec<Item>),
    /// No plan is needed: this is the answer.
    Answer(String),
}

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What is to be done.
    pub text: String,
    /// The numbers, from 1, of the steps it waits for; nothing when it was not said, so that it waits for all before it.
    pub needs: Option<Vec<usize>>,
}

impl Phase for Plan {
    type Meaning = Planned;

    fn schema(&self) -> Option<Value> {
        let step = object(&[
            ("step", text(200)),
            (
                "needs",
                json!({"type": "array", "items": {"type": "integer"}, "maxItems": 6}),
            ),
        ]);
        let steps = json!({"type": "array", "items": step, "minItems": 1, "maxItems": self.most});
        let answer = json!({"type": "string", "minLength": 1});
        // The thought comes first, so that a small model chooses by it.
        let thinking = |member| object(&[("thought", text(160)), member]);
        Some(json!({"anyOf": [thinking(("steps", steps)), thinking(("answer", answer))]}))
    }

    fn read(&self, heard: &Heard<'_>) -> Result<Planned, Flaw> {
        let mut listed = if answers(heard) { Vec::new() } else { items(heard) };
        // What a step that was cut off was to be cannot be known.
        if heard.is_cut() && listed.pop().is_some() && listed.is_empty() {
            return Err(Flaw::CutOff);
        }
        listed.truncate(self.most);
        if !listed.is_empty() {
            return Ok(Planned::Steps(listed));
        }
        match heard.otherwise()? {
            Otherwise::Answer(text) => Ok(Planned::Answer(text)),
            // It went ahead instead of planning: what it would do is the plan.
            Otherwise::Calls(calls) => {
                let call = |call: &Call| Item {
                    text: format!(
                        "Call {} with {}",
                        call.tool,
                        Value::Object(call.arguments.named())
                    ),
                    needs: None,
                };
                Ok(Planned::Steps(calls.iter().take(self.most).map(call).collect()))
            }
        }
    }

    fn shape(&self) -> &'static str {
        "Reply with a numbered list of steps, or with FINAL_ANSWER: and the answer."
    }
}

/// Tells whether the reply says that it is the answer, whatever lists are in it.
fn answers(heard: &Heard<'_>) -> bool {
    let is_item = |line: &str| numbered(line).or_else(|| bulleted(line)).is_some();
    let is_answer = |line: &str| {
        let kind = label_at(line, 0).map(|mark| mark.kind);
        matches!(kind, Some(LabelKind::Answer | LabelKind::WeakAnswer))
    };
    let before = heard.text.lines().take_while(|line| !is_item(line));
    before.into_iter().any(is_answer)
        || heard
            .json()
            .is_some_and(|value| value.get("answer").is_some_and(Value::is_string))
}

/// The items of the list that a reply is or holds, numbered ones before others; none when there is no list.
pub(crate) fn items(heard: &Heard<'_>) -> Vec<Item> {
    if let Some(value) = heard.json() {
        return of_json(&value);
    }
    let lines = || heard.text.lines();
    let numbered: Vec<Item> = lines().filter_map(numbered).map(item).collect();
    if !numbered.is_empty() {
        return numbered;
    }
    let counted = counted(&heard.text);
    if !counted.is_empty() {
        return counted.into_iter().map(item).collect();
    }
    if talks(&heard.text) {
        return Vec::new();
    }
    let at_margin: Vec<Item> = lines().filter_map(bulleted).map(item).collect();
    if !at_margin.is_empty() {
        return at_margin;
    }
    lines()
        .filter_map(|line| bulleted(line.trim_start()))
        .map(item)
        .collect()
}

/// Tells whether whole sentences come before the first bullet: then the list is a part of what is said, and no plan.
fn talks(text: &str) -> bool {
    let before = text.lines().take_while(|line| bulleted(line).is_none());
    let before = before.collect::<Vec<_>>().join("\n").to_lowercase();
    let mut plans = in_all(|language| &language.words.step).chain(["plan", "thought"]);
    let ends_sentence = |(at, c): (usize, char)| {
        let next = before
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        matches!(c, '.' | '!' | '?') && next.is_some_and(char::is_whitespace)
    };
    before.char_indices().any(ends_sentence) && !plans.any(|word| before.contains(word))
}

fn of_json(value: &Value) -> Vec<Item> {
    let list = match value {
        Value::Array(list) => Some(list),
        Value::Object(members) => ["steps", "plan", "tasks", "subtasks"]
            .iter()
            .find_map(|key| members.get(*key).and_then(Value::as_array)),
        _ => None,
    };
    let one = |entry: &Value| match entry {
        Value::String(text) => Some(item(text.trim())),
        Value::Object(members) => {
            let keys = ["step", "description", "task", "text", "action", "title", "name"];
            let text = keys
                .iter()
                .find_map(|key| members.get(*key).and_then(Value::as_str))?;
            let needs = ["needs", "depends_on", "dependencies", "after"]
                .iter()
                .find_map(|key| members.get(*key).and_then(Value::as_array));
            let needs = needs.map(|list| list.iter().filter_map(number).collect());
            Some(Item {
                needs,
                ..item(text.trim())
            })
        }
        _ => None,
    };
    let keyed = value
        .as_object()
        .filter(|_| list.is_none())
        .and_then(numbered_members);
    let all = list
        .into_iter()
        .flatten()
        .chain(keyed.into_iter().flatten())
        .filter_map(one);
    all.filter(|item| !item.text.is_empty()).collect()
}

/// Reads the values of `{"step1": …, "step2": …}` or `{"1": …, "2": …}`.
fn numbered_members(members: &serde_json::Map<String, Value>) -> Option<Vec<&Value>> {
    let is_number = |key: &String| {
        let digits = behind_step_word(key)
            .unwrap_or(key)
            .trim_start_matches(['_', '-', ' ']);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    (!members.is_empty() && members.keys().all(is_number)).then(|| members.values().collect())
}

fn number(value: &Value) -> Option<usize> {
    crate::setting::whole(value).map(|number| number as usize)
}

/// The longest step that is kept, in characters.
const LONGEST_STEP: usize = 400;

/// A step without its emphasis, and with what it says it needs: `(needs: 1, 2)`, `(needs: none)`.
fn item(text: &str) -> Item {
    let text = head(text, LONGEST_STEP).trim_end_matches(['*', '_']).trim();
    let text = if text.matches("**").count() == 1 {
        text.replacen("**", "", 1)
    } else {
        text.to_owned()
    };
    let note = text.rfind(['(', '[']).and_then(|open| {
        let note = text
            .get(open + 1..)?
            .trim_end_matches(['.', ' '])
            .strip_suffix([')', ']'])?;
        let named = ["needs", "need", "after", "depends on", "depends"]
            .iter()
            .find_map(|word| {
                note.get(..word.len())
                    .filter(|head| head.eq_ignore_ascii_case(word))
            })?;
        let listed = note.get(named.len()..)?;
        let numbers = listed.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<usize> = numbers.filter_map(|number| number.parse().ok()).collect();
        let none = ["none", "nothing", "-"]
            .iter()
            .any(|word| listed.to_lowercase().contains(word));
        (none || !numbers.is_empty()).then_some((open, numbers))
    });
    match note {
        Some((open, needs)) => Item {
            text: text.get(..open).unwrap_or(&text).trim().to_owned(),
            needs: Some(needs),
        },
        None => Item { text, needs: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brain::{ChatReply, Finish};
    use loquat_decoder::{Names, decode};

    fn reply(text: &str) -> ChatReply {
        ChatReply::of_words(text)
    }

    fn read(text: &str) -> Planned {
        let names = Names::default();
        Plan { most: 3 }.read(&Heard::new(&reply(text), &names)).unwrap()
    }

    fn check(text: &str, expected: &[&str]) {
        match read(text) {
            Planned::Steps(items) => {
                let texts: Vec<_> = items.iter().map(|item| item.text.as_str()).collect();
                assert_eq!(texts, expected, "for {text:?}");
            }
            Planned::Answer(answer) => panic!("{text:?} is taken for the answer {answer:?}"),
        }
    }

    #[test]
    fn lists_are_plans_however_they_are_written() {
        for text in [
            "1. One\n2. Two",
            "Plan:\n- One\n- Two",
            "Step 1: One\nStep 2: Two",
            "**Step 1:** One\n**Step 2:** Two",
            "1) **One**\n   - a detail\n2) Two",
            "(1) One\n(2) Two",
            "## 1. One\n\nwords\n\n## 2. Two",
            "* One\n* Two",
            "Task 1: One\nTask 2: Two",
            "Schritt 1: One\nSCHRITT 2: Two",
            "1️⃣ One\n2️⃣ Two",
            "I. One\nII. Two",
            "1.One\n2)Two",
            "plan:\n  - One\n  - Two",
            "<ol>\n<li>One</li>\n<li>Two</li>\n</ol>",
            "1、One\n2、Two",
            "１．One\n２．Two",
            "（1）One\n（2）Two",
            "| # | Step |\n|---|---|\n| 1 | One |\n| 2 | Two |",
            "第1步：One\n第2步：Two",
            "Étape 1: One\nÉtape 2: Two",
            "Étape 1 : One\n**Étape\u{a0}2\u{202f}:** Two",
            "{\"step1\": \"One\", \"step2\": \"Two\"}",
            "a) One\nb) Two",
            "I will do this. The plan:\n- One\n- Two",
            "<think>1. Zero</think>1. One\n2. Two",
            "{\"steps\": [{\"step\": \"One\", \"needs\": []}, {\"step\": \"Two\", \"needs\": [1]}]}",
            "```json\n[\"One\", \"Two\"]\n```",
        ] {
            check(text, &["One", "Two"]);
        }
        check("1. a\n2. b\n3. c\n4. d", &["a", "b", "c"]);
    }

    #[test]
    fn a_step_that_was_cut_off_is_no_step() {
        let names = Names::default();
        let plan = |text: &str| {
            let reply = ChatReply {
                finish: Finish::Length,
                ..reply(text)
            };
            Plan { most: 3 }.read(&Heard::new(&reply, &names))
        };
        assert_eq!(plan("1. One\n2. Tw"), Ok(Planned::Steps(vec![item("One")])));
        assert_eq!(plan("1. On"), Err(Flaw::CutOff));
    }

    #[test]
    fn an_explanation_of_a_call_is_no_step() {
        let names = Names::new(["add".to_owned()]);
        let plan = |text: &str| Plan { most: 3 }.read(&Heard::new(&reply(text), &names));
        let guessed = "Grund: zwei Zahlen\nHilfsmittel: add\nWerte: {\"a\": 1}";
        assert!(
            decode(&reply(guessed), &names).guessed,
            "else this proves nothing"
        );
        assert_eq!(plan(guessed), Err(Flaw::Unlabelled));
        let called = plan("Action: add\nAction Input: {\"a\": 1}");
        assert!(matches!(called, Ok(Planned::Steps(_))), "{called:?}");
    }

    #[test]
    fn words_without_a_list_are_the_answer() {
        for (text, answer) in [
            ("Hello!", "Hello!"),
            ("FINAL_ANSWER: Buy\n- milk\n- eggs", "Buy\n- milk\n- eggs"),
            ("Thought: easy\nFINAL_ANSWER: 1. Paris", "1. Paris"),
            ("{\"answer\": \"Paris\"}", "Paris"),
            ("3.14 is pi.", "3.14 is pi."),
            ("I. Newton found it.", "I. Newton found it."),
            ("2 : 1 is the ratio.", "2 : 1 is the ratio."),
            (
                "You could have this. Try one of:\n- tea\n- coffee",
                "You could have this. Try one of:\n- tea\n- coffee",
            ),
        ] {
            assert_eq!(read(text), Planned::Answer(answer.into()), "for {text:?}");
        }
    }

    #[test]
    fn steps_tell_what_they_need() {
        let needs = |text: &str| item(text).needs;
        assert_eq!(needs("Look it up (needs: none)"), Some(vec![]));
        assert_eq!(needs("Add them (needs: 1, 2)"), Some(vec![1, 2]));
        assert_eq!(needs("Add them [after 3]."), Some(vec![3]));
        assert_eq!(needs("Add them (both)"), None);
        assert_eq!(item("Add them (needs: 1, 2)").text, "Add them");
    }
}
