//! Whose tool a name means: the toolboxes of a persona in the order of its file, and of two tools with one name the first.
//! Which programs are there, and how soon they answer, has no say in it.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use loquat_agent::toolbox::Toolbox;
use loquat_persona::SKILL_TOOLS;
use parking_lot::Mutex;

/// What stands for the toolboxes of installed skills, which a persona lists as one.
const OF_SKILLS: &str = "skill-";

/// Names of which the log has told; one more is not told.
const MOST_TOLD: usize = 256;

/// The ids of a persona's toolboxes, as its file lists them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Order(Vec<String>);

impl Order {
    /// Of these ids.
    pub fn new(ids: impl IntoIterator<Item = String>) -> Self {
        Self(ids.into_iter().collect())
    }

    /// What belongs to toolboxes of these ids, in this order; what is not listed comes last.
    #[must_use]
    pub fn arranged<T>(&self, mut all: Vec<T>, id: impl Fn(&T) -> &str) -> Vec<T> {
        all.sort_by_key(|one| self.place_of(id(one)));
        all
    }

    fn place_of(&self, id: &str) -> usize {
        let place = |wanted: &str| self.0.iter().position(|listed| listed == wanted);
        let of_skills = || place(SKILL_TOOLS).filter(|_| id.starts_with(OF_SKILLS));
        place(id).or_else(of_skills).unwrap_or(usize::MAX)
    }
}

/// A tool that is offered under a name of its own, since another one has its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shadowed {
    /// The name.
    pub tool: String,
    /// The toolbox whose tool is called by it.
    pub by: String,
    /// The toolbox whose tool has another name here.
    pub of: String,
}

impl fmt::Display for Shadowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, by, of } = self;
        let own = of.replace(|letter: char| !letter.is_alphanumeric(), "_");
        write!(
            f,
            "{tool} of {of} is offered as {own}_{tool}, since {by} has a tool of that name and comes first in the persona's \
             toolboxes"
        )
    }
}

/// The tools of these toolboxes that get another name: the ids of the toolboxes and the names of their tools, in their order.
pub fn shadowed(toolboxes: &[(String, Vec<String>)]) -> Vec<Shadowed> {
    let mut owners: HashMap<&str, &str> = HashMap::new();
    let mut shadowed = Vec::new();
    for (id, tools) in toolboxes {
        for tool in tools {
            let by = *owners.entry(tool).or_insert(id);
            if by != id {
                shadowed.push(Shadowed {
                    tool: tool.clone(),
                    by: by.to_owned(),
                    of: id.clone(),
                });
            }
        }
    }
    shadowed
}

/// What the log has told of such tools, so that it tells each once.
#[derive(Debug, Default)]
pub struct Rivals(Mutex<BTreeSet<(String, Shadowed)>>);

impl Rivals {
    /// Tells which tools of a persona have another name.
    pub fn tell(&self, persona: &str, toolboxes: &[Arc<dyn Toolbox>]) {
        let names =
            |toolbox: &Arc<dyn Toolbox>| toolbox.tools().iter().map(|tool| tool.name.clone()).collect();
        let named = toolboxes
            .iter()
            .map(|toolbox| (toolbox.id().to_owned(), names(toolbox)));
        for shadowed in shadowed(&named.collect::<Vec<_>>()) {
            let mut told = self.0.lock();
            let news = (persona.to_owned(), shadowed);
            if told.len() < MOST_TOLD && !told.contains(&news) {
                tracing::warn!(persona, "{}", news.1);
                told.insert(news);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_file_counts_and_not_that_of_the_answers() {
        let order = Order::new(["mail", SKILL_TOOLS, "clock"].map(str::to_owned));
        let arranged = order.arranged(vec!["clock", "late", "skill-kettle", "mail"], |id| id);
        assert_eq!(arranged, ["mail", "skill-kettle", "clock", "late"]);
    }

    #[test]
    fn the_loser_of_a_name_is_named() {
        let held =
            |id: &str, tools: &[&str]| (id.to_owned(), tools.iter().map(|&tool| tool.to_owned()).collect());
        let found = shadowed(&[
            held("a", &["send", "read"]),
            held("b", &["send"]),
            held("c", &["send"]),
        ]);
        let losers: Vec<&str> = found.iter().map(|one| one.of.as_str()).collect();
        assert_eq!(losers, ["b", "c"]);
        assert!(
            found[0]
                .to_string()
                .starts_with("send of b is offered as b_send, since a has")
        );
    }
}
