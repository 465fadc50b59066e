//! The names of tools as every server takes them, and back.
//!
//! Servers refuse a whole request for one name with a dot, a blank or a letter that is not English, or of more than 64
//! letters; some for one that begins with a figure. The names of a request's offers and of its history are made fit
//! together, so that no two become one.

use std::borrow::Cow;
use std::collections::HashSet;

use loquat_conversation::brain::ChatRequest;

/// No usual server takes a longer name.
const LONGEST: usize = 64;

/// A name keeps this many of its own letters where a mark tells it from others.
const LONGEST_MARKED: usize = LONGEST - 9;

/// The names of one request that a server would not take, with what it is told instead.
#[derive(Debug, Default)]
pub(crate) struct Names<'r>(Vec<(&'r str, String)>);

impl<'r> Names<'r> {
    /// Fits the names of the offers and of the history.
    pub(crate) fn of(request: &'r ChatRequest) -> Self {
        let offered = request.tools.iter().map(|offer| offer.name.as_str());
        let messages = || request.messages.iter();
        let called = messages().flat_map(|message| &message.tool_calls);
        let called = called.map(|call| call.name.as_str());
        let answered = messages().filter_map(|message| message.name.as_deref());
        let mut known = HashSet::new();
        let all = offered.chain(called).chain(answered);
        let all: Vec<&str> = all.filter(|name| known.insert(*name)).collect();
        let mut taken: HashSet<String> = all
            .iter()
            .filter(|name| is_fit(name))
            .map(|name| (*name).to_owned())
            .collect();
        let unfit = all.into_iter().filter(|name| !is_fit(name));
        let made = unfit.map(|name| {
            let fit = made_fit(name, &taken);
            taken.insert(fit.clone());
            (name, fit)
        });
        Self(made.collect())
    }

    /// The name as the server is told it.
    pub(crate) fn fit<'n>(&'n self, name: &'n str) -> &'n str {
        let own = self.0.iter().find(|(original, _)| *original == name);
        own.map_or(name, |(_, fit)| fit)
    }

    /// The tool that the server means by a name.
    pub(crate) fn original<'n>(&'n self, name: &'n str) -> &'n str {
        let own = self.0.iter().find(|(_, fit)| fit == name);
        own.map_or(name, |(original, _)| original)
    }
}

fn is_fit(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && name.len() <= LONGEST && name.chars().all(is_legal)
}

fn is_legal(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// The name's own letters where they tell it from others; else with a mark that is always the same for it.
fn made_fit(name: &str, taken: &HashSet<String>) -> String {
    let parts = name.split(|c| !is_legal(c)).filter(|part| !part.is_empty());
    let letters = parts.collect::<Vec<_>>().join("_");
    let letters = match letters.trim_matches(['_', '-']) {
        "" => Cow::Borrowed("tool"),
        letters if letters.starts_with(|c: char| c.is_ascii_alphabetic()) => Cow::Borrowed(letters),
        letters => Cow::Owned(format!("_{letters}")),
    };
    let is_whole = name.is_ascii() && letters.len() <= LONGEST && !name.is_empty();
    if is_whole && !taken.contains(letters.as_ref()) {
        return letters.into_owned();
    }
    let own: String = letters.chars().take(LONGEST_MARKED).collect();
    let mut mark = mark_of(name);
    loop {
        let marked = format!("{own}_{mark:08x}");
        if !taken.contains(&marked) {
            return marked;
        }
        mark = mark.wrapping_add(1);
    }
}

/// FNV-1a, which is the same in every process.
fn mark_of(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |mark, byte| {
        (mark ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use loquat_conversation::brain::{ChatMessage, NativeCall, Role, ToolOffer};
    use serde_json::json;

    use super::*;

    fn offering(names: &[&str]) -> ChatRequest {
        let offer = |name: &&str| {
            Arc::new(ToolOffer {
                name: (*name).to_owned(),
                description: String::new(),
                parameters: json!({}),
            })
        };
        ChatRequest {
            tools: names.iter().map(offer).collect(),
            ..ChatRequest::default()
        }
    }

    #[test]
    fn every_name_becomes_fit_and_is_known_again() {
        let long = "n".repeat(65);
        let other = format!("{}x", "n".repeat(64));
        let all = [
            "add",
            "home.light/on",
            "home_light_on",
            "home/light.on",
            "включить_свет",
            "выключить_свет",
            &long,
            &other,
            "3d_print",
            "-x",
            "größe",
            "a b",
            "tool",
            "…",
            "ok-name_2",
        ];
        let request = offering(&all);
        let names = Names::of(&request);
        let mut seen = HashSet::new();
        for name in all {
            let fit = names.fit(name);
            assert!(is_fit(fit), "{name} became {fit}");
            assert_eq!(names.original(fit), name);
            assert!(seen.insert(fit.to_owned()), "{fit} twice");
        }
        for name in ["add", "home_light_on", "tool", "ok-name_2"] {
            assert_eq!(names.fit(name), name);
        }
        assert_eq!(names.fit("3d_print"), "_3d_print");
        assert_eq!(names.original("elsewhere"), "elsewhere");
    }

    #[test]
    fn a_name_is_made_fit_in_the_same_way_whatever_stands_beside_it() {
        let alone = offering(&["включить_свет"]);
        let among = offering(&["home.light", "x", "включить_свет"]);
        assert_eq!(
            Names::of(&alone).fit("включить_свет"),
            Names::of(&among).fit("включить_свет")
        );
    }

    #[test]
    fn names_of_the_history_are_made_fit_too() {
        let call = NativeCall {
            id: "1".into(),
            name: "gone.tool".into(),
            arguments: "{}".into(),
        };
        let request = ChatRequest {
            messages: vec![
                ChatMessage {
                    tool_calls: vec![call],
                    ..ChatMessage::assistant("")
                }
                .into(),
                ChatMessage {
                    name: Some("other.tool".into()),
                    ..ChatMessage::new(Role::Tool, "1")
                }
                .into(),
            ],
            ..offering(&["gone_tool"])
        };
        let names = Names::of(&request);
        assert!(names.fit("gone.tool").starts_with("gone_tool_"));
        assert_eq!(names.fit("other.tool"), "other_tool");
    }
}
