//! The channels of `gpt-oss` (OpenAI's "harmony" format), where a server hands them on as they are: reasoning, calls and
//! the answer are messages of one reply, each with a header.
//!
//! Calls stay in the text with their header, for the reader of marked calls.

use super::parted::Parted;

/// A call begins so in the text.
pub(super) const CALL: &str = "<|channel|>commentary to=";

/// A call ends so.
pub(super) const CALL_END: &str = "<|call|>";

const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";
const START: &str = "<|start|>";
const ENDS: &[&str] = &["<|end|>", "<|return|>", CALL_END];
const CHANNELS: &[&str] = &["analysis", "commentary", "final"];

/// Parts a reply into reasoning and the rest. It gives nothing for one without channels. It is linear in the
/// reply.
pub(super) fn part(reply: &str) -> Option<Parted> {
    let first = reply.find(CHANNEL)?;
    channel_at(reply.get(first + CHANNEL.len()..)?)?;
    if super::fence::is_code(reply.get(..first)?) {
        return None;
    }
    let mut parted = Parted::default();
    for message in messages(reply) {
        if is_foreign(message) {
            break;
        }
        let (header, body) = split(message);
        let channel = header.split_once(CHANNEL).and_then(|(_, name)| channel_at(name));
        match (recipient(header), channel) {
            (Some(tool), _) => line(&mut parted.text, &[CALL, tool, MESSAGE, body.trim(), CALL_END]),
            (None, Some("analysis")) => line(&mut parted.thought, &[body.trim()]),
            (None, _) => line(&mut parted.text, &[body.trim()]),
        }
    }
    Some(parted)
}

fn line(text: &mut String, parts: &[&str]) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&parts.concat());
}

/// Lists the messages with their headers and without the tokens that end them.
fn messages(reply: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut position) = (0, 0);
    let mut has_body = false;
    while let Some(offset) = reply.get(position..).and_then(|rest| rest.find("<|")) {
        let at = position + offset;
        let here = reply.get(at..).unwrap_or_default();
        position = at + 2;
        has_body |= here.starts_with(MESSAGE);
        let ended = ENDS
            .iter()
            .find(|end| here.starts_with(**end))
            .map(|end| end.len());
        let begins = (here.starts_with(START)).then_some(START.len());
        let again = (has_body && here.starts_with(CHANNEL)).then_some(0);
        if let Some(length) = ended.or(begins).or(again) {
            found.push(reply.get(start..at).unwrap_or_default());
            start = at + length;
            has_body = false;
        }
    }
    found.push(reply.get(start..).unwrap_or_default());
    found.retain(|message| !message.trim().is_empty());
    found
}

/// Tells whether a brain invented this of another speaker: of the person, or of a tool's reply.
fn is_foreign(message: &str) -> bool {
    let role = message.trim_start();
    ["user", "system", "developer", "functions."]
        .iter()
        .any(|other| role.starts_with(other) && (role.contains(CHANNEL) || role.contains(MESSAGE)))
}

/// Parts a message into header and body. A header without its closing token ends with the channel's name.
fn split(message: &str) -> (&str, &str) {
    if let Some(parts) = message.split_once(MESSAGE) {
        return parts;
    }
    let Some((before, after)) = message.split_once(CHANNEL) else {
        return ("", message);
    };
    let name = channel_at(after).map_or(0, str::len);
    let end = before.len() + CHANNEL.len() + name;
    (
        message.get(..end).unwrap_or_default(),
        message.get(end..).unwrap_or_default(),
    )
}

/// Finds the known channel with whose name a text begins.
fn channel_at(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    CHANNELS.iter().copied().find(|name| text.starts_with(name))
}

/// Finds the tool that a message is for, if it is for one.
fn recipient(header: &str) -> Option<&str> {
    let (_, named) = header.split_once("to=")?;
    let end = named
        .find(|c: char| c.is_whitespace() || c == '<')
        .unwrap_or(named.len());
    named
        .get(..end)
        .filter(|name| !name.is_empty() && !is_anybody(name))
}

/// Tells whether a message to them is a message to the person: the brain itself, or all.
fn is_anybody(recipient: &str) -> bool {
    ["all", "assistant", "user"].contains(&recipient)
}

/// Finds the tool of a native call that a server has named with pieces of a header:
/// `add<|channel|>commentary`. Nothing where the header is that of a message to the person, as in `assistant
/// <|recipient|> all`.
pub(super) fn called(name: &str) -> Option<&str> {
    let mut parts = name.split("<|").map(str::trim);
    let tool = parts.next().unwrap_or_default();
    let is_message = tool.is_empty() && parts.next().is_some() || is_anybody(tool);
    (!is_message).then_some(tool)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reply: &str, thought: &str, text: &str) {
        let parted = part(reply).unwrap_or_default();
        assert_eq!(
            (parted.thought.as_str(), parted.text.as_str()),
            (thought, text),
            "for {reply:?}"
        );
    }

    #[test]
    fn channels_come_apart() {
        check(
            "<|channel|>analysis<|message|>easy<|end|><|start|>assistant<|channel|>final<|message|>Paris<|return|>",
            "easy",
            "Paris",
        );
        check("<|channel|>final<|message|>Paris", "", "Paris");
        check("<|channel|>final Paris", "", "Paris");
        check("<|channel|>analysis<|message|>hm<|end|>yes", "hm", "yes");
        check("<|channel|>analysis<|message|>never ends", "never ends", "");
        assert!(part("The `<|channel|>final` token.").is_none());
        assert!(part("<|channel|>television").is_none());
    }

    #[test]
    fn calls_keep_their_header() {
        let call = "<|channel|>commentary to=functions.add<|message|>{\"a\": 2}<|call|>";
        check(
            "<|channel|>analysis<|message|>sum<|end|><|start|>assistant<|channel|>commentary to=functions.add <|constrain|>json<|message|>{\"a\": 2}<|call|>",
            "sum",
            call,
        );
        check(
            "<|start|>assistant to=functions.add<|channel|>commentary json<|message|>{\"a\": 2}<|call|>",
            "",
            call,
        );
        check(
            "<|channel|>commentary<|message|>One moment.<|end|><|start|>assistant<|channel|>commentary to=functions.add<|message|>{\"a\": 2}",
            "",
            &format!("One moment.\n{call}"),
        );
    }

    #[test]
    fn a_native_name_may_hold_pieces_of_a_header() {
        for (name, tool) in [
            ("add", Some("add")),
            ("add<|channel|>commentary", Some("add")),
            ("functions.add <|constrain|>json", Some("functions.add")),
            ("assistant <|recipient|> all", None),
            ("assistant<|channel|>final", None),
            ("<|channel|>commentary", None),
            ("all", None),
            ("", Some("")),
        ] {
            assert_eq!(called(name), tool, "{name}");
        }
        check(
            "<|start|>assistant to=all<|channel|>commentary<|message|>It is three.<|end|>",
            "",
            "It is three.",
        );
    }

    #[test]
    fn what_others_are_made_to_say_is_dropped() {
        check(
            "<|channel|>final<|message|>Paris<|end|><|start|>user<|message|>And Italy?<|end|>",
            "",
            "Paris",
        );
        check(
            "<|channel|>commentary to=functions.add<|message|>{}<|call|><|start|>functions.add to=assistant<|channel|>commentary<|message|>5<|end|>",
            "",
            "<|channel|>commentary to=functions.add<|message|>{}<|call|>",
        );
    }
}
