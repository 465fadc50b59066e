//! What came of an order: what does it now, what does not, and the sentence for it. Moves nothing.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::deed::Report;
use super::house::{Entity, House};
use super::link::HomeFault;
use super::order::{Limit, Order};
use super::seen::Seen;
use super::telling::{MOST_NAMED, apart, fault_dialog, named};
use super::was::Was;
use loquat_kit::dialog::{Gap, Tell, Telling};

/// Shown of what was moved.
const MOST_SHOWN: usize = 24;

/// What came of an order.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Obeyed {
    pub(super) done: bool,
    /// What does it now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matched: Vec<Seen>,
    /// What was told, and does not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unmatched: Vec<Seen>,
    /// What was not reached by a wide wish, since it asks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    /// Which it may be, where it is asked which one is meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    /// Why something was not done, and the mend.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Option<Telling>,
    /// How things were that were moved.
    #[serde(skip)]
    undo: Vec<Was>,
}

impl Tell for Obeyed {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }

    fn undo(&self) -> Map<String, Value> {
        if self.undo.is_empty() {
            return Map::new();
        }
        Map::from_iter([("things".to_owned(), json!(self.undo))])
    }

    fn choices(&self) -> Vec<String> {
        self.choices.clone()
    }

    fn names(&self) -> Vec<String> {
        let told = self.told.iter().flat_map(Telling::names).cloned();
        let seen = self.matched.iter().chain(&self.unmatched);
        let moved = seen.flat_map(|seen| {
            apart(&seen.name)
                .chain(seen.area.clone())
                .chain(seen.unit.clone())
        });
        let left = self
            .left_out
            .iter()
            .chain(&self.choices)
            .flat_map(|name| apart(name));
        moved.chain(left).chain(told).collect()
    }
}

impl Obeyed {
    pub(super) fn problem(problem: String, told: Telling) -> Self {
        Self {
            problem: Some(problem),
            told: Some(told),
            ..Self::default()
        }
    }

    pub(super) fn several(choices: Vec<String>, problem: String, told: Telling) -> Self {
        Self {
            choices,
            ..Self::problem(problem, told)
        }
    }

    pub(super) fn fault(fault: &HomeFault) -> Self {
        Self::problem(fault.to_string(), fault_dialog(fault))
    }

    /// All that was meant asks, and none of it was named.
    pub(super) fn left_out(names: Vec<String>) -> Self {
        let told = Telling::new("left_out").with("things", named(&names));
        Self {
            left_out: names,
            ..Self::problem("what is there is moved only where it is named".to_owned(), told)
        }
    }

    /// A thing that does not take so much, or not this.
    pub(super) fn limited(entity: &Entity, limit: &Limit) -> Self {
        let name = loquat_agent::speakable(entity.name());
        let (problem, told) = match limit {
            Limit::Range(least, most) => (
                format!("{} takes {least} to {most}", entity.name()),
                Telling::new("out_of_range")
                    .with("least", Gap::Number(*least))
                    .with("most", Gap::Number(*most)),
            ),
            Limit::Modes(modes) => (
                format!("{} knows {} only", entity.name(), modes.join(", ")),
                Telling::new("modes").with("modes", named(modes)).naming(modes),
            ),
        };
        Self::problem(problem, told.words("thing", name).naming([entity.name()]))
    }

    pub(super) fn of(order: &Order, report: Report, left_out: Vec<String>, house: &House) -> Self {
        let Report {
            mut done,
            under_way,
            unchanged,
            unseen,
            fault,
        } = report;
        done.extend(unseen);
        let called = |ids: &[String]| names_of(ids, house);
        let mut parts = Vec::new();
        if !done.is_empty() {
            parts.push(done_sentence(order, &called(&done)));
        }
        if !under_way.is_empty() {
            parts.push(Telling::new("under_way").with("things", named(&called(&under_way))));
        }
        match &fault {
            Some(fault) => parts.push(fault_dialog(fault)),
            None if !unchanged.is_empty() => {
                let names = called(&unchanged);
                let told = Telling::new("unchanged").with("things", named(&names));
                parts.push(told.naming(&names));
            }
            None => {}
        }
        if !left_out.is_empty() {
            parts.push(Telling::new("left_out").with("things", named(&left_out)));
        }
        let problem = fault.map(|fault| fault.to_string()).or_else(|| {
            let names = called(&unchanged).join(", ");
            (!unchanged.is_empty()).then(|| format!("told, but no change is reported: {names}"))
        });
        done.extend(under_way);
        Self {
            done: unchanged.is_empty() && problem.is_none(),
            matched: seen(&done, house),
            unmatched: seen(&unchanged, house),
            left_out,
            choices: Vec::new(),
            problem,
            told: parts.into_iter().reduce(Telling::then),
            undo: Vec::new(),
        }
    }

    /// That it can be taken back, and how things were.
    pub(super) fn taken_back_by(self, undo: Vec<Was>) -> Self {
        Self { undo, ..self }
    }

    /// What came of several orders, of which one sentence tells those that are called the same.
    pub(super) fn of_several(carried_out: Vec<(Order, Report)>, house: &House) -> Self {
        let mut called: Vec<(Order, Report)> = Vec::new();
        for (order, report) in carried_out {
            match called.iter_mut().find(|(known, _)| known.word() == order.word()) {
                Some((_, known)) => known.add(report),
                None => called.push((order, report)),
            }
        }
        let mut all = Self {
            done: true,
            ..Self::default()
        };
        for (order, report) in called {
            all.add(Self::of(&order, report, Vec::new(), house));
        }
        all
    }

    fn add(&mut self, further: Self) {
        self.done &= further.done;
        self.matched.extend(further.matched);
        self.unmatched.extend(further.unmatched);
        self.problem = self.problem.take().or(further.problem);
        self.told = match (self.told.take(), further.told) {
            (Some(first), Some(then)) => Some(first.then(then)),
            (first, then) => first.or(then),
        };
    }
}

fn names_of(ids: &[String], house: &House) -> Vec<String> {
    let name = |id: &String| {
        let entity = house.entities.get(id);
        entity.map_or(id.as_str(), Entity::name).to_owned()
    };
    ids.iter().map(name).collect()
}

fn seen(ids: &[String], house: &House) -> Vec<Seen> {
    let known = ids.iter().filter_map(|id| house.entities.get(id));
    known
        .map(|entity| Seen::moved(entity, house))
        .take(MOST_SHOWN)
        .collect()
}

fn done_sentence(order: &Order, done: &[String]) -> Telling {
    if done.len() > MOST_NAMED {
        return Telling::new("many").with("count", Gap::Number(done.len() as f64));
    }
    let told = Telling::new(order.word()).with("things", named(done));
    match order {
        Order::Clean(_, room) => told.words("area", loquat_agent::speakable(room)).naming([room]),
        Order::Play(media) => Telling::new("playing")
            .with("things", named(done))
            .words("media", loquat_agent::speakable(&media.title))
            .naming([&media.title]),
        _ => told,
    }
}
