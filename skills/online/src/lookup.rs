//! The plugins of OVOS that answer by looking a question up, and the tool that does it here.
//!
//! A persona names such a plugin as one of its handlers. Nothing here asks a server or runs a tool: the gate does that
//! with the call that is made of the question.

use loquat_agent::turn::IntendedCall;
use serde_json::{Map, Value};

use crate::knowledge::KnowledgeKind;
use crate::knowledge::question::{self, Topic};
use crate::web::WebSettings;
use crate::{wikipedia, wiktionary};
use loquat_kit::Locales;
use loquat_kit::permission::Service;

/// Where a plugin looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Work(KnowledgeKind),
    /// The owner's search server, and the encyclopedia where there is none.
    Web,
}

/// A plugin of OVOS, with all names that it has had.
#[derive(Debug)]
pub struct Lookup {
    ids: &'static [&'static str],
    place: Place,
}

const LOOKUPS: &[Lookup] = &[
    Lookup {
        ids: &[
            "ovos-solver-wikipedia-plugin",
            "ovos-solver-plugin-wikipedia",
            "ovos-wikipedia-plugin",
        ],
        place: Place::Work(KnowledgeKind::Encyclopedia),
    },
    Lookup {
        ids: &[
            "ovos-solver-ddg-plugin",
            "ovos-solver-plugin-ddg",
            "ovos-ddg-plugin",
        ],
        place: Place::Web,
    },
    Lookup {
        ids: &[
            "ovos-solver-wordnet-plugin",
            "ovos-solver-plugin-wordnet",
            "ovos-wordnet-plugin",
            "ovos-solver-wiktionary-plugin",
            "ovos-wiktionary-plugin",
        ],
        place: Place::Work(KnowledgeKind::Dictionary),
    },
];

/// The plugin with this id; `None` where it is not served here.
pub fn lookup(id: &str) -> Option<&'static Lookup> {
    LOOKUPS.iter().find(|lookup| lookup.ids.contains(&id))
}

/// The ids of all of them.
pub fn lookup_ids() -> Vec<&'static str> {
    LOOKUPS.iter().flat_map(|lookup| lookup.ids).copied().collect()
}

impl Lookup {
    /// The toolbox in which its tool is.
    pub fn toolbox_id(&self, web: &WebSettings) -> &'static str {
        self.way(web).0
    }

    /// The service that it asks.
    pub fn service(&self, web: &WebSettings) -> Service {
        match self.way(web).0 {
            wiktionary::ID => Service::Wiktionary,
            crate::web::ID => Service::WebSearch,
            _ => Service::Wikipedia,
        }
    }

    /// The call that a question asks for; `None` where it asks nothing that is looked up there.
    pub fn call(
        &self,
        question: &str,
        lang: &str,
        web: &WebSettings,
        locales: &Locales,
    ) -> Option<IntendedCall> {
        let (toolbox_id, tool, argument, kind) = self.way(web);
        let (words, dialog) = if let Some(kind) = kind {
            (Topic::of(kind, question, locales, lang)?.0, told_in(kind))
        } else {
            let is_asked = question::is_about_the_world(question, locales, lang);
            (is_asked.then(|| question.trim().to_owned())?, crate::web::FOUND)
        };
        Some(IntendedCall {
            toolbox_id: toolbox_id.to_owned(),
            tool: tool.to_owned(),
            arguments: Map::from_iter([(argument.to_owned(), Value::from(words))]),
            dialog: Some(dialog.to_owned()),
            ..IntendedCall::default()
        })
    }

    /// Toolbox, tool and argument, and the kind of work that is asked.
    fn way(&self, web: &WebSettings) -> (&'static str, &'static str, &'static str, Option<KnowledgeKind>) {
        let encyclopedia = KnowledgeKind::Encyclopedia;
        let has_server = web.search_url.as_ref().is_some_and(|url| !url.is_empty());
        match self.place {
            Place::Work(KnowledgeKind::Dictionary) => (
                wiktionary::ID,
                wiktionary::DEFINE,
                "word",
                Some(KnowledgeKind::Dictionary),
            ),
            Place::Web if has_server => (crate::web::ID, crate::web::SEARCH, "query", None),
            Place::Web | Place::Work(KnowledgeKind::Encyclopedia) => {
                (wikipedia::ID, wikipedia::LOOK_UP, "query", Some(encyclopedia))
            }
        }
    }
}

/// The dialog for a result in the person's own language. A handler behind may do better than one in another language, or
/// than a choice between several things.
fn told_in(kind: KnowledgeKind) -> &'static str {
    match kind {
        KnowledgeKind::Encyclopedia => wikipedia::ARTICLE,
        KnowledgeKind::Dictionary => wiktionary::MEANING,
    }
}

#[cfg(test)]
mod tests {
    use loquat_kit::Skill;

    use super::{lookup, lookup_ids};
    use crate::web::{self, WebSettings};
    use crate::{wikipedia, wiktionary};

    fn called(id: &str, question: &str, lang: &str, search_url: Option<&str>) -> Option<(String, String)> {
        let lookup = lookup(id).expect("a plugin that is served");
        let web = WebSettings {
            search_url: search_url.map(str::to_owned),
            ..WebSettings::default()
        };
        let locales = Skill::locales([&web::SKILL, &wikipedia::SKILL, &wiktionary::SKILL]);
        let call = lookup.call(question, lang, &web, &locales)?;
        let words = call.arguments.values().next()?.as_str()?.to_owned();
        Some((call.tool, words))
    }

    #[test]
    fn a_question_becomes_a_call_about_its_topic() {
        let own = Some("http://127.0.0.1:1");
        for (id, question, lang, server, tool, words) in [
            (
                "ovos-solver-wikipedia-plugin",
                "Who was Ada Lovelace?",
                "en-US",
                None,
                "search_wikipedia",
                "Ada Lovelace",
            ),
            (
                "ovos-wikipedia-plugin",
                "Was ist der Eiffelturm?",
                "de-DE",
                None,
                "search_wikipedia",
                "Eiffelturm",
            ),
            (
                "ovos-solver-ddg-plugin",
                "What is the Eiffel Tower?",
                "en-US",
                None,
                "search_wikipedia",
                "Eiffel Tower",
            ),
            (
                "ovos-solver-ddg-plugin",
                "How tall is the Eiffel Tower?",
                "en-US",
                own,
                "web_search",
                "How tall is the Eiffel Tower?",
            ),
            (
                "ovos-solver-wordnet-plugin",
                "What does frugal mean?",
                "en-US",
                own,
                "define_word",
                "frugal",
            ),
        ] {
            let expected = Some((tool.to_owned(), words.to_owned()));
            assert_eq!(called(id, question, lang, server), expected, "{id}: {question}");
        }
    }

    #[test]
    fn what_asks_nothing_about_the_world_goes_nowhere() {
        let own = Some("http://127.0.0.1:1");
        for id in lookup_ids() {
            for said in [
                "Turn on the light",
                "How are you?",
                "Hello",
                "",
                "What is my name?",
            ] {
                assert_eq!(called(id, said, "en-US", own), None, "{id}: {said}");
            }
        }
        assert!(lookup("ovos-solver-rivescript-plugin").is_none());
    }
}
