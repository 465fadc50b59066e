//! Takes the reasoning out of a reply, in every spelling, before anything else looks at it.
//!
//! What stands in a reasoning block is no call and no answer, whatever it looks like.

use super::parted::Parted;
use super::tags::{Tag, next_tag};

/// Names of the blocks in which models reason.
const NAMES: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reason",
    "reasoning",
    "reflection",
    "scratchpad",
    "analysis",
    "inner_monologue",
    "seed:think",
    "antthinking",
];

/// Spellings without angle brackets: opener, closer.
const PAIRS: &[(&str, &str)] = &[
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|channel>thought", "<channel|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start_of_thought|>", "<|end_of_thought|>"),
    ("<|think|>", "<|/think|>"),
    ("<|thinking|>", "<|/thinking|>"),
    ("<|reasoning|>", "<|/reasoning|>"),
    ("&lt;think&gt;", "&lt;/think&gt;"),
];

/// Parts a reply into reasoning and the rest.
///
/// A closer without an opener ends a block that the server's own template had opened. A block that never closes goes
/// on to the end of the reply. Linear in the input.
pub fn part(reply: &str) -> Parted {
    if !may_hold_reasoning(reply) {
        return Parted {
            text: reply.to_owned(),
            ..Parted::default()
        };
    }
    if let Some(parted) = super::harmony::part(reply) {
        return parted;
    }
    let mut parted = Parted::default();
    let mut depth = 0_usize;
    let mut position = 0;
    let mut from = 0;
    while let Some(edge) = next_edge(reply, from) {
        from = edge.end;
        if depth == 0 && edge.quoted {
            continue;
        }
        let before = reply.get(position..edge.start).unwrap_or_default();
        match (edge.opens, depth) {
            (true, 0) => parted.text.push_str(before),
            (false, 0) => {
                let unopened = std::mem::take(&mut parted.text);
                parted.thought.push_str(&unopened);
                parted.thought.push_str(before);
            }
            _ => parted.thought.push_str(before),
        }
        depth = if edge.opens {
            depth + 1
        } else {
            depth.saturating_sub(1)
        };
        position = edge.end;
    }
    let rest = reply.get(position..).unwrap_or_default();
    if depth == 0 {
        &mut parted.text
    } else {
        &mut parted.thought
    }
    .push_str(rest);
    parted.unclosed = depth > 0;
    parted.thought = parted.thought.trim().to_owned();
    parted
}

/// Tells whether a part of a reply is reasoning.
pub fn is_in(reply: &str) -> bool {
    may_hold_reasoning(reply) && !part(reply).thought.is_empty()
}

/// Tells whether a mark of a block may begin anywhere. Most replies hold none.
fn may_hold_reasoning(reply: &str) -> bool {
    reply.bytes().any(may_begin_mark)
}

/// Tells whether a mark of a block may begin with this byte.
fn may_begin_mark(byte: u8) -> bool {
    let triangle = "◁".as_bytes().first();
    matches!(byte, b'<' | b'[' | b'&') || Some(&byte) == triangle
}

/// The beginning or end of a block.
struct Edge {
    start: usize,
    end: usize,
    opens: bool,
    /// It stands between backticks: the reply speaks about the tag and does not use it.
    quoted: bool,
}

fn next_edge(reply: &str, from: usize) -> Option<Edge> {
    let mut position = from;
    loop {
        let rest = reply.get(position..)?;
        let start = position + rest.find(['<', '[', '◁', '&'])?;
        let here = reply.get(start..)?;
        let quoted = reply.get(..start).is_some_and(super::fence::is_code);
        if let Some((length, opens)) = pair_at(here).or_else(|| named_at(here)) {
            return Some(Edge {
                start,
                end: start + length,
                opens,
                quoted,
            });
        }
        position = start + here.chars().next().map_or(1, char::len_utf8);
    }
}

fn pair_at(here: &str) -> Option<(usize, bool)> {
    let begins = |mark: &str| {
        here.get(..mark.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(mark))
    };
    PAIRS.iter().find_map(|(opener, closer)| {
        if begins(opener) {
            Some((opener.len(), true))
        } else {
            begins(closer).then_some((closer.len(), false))
        }
    })
}

fn named_at(here: &str) -> Option<(usize, bool)> {
    let Tag {
        name,
        closing,
        self_closing,
        length,
    } = next_tag(here)?;
    let known = NAMES.iter().any(|known| known.eq_ignore_ascii_case(name));
    (known && !self_closing).then_some((length, !closing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reply: &str, thought: &str, text: &str) {
        let parted = part(reply);
        assert_eq!(
            (parted.thought.as_str(), parted.text.trim()),
            (thought, text),
            "for {reply:?}"
        );
    }

    #[test]
    fn every_spelling_is_taken_out() {
        check("<think>hm</think>yes", "hm", "yes");
        check("<THINK>hm</Think> yes", "hm", "yes");
        check("<thinking type=\"deep\">hm</thinking>yes", "hm", "yes");
        check("< think >hm</ think >yes", "hm", "yes");
        check("[THINK]hm[/THINK]yes", "hm", "yes");
        check("◁think▷hm◁/think▷yes", "hm", "yes");
        check("<|begin_of_thought|>hm<|end_of_thought|>yes", "hm", "yes");
        check("<|channel|>analysis<|message|>hm<|end|>yes", "hm", "yes");
        check("<|thinking|>hm<|/thinking|>yes", "hm", "yes");
        check("&lt;think&gt;hm&lt;/think&gt;yes &amp; no", "hm", "yes &amp; no");
        check("<seed:think>hm</seed:think>yes", "hm", "yes");
    }

    #[test]
    fn blocks_without_an_edge_are_reasoning_up_to_it() {
        check("hm</think>yes", "hm", "yes");
        check("<think>Let me see, the capital", "Let me see, the capital", "");
        check("<think>a<think>b</think>c</think>d", "abc", "d");
        check("a<think>b</think>c<think>d</think>e", "bd", "ace");
        assert!(part("<think>never").unclosed);
        assert!(!part("<think>well</think>").unclosed);
    }

    #[test]
    fn other_text_stays_as_it_is() {
        check(
            "5 < 7 and [maybe] <b>bold</b>",
            "",
            "5 < 7 and [maybe] <b>bold</b>",
        );
        check("Use the `<think>` tag.", "", "Use the `<think>` tag.");
        check("ß ﬁ İ <think>ß ﬁ İ</think> ß ﬁ İ", "ß ﬁ İ", "ß ﬁ İ  ß ﬁ İ");
    }
}
