//! A reply of one step, in whatever form it comes: JSON, labels, marks or plain words. Reads none of these forms itself; it
//! says which of them a reply is taken for.

use super::action::Act;
use super::call::{Arguments, Call, Ending, Names, squash};
use super::json::{JsonError, parse_prefix, parse_whole};
use super::marker::{Marker, behind};
use super::object::{self, Meaning};
use super::parted::Parted;
use super::react;
use super::recognised::is_label;
use super::reply::{ChatReply, Finish, NativeCall};
use super::verdict::{Decoded, Flaw, Verdict, settle};
use super::{answer_tag, embedded, fence, foreign, harmony, plain, pythonic, specials, tagged, think};

/// This marks an answer in the middle of a line.
const INLINE_ANSWER: &[Marker] = &[("final answer", false)];

/// Understands a reply, given the names of the tools on offer.
pub fn decode(reply: &ChatReply, names: &Names) -> Decoded {
    let (thought, text) = part_reply(reply);
    let text = text.as_str();
    let ending = if reply.finish == Finish::Length {
        Ending::Cut
    } else {
        Ending::Strict
    };
    let mut decoded = Decoded {
        thought,
        aside: String::new(),
        guessed: false,
        marked: false,
        is_last: false,
        verdict: Verdict::Flawed(Flaw::Empty),
    };
    decoded.verdict = if reply.tool_calls.is_empty() {
        of_text(text, names, ending, &mut decoded)
    } else {
        of_native(&reply.tool_calls, text, names, ending, &mut decoded)
    };
    decoded.verdict = settle(decoded.verdict, names, &decoded.thought, ending);
    decoded
}

/// Parts a reply into its reasoning and its own text, without the tokens of chat templates.
pub fn part_reply(reply: &ChatReply) -> (String, String) {
    let parted = part(&reply.content);
    let text = specials::strip(&parted.text).trim();
    let thought = join(reply.reasoning.trim(), &parted.thought);
    match answer_tag::part(text) {
        Some((before, answer)) => (join(&thought, before), answer.to_owned()),
        None => (thought, text.to_owned()),
    }
}

/// A reply that is one strict JSON object is no reasoning, whatever its strings speak of.
fn part(content: &str) -> Parted {
    let body = content.trim();
    if body.starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(body).is_ok() {
        return Parted {
            text: body.to_owned(),
            ..Parted::default()
        };
    }
    think::part(content)
}

pub(super) fn join(one: &str, other: &str) -> String {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other.to_owned(),
        (_, true) => one.to_owned(),
        _ => format!("{one}\n{other}"),
    }
}

fn of_native(
    calls: &[NativeCall],
    text: &str,
    names: &Names,
    ending: Ending,
    decoded: &mut Decoded,
) -> Verdict {
    let mut reading = react::read(text, names, ending);
    if let Some(answer) = reading.answer {
        let dropped = calls.iter().map(|call| call.name.clone()).collect();
        return Verdict::Answer {
            text: answer,
            dropped,
        };
    }
    let made: Vec<Call> = calls
        .iter()
        .filter_map(|call| {
            Some(Call {
                id: Some(call.id.clone()),
                tool: native_name(call, names)?.to_owned(),
                arguments: Arguments::from_text(&call.arguments, ending),
            })
        })
        .collect();
    if made.is_empty() {
        return of_text(text_for_anybody(calls, text), names, ending, decoded);
    }
    text.clone_into(&mut decoded.aside);
    let mut dropped = labelled_beside(&mut reading, &made);
    dropped.extend(marked_beside(text, &made, names));
    Verdict::Calls { calls: made, dropped }
}

/// Names the tool that a native call is for; nothing where a server took a message to the person for a call.
fn native_name<'c>(call: &'c NativeCall, names: &Names) -> Option<&'c str> {
    let written = call.name.trim();
    if names.iter().any(|name| name == written) {
        return Some(written);
    }
    harmony::called(written)
}

/// Finds what a message says that a server took for a call: the text beside it, else what stands in the place of
/// arguments.
fn text_for_anybody<'c>(calls: &'c [NativeCall], text: &'c str) -> &'c str {
    let said = calls.iter().map(|call| call.arguments.trim());
    let words = || said.into_iter().find(|said| embedded::is_prose(said));
    Some(text)
        .filter(|text| !text.is_empty())
        .or_else(words)
        .unwrap_or_default()
}

fn of_text(text: &str, names: &Names, ending: Ending, decoded: &mut Decoded) -> Verdict {
    let verdict = of_any(text, names, ending, decoded);
    // What is missing of a call may be what matters in it.
    let is_half = ending == Ending::Cut && matches!(verdict, Verdict::Calls { .. }) && is_open(text);
    if is_half {
        Verdict::Flawed(Flaw::CutOff)
    } else {
        verdict
    }
}

/// Tells whether a bracket or a text is still open at the end; what a brain invents of an observation does not count.
fn is_open(text: &str) -> bool {
    let own = text.split("\nObservation").next().unwrap_or(text);
    let mut depth = 0_i64;
    let mut in_text = false;
    let mut escaped = false;
    for c in own.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = in_text,
            '"' => in_text = !in_text,
            '{' | '[' | '(' if !in_text => depth += 1,
            '}' | ']' | ')' if !in_text => depth -= 1,
            _ => {}
        }
    }
    in_text || depth > 0
}

fn of_any(text: &str, names: &Names, ending: Ending, decoded: &mut Decoded) -> Verdict {
    if let Some(verdict) = of_json(text, names, ending, decoded) {
        return verdict;
    }
    let mut reading = react::read(text, names, ending);
    let own = text.get(..reading.end).unwrap_or(text).trim();
    decoded.thought = join(&decoded.thought, &reading.thought);
    if let Some(shown) = of_shown_action(&reading) {
        return shown;
    }
    if let Some(mut verdict) = of_reading(&mut reading, names, decoded) {
        if let Verdict::Calls { calls, dropped } = &mut verdict {
            dropped.extend(marked_beside(own, calls, names));
        }
        return verdict;
    }
    if let Some(answer) = behind(own, INLINE_ANSWER) {
        decoded.marked = true;
        return Verdict::answer(answer);
    }
    if let Some(call) = foreign::call(own, names) {
        decoded.guessed = true;
        return Verdict::calls(vec![call]);
    }
    if let Some(beside) = of_marked(own, names, decoded) {
        return match beside {
            Ok(beside) if reading.thought.is_empty() => amid_words(beside, decoded),
            Ok(beside) => Verdict::calls(beside.calls),
            Err(flaw) => Verdict::Flawed(flaw),
        };
    }
    match (reading.preface.is_empty(), reading.thought.is_empty()) {
        (true, false) if ending != Ending::Cut && is_plain(&reading.behind_thought) => {
            plain::verdict(&reading.behind_thought, names)
        }
        (true, false) => Verdict::Flawed(Flaw::ThoughtOnly),
        (false, false) => plain::verdict(&reading.preface, names),
        (_, true) => plain::verdict(own, names),
    }
}

/// Tells whether lines are words, and none of them begins with a label of any protocol.
fn is_plain(lines: &str) -> bool {
    let is_labelled = |line: &str| {
        let label = line.split_once([':', '：']).map(|(label, _)| squash(label));
        label.is_some_and(|label| is_label(&label))
    };
    embedded::is_prose(lines) && !lines.lines().any(is_labelled)
}

/// Reads a reply that is JSON as a whole, or begins with a JSON call.
fn of_json(text: &str, names: &Names, ending: Ending, decoded: &mut Decoded) -> Option<Verdict> {
    let body = fence::unwrap(text);
    if !body.starts_with(['{', '[']) || body.starts_with("[TOOL_CALLS") {
        return None;
    }
    let parsed = match parse_prefix(body) {
        Ok(parsed) => parsed,
        Err(error) => return broken_step(body, &error, ending),
    };
    if parsed.unclosed && ending == Ending::Cut {
        return Some(Verdict::Flawed(Flaw::CutOff));
    }
    let whole = body
        .get(parsed.end..)
        .is_none_or(|rest| rest.trim_matches([' ', '\n', '\r', '}', ']', ';']).is_empty());
    decoded.thought = join(&decoded.thought, &object::thought(&parsed.value));
    match object::meaning(&parsed.value, names) {
        Meaning::Calls(calls) => {
            let mut behind = reading_behind(body, parsed.end, names, ending);
            if let Some(text) = behind.answer.take().filter(|_| behind.marked_answer) {
                let dropped = calls.into_iter().map(|call| call.tool).collect();
                return Some(Verdict::Answer { text, dropped });
            }
            let calls = tagged::json_calls(body, names).ok()?;
            let mut dropped = labelled_beside(&mut behind, &calls);
            dropped.extend(marked_beside(body, &calls, names));
            decoded.is_last = object::is_last(&parsed.value);
            Some(Verdict::Calls { calls, dropped })
        }
        Meaning::Answer { text, dropped } => {
            decoded.marked = true;
            Some(Verdict::Answer { text, dropped })
        }
        Meaning::NoTool => Some(Verdict::Flawed(Flaw::NoTool)),
        Meaning::Unknown if whole && body.starts_with('{') => Some(Verdict::Flawed(Flaw::Json)),
        Meaning::Unknown => None,
    }
}

/// Reads the lines behind a call in JSON.
fn reading_behind(body: &str, end: usize, names: &Names, ending: Ending) -> react::Reading {
    let rest = body.get(end..).and_then(|rest| rest.split_once('\n'));
    rest.map(|(_, below)| react::read(below, names, ending))
        .unwrap_or_default()
}

/// The tools of labelled calls beside these, which are not run. A call that is merely written twice is none of them.
fn labelled_beside(reading: &mut react::Reading, calls: &[Call]) -> Vec<String> {
    let mut beside = match reading.action.take() {
        Some(Act::Calls(labelled)) => others(labelled, calls),
        _ => Vec::new(),
    };
    beside.append(&mut reading.surplus);
    beside
}

/// Names the tools of calls between the marks of model families beside these, which are not run.
fn marked_beside(text: &str, calls: &[Call], names: &Names) -> Vec<String> {
    let tagged = tagged::read(text, names).unwrap_or_default();
    let known = tagged.calls.into_iter();
    others(
        known.filter(|call| names.resolve(&call.tool).is_some()).collect(),
        calls,
    )
}

fn others(found: Vec<Call>, calls: &[Call]) -> Vec<String> {
    let is_same = |one: &Call, other: &Call| one.tool == other.tool && one.arguments == other.arguments;
    let other = found
        .into_iter()
        .filter(|found| !calls.iter().any(|call| is_same(call, found)));
    other.map(|call| call.tool).collect()
}

/// A JSON step that cannot be read must be mended; other text in brackets is prose.
fn broken_step(body: &str, error: &JsonError, ending: Ending) -> Option<Verdict> {
    let head: String = body.chars().take(200).collect();
    let step = [
        "\"thought\"",
        "\"call\"",
        "\"name\"",
        "\"tool\"",
        "\"action\"",
        "\"arguments\"",
        "\"answer\"",
        "\"function\"",
    ];
    let begins = body.strip_prefix('{').map(str::trim_start).unwrap_or_default();
    let step = body.starts_with('{')
        && (begins.starts_with(['"', '\''])
            || step
                .iter()
                .any(|key| head.contains(key) || head.contains(&key.replace('"', "'"))));
    step.then(|| match ending {
        Ending::Cut => Verdict::Flawed(Flaw::CutOff),
        _ => Verdict::Flawed(Flaw::Broken(format!("the reply is no JSON object: {error}"))),
    })
}

/// The verdict takes with it what it needs; preface and thought stay.
fn of_reading(reading: &mut react::Reading, names: &Names, decoded: &mut Decoded) -> Option<Verdict> {
    let mut dropped = std::mem::take(&mut reading.surplus);
    let action = reading.action.take();
    if let Some(answer) = &reading.answer {
        decoded.marked = reading.marked_answer;
        if let Some(Act::Calls(calls)) = action {
            dropped.splice(0..0, calls.into_iter().map(|call| call.tool));
        }
        // A call under its labels that the answer announces does not end it.
        let behind = words_of(&reading.behind_action);
        if embedded::announces(answer) && embedded::is_prose(&behind) {
            let text = join(&words_of(answer), &behind);
            return Some(Verdict::Answer { text, dropped });
        }
        return Some(of_answer(answer, dropped, names, decoded));
    }
    match action {
        Some(Act::Calls(calls)) => {
            reading.preface.clone_into(&mut decoded.aside);
            Some(Verdict::Calls { calls, dropped })
        }
        Some(Act::Answer(text)) => {
            decoded.marked = true;
            Some(Verdict::answer(text))
        }
        Some(Act::NoTool) => Some(Verdict::Flawed(Flaw::NoTool)),
        Some(Act::Broken(why)) => Some(Verdict::Flawed(Flaw::Broken(why))),
        None if reading.empty_answer => Some(Verdict::Flawed(Flaw::Empty)),
        None => None,
    }
}

/// Reads the text behind an answer marker, which may be wrapped in JSON or be a call after all.
fn of_answer(answer: &str, dropped: Vec<String>, names: &Names, decoded: &mut Decoded) -> Verdict {
    let body = fence::unwrap(answer);
    if body.starts_with('{') {
        let value = parse_whole(body).map(|parsed| parsed.value);
        return match value.as_ref().map(|value| object::meaning(value, names)) {
            Ok(Meaning::Answer { text, .. }) => Verdict::Answer { text, dropped },
            Ok(Meaning::Calls(calls)) => Verdict::Calls { calls, dropped },
            _ => Verdict::Answer {
                text: answer.to_owned(),
                dropped,
            },
        };
    }
    match of_marked(answer, names, decoded) {
        Some(Ok(beside)) => {
            let [before, behind] = beside.words();
            // What follows a call that is made is invented, mostly; what follows one that is shown is said.
            let is_shown = beside.is_announced() || answer.contains("```");
            let words = if is_shown { join(&before, &behind) } else { before };
            if words.is_empty() {
                return Verdict::Calls {
                    calls: beside.calls,
                    dropped,
                };
            }
            let called = beside.calls.into_iter().map(|call| call.tool);
            Verdict::Answer {
                text: words,
                dropped: dropped.into_iter().chain(called).collect(),
            }
        }
        _ => Verdict::Answer {
            text: plain::around_shown_code(answer, names).unwrap_or_else(|| answer.to_owned()),
            dropped,
        },
    }
}

/// Calls and the words beside them.
struct Beside<'t> {
    calls: Vec<Call>,
    before: &'t str,
    behind: &'t str,
}

impl Beside<'_> {
    /// Gives the words in front of the calls and behind them, without what is left of marks, fences and
    /// brackets.
    fn words(&self) -> [String; 2] {
        [self.before, self.behind].map(words_of)
    }

    /// Tells whether words stand on both sides.
    fn is_amid_words(&self) -> bool {
        self.words().iter().all(|words| embedded::is_prose(words))
    }

    /// Tells whether the words in front of it announce it.
    fn is_announced(&self) -> bool {
        embedded::announces(&words_of(self.before))
    }

    fn into_answer(self) -> Verdict {
        let [before, behind] = self.words();
        Verdict::Answer {
            text: join(&before, &behind),
            dropped: self.calls.into_iter().map(|call| call.tool).collect(),
        }
    }
}

fn words_of(text: &str) -> String {
    let is_words = |line: &&str| !line.trim_start().starts_with(['{', '[', '`', '<']);
    let lines: Vec<&str> = text.lines().filter(is_words).collect();
    lines.join("\n").trim().to_owned()
}

/// Calls that stand amid words may be no more than shown. Words that announce them and go on behind them show them, and are
/// the answer; other words on both sides leave it open, so that nothing is changed on their account.
fn amid_words(beside: Beside<'_>, decoded: &mut Decoded) -> Verdict {
    let is_amid_words = beside.is_amid_words();
    if is_amid_words && beside.is_announced() {
        return beside.into_answer();
    }
    decoded.guessed = is_amid_words;
    Verdict::calls(beside.calls)
}

/// Finds an action under its labels that words announce and go on behind.
fn of_shown_action(reading: &react::Reading) -> Option<Verdict> {
    let Some(Act::Calls(calls)) = &reading.action else {
        return None;
    };
    let beside = Beside {
        calls: calls.clone(),
        before: &reading.preface,
        behind: &reading.behind_action,
    };
    let is_step = !reading.thought.is_empty() || reading.answer.is_some();
    let is_shown = !is_step && beside.is_amid_words() && beside.is_announced();
    is_shown.then(|| beside.into_answer())
}

/// Calls between marks, in Python's shape, or in blocks of their own.
fn of_marked<'t>(text: &'t str, names: &Names, decoded: &mut Decoded) -> Option<Result<Beside<'t>, Flaw>> {
    if let Some(tagged) = tagged::read(text, names) {
        tagged.before.clone_into(&mut decoded.aside);
        if !tagged.calls.is_empty() {
            return Some(Ok(Beside {
                calls: tagged.calls,
                before: tagged.before,
                behind: tagged.behind,
            }));
        }
        let open = (!tagged.before.is_empty() && tagged::ends_open(text))
            .then(|| "the call ended before it began".to_owned());
        if let Some(why) = tagged.broken.or(open) {
            return Some(Err(Flaw::Broken(why)));
        }
    }
    let body = fence::unwrap(text);
    let whole = pythonic::calls(body, names)
        .or_else(|| pythonic::list_at(body, names).map(|(calls, _)| calls))
        .map(|calls| Beside {
            calls,
            before: "",
            behind: "",
        });
    let beside = whole.or_else(|| {
        let embedded::Embedded {
            calls,
            before,
            behind,
        } = embedded::calls(text, names)?;
        before.clone_into(&mut decoded.aside);
        Some(Beside {
            calls,
            before,
            behind,
        })
    });
    beside.map(Ok)
}
