//! The tools of a turn: each with the toolbox that runs it.

use std::collections::HashSet;
use std::ops::Deref;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use crate::prepared::Prepared;
use crate::prepared::relevance::{self, Told};
use crate::question::{Likely, Selection};
use crate::toolbox::{Tool, Toolbox};
use crate::turn_cache::TurnCache;
use loquat_decoder::{Names, squash};

mod discovery;
mod namesake;
mod silence;

use discovery::Discovery;
use namesake::Namesake;
pub use silence::{NOOP, Silence};

/// A tool and who runs it.
#[derive(Debug)]
pub struct Entry {
    prepared: Arc<Prepared>,
    /// The toolbox that runs it.
    pub toolbox: Arc<dyn Toolbox>,
    /// The tool under the name that its box gives it, where another tool has that name.
    own: Option<Arc<Prepared>>,
}

impl Entry {
    fn new(prepared: &Arc<Prepared>, toolbox: &Arc<dyn Toolbox>) -> Arc<Self> {
        Arc::new(Self {
            prepared: Arc::clone(prepared),
            toolbox: Arc::clone(toolbox),
            own: None,
        })
    }
}

impl Entry {
    /// The toolbox, and the words with which an utterance is compared.
    fn scored(&self) -> (&str, &Told) {
        (self.toolbox.id(), self.told())
    }

    /// Tells whether it is this one, by the name that its box gives it.
    fn is(&self, likely: &Likely) -> bool {
        let own = self.own.as_ref().unwrap_or(&self.prepared);
        self.toolbox.id() == likely.toolbox_id && own.tool.name == likely.tool
    }
}

impl Deref for Entry {
    type Target = Prepared;

    fn deref(&self) -> &Prepared {
        &self.prepared
    }
}

/// The tools of a turn in the persona's order. Of two with the same name in two boxes the second gets one of its own.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// The tools that a prompt lists.
    shown: Vec<Arc<Entry>>,
    all: Vec<Arc<Entry>>,
    names: Names,
    /// Finds those that are not shown.
    discovery: Option<Arc<Discovery>>,
    /// The tools that came after the prompt was made.
    joined: Vec<Arc<Entry>>,
    /// The tools that only the instructions of another tool may use.
    within: Vec<Arc<Entry>>,
    /// What is known of those that are shown where they were chosen for what was said.
    fitted: Option<Fitted>,
}

/// What is known of tools that were chosen for what was said.
#[derive(Debug, Clone)]
struct Fitted {
    /// Those that instructions list.
    listed: Vec<Arc<Entry>>,
    /// What was said is like a sentence of the best of them.
    is_near: bool,
    /// Of each that is shown the sentence for it that is most like what was said.
    said_as: Vec<Option<String>>,
}

/// Asks a toolbox for its tools. There are none when it panics, for a toolbox must not take the turn along.
pub fn tools_of(toolbox: &dyn Toolbox) -> Arc<[Tool]> {
    std::panic::catch_unwind(AssertUnwindSafe(|| toolbox.tools())).unwrap_or_else(|_| {
        tracing::error!(toolbox = toolbox.id(), "toolbox crashed while listing its tools");
        Arc::default()
    })
}

fn names_of(entries: &[Arc<Entry>]) -> Names {
    Names::new(entries.iter().map(|entry| entry.tool.name.clone()))
}

/// From this likeness on a name is taken for a slip of the pen.
const LIKENESS: f64 = 0.8;

impl Catalogue {
    /// Asks all toolboxes for their tools. Those that cannot be offered are left out.
    pub fn new(toolboxes: &[Arc<dyn Toolbox>], turn_cache: &TurnCache) -> Self {
        Self::beside(&[], toolboxes, turn_cache)
    }

    /// Asks all toolboxes for tools that stand beside those that are there already.
    fn beside(known: &[Arc<Entry>], toolboxes: &[Arc<dyn Toolbox>], turn_cache: &TurnCache) -> Self {
        let mut entries: Vec<Arc<Entry>> = Vec::new();
        for toolbox in toolboxes {
            let tools = tools_of(toolbox.as_ref());
            for prepared in turn_cache.prepared(&tools).iter() {
                let all = || known.iter().chain(&entries);
                let namesake = all().find(|entry| entry.tool.name == prepared.tool.name);
                let entry = match namesake {
                    None => Some(Entry::new(prepared, toolbox)),
                    Some(first) if first.toolbox.id() == toolbox.id() => None,
                    Some(_) => {
                        let is_taken = |name: &str| all().any(|entry| entry.tool.name == name);
                        Namesake::entry(prepared, toolbox, is_taken, turn_cache)
                    }
                };
                entries.extend(entry);
            }
        }
        let (within, entries): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| entry.tool.within.is_some());
        Self {
            names: names_of(&entries),
            shown: entries.clone(),
            all: entries,
            discovery: None,
            joined: Vec::new(),
            within,
            fitted: None,
        }
    }

    /// Adds the allowed tools of further toolboxes, and gives these apart.
    pub fn joined_by(
        &self,
        toolboxes: &[Arc<dyn Toolbox>],
        turn_cache: &TurnCache,
        is_allowed: impl Fn(&Tool) -> bool,
    ) -> (Self, Vec<Arc<Entry>>) {
        let new = Self::beside(&self.all, toolboxes, turn_cache)
            .allowed(is_allowed)
            .all;
        let all: Vec<_> = self.all.iter().chain(&new).map(Arc::clone).collect();
        let catalogue = Self {
            shown: self.shown.clone(),
            names: names_of(&all),
            all,
            discovery: self.discovery.clone(),
            joined: self.joined.iter().chain(&new).map(Arc::clone).collect(),
            within: self.within.clone(),
            fitted: self.fitted.clone(),
        };
        (catalogue, new)
    }

    /// Takes out the tools that are not allowed here.
    #[must_use]
    pub fn allowed(mut self, is_allowed: impl Fn(&Tool) -> bool) -> Self {
        self.all.retain(|entry| {
            is_allowed(&entry.tool) && entry.own.as_ref().is_none_or(|own| is_allowed(&own.tool))
        });
        self.names = names_of(&self.all);
        self.shown.clone_from(&self.all);
        self
    }

    /// The tools for the instructions that this tool brings: those that `only` allows, and those that are the tool's own.
    /// None else of its toolbox, for instructions that follow others lead nowhere.
    #[must_use]
    pub fn following(&self, tool: &Tool, only: Option<&[String]>) -> Self {
        let searches = self.discovery.as_ref().map(|discovery| discovery.id());
        let is_allowed = |entry: &&Arc<Entry>| {
            let named = [&entry.tool.name, &entry.tool.toolbox_id];
            entry.tool.toolbox_id != tool.toolbox_id
                && searches != Some(entry.toolbox.id())
                && only.is_none_or(|only| only.iter().any(|name| named.contains(&name)))
        };
        let is_own = |entry: &&Arc<Entry>| {
            entry.tool.toolbox_id == tool.toolbox_id && entry.tool.within.as_ref() == Some(&tool.name)
        };
        let own = self.within.iter().filter(is_own);
        let entries: Vec<_> = self
            .all
            .iter()
            .filter(is_allowed)
            .chain(own)
            .map(Arc::clone)
            .collect();
        Self {
            names: names_of(&entries),
            shown: entries.clone(),
            all: entries,
            ..Self::default()
        }
    }

    /// Shows those of the selected tools that there are and `may_show`, `most` of them at most and the best first. Every tool can
    /// still be called.
    #[must_use]
    pub fn fitted(mut self, selection: &Selection, most: usize, may_show: &dyn Fn(&Tool) -> bool) -> Self {
        let find = |likely: &Likely| {
            let entry = self.all.iter().find(|entry| entry.is(likely))?;
            Some((Arc::clone(entry), likely.said_as.clone()))
        };
        let found = selection.likely.iter().filter_map(find);
        let (shown, said_as) = found
            .filter(|(entry, _)| may_show(&entry.tool))
            .take(most)
            .unzip();
        let is_listed = |entry: &&Arc<Entry>| selection.listed.iter().any(|id| id == entry.toolbox.id());
        self.fitted = Some(Fitted {
            listed: self.all.iter().filter(is_listed).map(Arc::clone).collect(),
            is_near: selection.is_near(),
            said_as,
        });
        self.shown = shown;
        self
    }

    /// Shows no more of the tools that were chosen for what was said than those that `may_show`. Every tool can still be called.
    #[must_use]
    pub fn showing(&self, may_show: impl Fn(&Tool) -> bool) -> Self {
        let said_as = self.fitted.iter().flat_map(|fitted| &fitted.said_as);
        let shown = self.shown.iter().zip(said_as);
        let shown = shown.filter(|(entry, _)| may_show(&entry.tool));
        let (shown, said_as): (Vec<_>, Vec<_>) = shown
            .map(|(entry, said_as)| (Arc::clone(entry), said_as.clone()))
            .unzip();
        let fitted = self.fitted.clone();
        Self {
            shown,
            all: self.all.clone(),
            names: self.names.clone(),
            discovery: self.discovery.clone(),
            joined: self.joined.clone(),
            within: self.within.clone(),
            fitted: fitted.map(|fitted| Fitted { said_as, ..fitted }),
        }
    }

    /// Shows no more than `most` tools: those that fit the utterance best, in their usual order, and one that finds the
    /// others. Every tool can still be called.
    #[must_use]
    pub fn narrowed(mut self, utterance: &str, most: usize, turn_cache: &TurnCache) -> Self {
        if self.all.len() <= most.max(2) {
            return self;
        }
        let scores = relevance::scores_told(utterance, self.all.iter().map(|entry| entry.scored()));
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        let score = |index: &usize| scores.get(*index).copied().unwrap_or_default();
        order.sort_by(|one, other| score(other).total_cmp(&score(one)));
        let kept: HashSet<usize> = order.into_iter().take(most.max(2) - 1).collect();
        let all = self.all.iter().map(Arc::clone).enumerate();
        let (shown, hidden): (Vec<_>, Vec<_>) = all.partition(|(index, _)| kept.contains(index));
        let plain = |part: Vec<(usize, Arc<Entry>)>| part.into_iter().map(|(_, entry)| entry).collect();
        let discovery = Arc::new(Discovery::new(plain(hidden), |name| self.find(name).is_some()));
        self.shown = plain(shown);
        let toolbox = Arc::clone(&discovery) as Arc<dyn Toolbox>;
        for prepared in turn_cache.prepared(&discovery.tools()).iter() {
            let entry = Entry::new(prepared, &toolbox);
            self.shown.push(Arc::clone(&entry));
            self.all.push(entry);
        }
        self.names = names_of(&self.all);
        self.discovery = Some(discovery);
        self
    }

    /// The tools that were found or came after the prompt was made.
    pub fn found(&self) -> Vec<Arc<Entry>> {
        let discovery = self.discovery.as_ref();
        let mut found = discovery.map(|discovery| discovery.found()).unwrap_or_default();
        found.extend(self.joined.iter().map(Arc::clone));
        found
    }

    /// The tools that instructions list.
    pub(crate) fn listed(&self) -> &[Arc<Entry>] {
        self.fitted.as_ref().map_or(&self.shown, |fitted| &fitted.listed)
    }

    /// Tells whether those that are shown were chosen for what was said.
    pub fn is_fitted(&self) -> bool {
        self.fitted.is_some()
    }

    /// Tells whether what was said is like a sentence of those.
    pub(crate) fn is_near(&self) -> bool {
        self.fitted.as_ref().is_some_and(|fitted| fitted.is_near)
    }

    /// The sentence for a tool that is shown at this place which is most like what was said.
    pub(crate) fn said_as(&self, place: usize) -> Option<&str> {
        self.fitted.as_ref()?.said_as.get(place)?.as_deref()
    }

    /// Tells whether there are more tools than a prompt lists.
    pub(crate) fn has_hidden(&self) -> bool {
        self.discovery.is_some()
    }

    /// Tells whether no tool can be called.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The tools that a brain is shown, in order.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.shown
    }

    /// All tools that can be called, shown or not.
    pub fn callable(&self) -> &[Arc<Entry>] {
        &self.all
    }

    /// The names of all tools, for the decoder.
    pub fn known(&self) -> &Names {
        &self.names
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter()
    }

    /// The tool that a brain's spelling means.
    pub fn find(&self, written: &str) -> Option<Arc<Entry>> {
        let name = self.names.resolve(written)?;
        self.all
            .iter()
            .find(|entry| entry.tool.name == name)
            .map(Arc::clone)
    }

    /// The tool whose name is most like `written`, if any is like it.
    pub fn nearest(&self, written: &str) -> Option<&str> {
        let wanted: String = squash(written).chars().take(100).collect();
        let likeness = |name: &str| {
            let name = squash(name);
            let contained = wanted.len() > 2 && (name.contains(&wanted) || wanted.contains(&name));
            if contained {
                1.0
            } else {
                strsim::jaro_winkler(&wanted, &name)
            }
        };
        let scored = self.names().map(|name| (likeness(name), name));
        scored
            .filter(|(score, _)| *score >= LIKENESS)
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(_, name)| name)
    }
}
