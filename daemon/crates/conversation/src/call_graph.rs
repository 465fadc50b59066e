//! Calls that name each other's results, as data. Runs none of them.

use serde_json::{Map, Value};

use loquat_decoder::{Arguments, Call, fill, references};

/// A call and the results it is made with.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The call, whose arguments may name results.
    pub call: Call,
    /// The number by which others name its result.
    id: usize,
    /// The names it uses, and the places of the calls that they mean.
    pub needs: Vec<(usize, usize)>,
}

impl Node {
    /// Calls that need nothing of each other.
    pub fn apart(calls: Vec<Call>) -> Vec<Self> {
        let calls = calls.into_iter().enumerate();
        calls
            .map(|(index, call)| Self {
                call,
                id: index + 1,
                needs: Vec::new(),
            })
            .collect()
    }

    /// The calls of one step, where each but the first names the result of an earlier one; nothing where they do not.
    /// Only `#E1` is such a name there: `$1` and `#1` may be what the person said.
    pub fn chain(calls: &[Call]) -> Option<Vec<Self>> {
        if calls.len() < 2 {
            return None;
        }
        let nodes = Self::linked(numbered(calls.to_vec()));
        let follows = |node: &Self| {
            !node.needs.is_empty() && all_arguments(&node.call.arguments).to_string().contains("#E")
        };
        let later = nodes.iter().skip(1).all(follows);
        later.then_some(nodes)
    }

    /// Calls with the numbers of their results. A name of a later result, or of none, is no name.
    pub(crate) fn linked(calls: Vec<(usize, Call)>) -> Vec<Self> {
        let mut nodes: Vec<Self> = Vec::with_capacity(calls.len());
        for (id, call) in calls {
            let named = references(&all_arguments(&call.arguments));
            let place = |id: usize| nodes.iter().rposition(|earlier| earlier.id == id);
            let needs = named
                .into_iter()
                .filter_map(|id| Some((id, place(id)?)))
                .collect();
            nodes.push(Self { call, id, needs });
        }
        nodes
    }

    /// The call with its number, in one line.
    pub fn words(&self) -> String {
        let arguments = all_arguments(&self.call.arguments);
        format!("#E{} = {} {arguments}", self.id, self.call.tool)
    }

    /// The places of the calls whose results it needs.
    #[cfg(test)]
    pub fn needs(&self) -> Vec<usize> {
        self.needs.iter().map(|(_, place)| *place).collect()
    }

    /// The call with the results in it.
    pub fn filled(&self, results: &[Option<Words>]) -> Call {
        let words = |id: usize| {
            let (_, place) = self.needs.iter().find(|(named, _)| *named == id)?;
            results.get(*place)?.as_ref()?.as_ref().ok().cloned()
        };
        let object = |members: &Map<String, Value>| match fill(&Value::Object(members.clone()), &words) {
            Value::Object(filled) => filled,
            _ => Map::new(),
        };
        let arguments = match &self.call.arguments {
            Arguments::Named(named) => Arguments::Named(object(named)),
            Arguments::Single(value) => Arguments::Single(fill(value, &words)),
            Arguments::Listed { positional, named } => Arguments::Listed {
                positional: positional.iter().map(|value| fill(value, &words)).collect(),
                named: object(named),
            },
            Arguments::Broken(why) => Arguments::Broken(why.clone()),
        };
        Call {
            arguments,
            ..self.call.clone()
        }
    }
}

/// Calls with the numbers by which others name their results.
pub(crate) fn numbered(calls: Vec<Call>) -> Vec<(usize, Call)> {
    let calls = calls.into_iter().enumerate();
    calls.map(|(index, call)| (index + 1, call)).collect()
}

/// All values among the arguments, to look for names in.
fn all_arguments(arguments: &Arguments) -> Value {
    match arguments {
        Arguments::Named(named) => Value::Object(named.clone()),
        Arguments::Single(value) => value.clone(),
        Arguments::Listed { positional, named } => {
            let named = named.values().cloned();
            Value::Array(positional.iter().cloned().chain(named).collect())
        }
        Arguments::Broken(_) => Value::Null,
    }
}

/// The words of a call, or that it brought nothing.
pub type Words = Result<String, ()>;
