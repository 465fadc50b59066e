//! What can be said to this device in a language, as a person is shown it: the sentences of the skills, those that the person has
//! put in their place, and those of the community's pack that something here answers.
//!
//! Compares nothing, and knows nothing of what other programs understand.

use loquat_skills::Standing;
use loquat_skills::locale::Line;
use serde::Serialize;

use super::{Sentences, SpokenTools, primary};

/// Who wrote a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Writer {
    /// It stands beside the code of a skill.
    Loquat,
    /// The person or the owner of the machine, in `sentences`.
    Owner,
    /// Home Assistant's community.
    Community,
}

/// The sentences that ask for one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Saying {
    /// Who wrote them.
    pub from: Writer,
    /// The skill that they are for, as its section in a file of sentences is called; `pack` for those of the community.
    pub skill: String,
    /// What they ask for.
    pub intent: String,
    /// Whether they are no orders, and stand behind "when".
    pub is_awaited: bool,
    /// The templates.
    pub sentences: Vec<String>,
}

/// The section of the community's sentences.
const PACK: &str = "pack";

impl SpokenTools {
    /// All that can be said in a language, in the order of the skills, and the community's at the end. What only answers a
    /// question of the device is left out.
    pub fn sayings(&self, lang: &str) -> Vec<Saying> {
        let mut sayings = self.of_skills(lang);
        let community = self.community.as_ref();
        let of_pack = community.map(|community| community.sentences(lang));
        sayings.extend(of_pack.unwrap_or_default().into_iter().map(of_community));
        sayings
    }

    fn of_skills(&self, lang: &str) -> Vec<Saying> {
        if self.when == Sentences::Never {
            return Vec::new();
        }
        let all = self.intents.sentences();
        let spoken =
            all.filter(|known| primary(known.lang) == primary(lang) && is_said_alone(known.standing));
        let sayings = spoken.map(|known| {
            let (skill, intent) = known.name.split_once('.').unwrap_or(("", &known.name));
            let is_own = known.lines.iter().any(Line::is_of_owner);
            let usable = known
                .lines
                .iter()
                .filter(|line| self.is_usable(&known.name, &line.text));
            Saying {
                from: if is_own { Writer::Owner } else { Writer::Loquat },
                skill: skill.to_owned(),
                intent: intent.to_owned(),
                is_awaited: known.standing == Standing::Awaited,
                sentences: usable.map(|line| line.text.clone()).collect(),
            }
        });
        sayings.filter(|saying| !saying.sentences.is_empty()).collect()
    }

    /// Whether a line is compared with what is said: one with a mistake is left out.
    fn is_usable(&self, intent: &str, line: &String) -> bool {
        let mut known = self.understood.iter().filter(|known| known.name == intent);
        known.any(|known| known.samples.contains(line))
    }
}

/// Whether a person may say such a sentence by itself, in words as they are listed.
fn is_said_alone(standing: Standing) -> bool {
    matches!(standing, Standing::Alone | Standing::Awaited)
}

fn of_community((intent, sentences): (String, Vec<String>)) -> Saying {
    Saying {
        from: Writer::Community,
        skill: PACK.to_owned(),
        intent,
        is_awaited: false,
        sentences,
    }
}
