//! The toolboxes of other programs as they were last announced, and which announcement counts.
//!
//! Only boxes that were asked for are kept. A box belongs to whom announced it first, until it leaves a call without
//! an answer: another source cannot replace it. Where neither names a source, as on most OVOS buses, the source that
//! announces first has it, and a box that is still announced as it is known stays; that keeps a late stranger out, and
//! not one who was there before the first question.

use loquat_agent::toolbox::Tool;
use loquat_persona::Trust;
use loquat_wire::Message;

use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::Arc;

use super::announced::{Announced, FirstSchemas, announced_box, announced_tools};
use super::set_apart::is_set_apart;

/// So many ways of trusting a box are remembered; as many as personas name it in different ways.
const MOST_TRUSTS: usize = 16;

/// Toolboxes by id.
#[derive(Debug, Default)]
pub(super) struct Found {
    known: Mutex<HashMap<String, Known>>,
    /// Also of boxes that were forgotten since: to keep silent once makes no new beginning.
    first: Mutex<HashMap<String, FirstSchemas>>,
}

/// A box.
#[derive(Debug)]
pub(super) struct Known {
    /// Who announced it, where the frame said so.
    pub(super) source: Option<String>,
    announced: Vec<Announced>,
    /// As they may be used.
    pub(super) tools: Vec<Announced>,
    /// Its tools as personas may use them. Turns share a list.
    lists: Vec<(Trust, Arc<[Tool]>)>,
}

impl Known {
    fn announced_by(source: Option<String>, announced: Vec<Announced>, first: &mut FirstSchemas) -> Self {
        Self {
            source,
            tools: first.hold(announced.clone()),
            announced,
            lists: Vec::new(),
        }
    }

    fn is_as(&self, source: Option<&str>, tools: &[Announced]) -> bool {
        self.source.as_deref() == source && self.announced == tools
    }

    /// Its tools as one persona may use them.
    pub(super) fn trusted(&mut self, trust: &Trust, make: impl Fn(&Announced) -> Tool) -> Arc<[Tool]> {
        if let Some((_, list)) = self.lists.iter().find(|(known, _)| known == trust) {
            return Arc::clone(list);
        }
        let list: Arc<[Tool]> = self.tools.iter().map(make).filter(has_own_name).collect();
        self.lists.truncate(MOST_TRUSTS - 1);
        self.lists.push((trust.clone(), Arc::clone(&list)));
        list
    }
}

/// Whether it has none of the names by which the tools of strangers are set apart.
fn has_own_name(tool: &Tool) -> bool {
    let is_own = !is_set_apart(&tool.name);
    if !is_own {
        let (toolbox, tool) = (&tool.toolbox_id, &tool.name);
        tracing::warn!(
            toolbox,
            tool,
            "a tool is left out, since names that begin so are those of SKILL.md files"
        );
    }
    is_own
}

impl Found {
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock()
    }

    /// Forgets a box that does not answer.
    pub(super) fn forget(&self, toolbox_id: &str) {
        self.lock().remove(toolbox_id);
    }

    /// Whether the answer announces the box in the way that counts, so that no other has to be waited for.
    pub(super) fn settles(&self, toolbox_id: &str, answer: &Message) -> bool {
        if announced_box(answer) != Some(toolbox_id) {
            return false;
        }
        match self.lock().get(toolbox_id) {
            Some(known) => known.is_as(answer.context.source(), &announced_tools(answer).tools),
            None => true,
        }
    }

    /// Takes in what was announced of one box at one time.
    pub(super) fn take(&self, toolbox_id: &str, answers: &[&Message]) {
        let mut found = self.lock();
        for answer in answers {
            let source = answer.context.source();
            let tools = announced_tools(answer).tools;
            match found.get(toolbox_id) {
                Some(known) if known.is_as(source, &tools) => return,
                Some(known) if known.source.as_deref() != source => {
                    tracing::warn!(
                        toolbox = toolbox_id,
                        "somebody else announces a toolbox that is there; it is not replaced"
                    );
                }
                _ => {}
            }
        }
        let owner = found.get(toolbox_id).map(|known| known.source.clone());
        let may_replace = |answer: &&&Message| {
            owner
                .as_ref()
                .is_none_or(|owner| owner.as_deref() == answer.context.source())
        };
        if let Some(answer) = answers.iter().find(may_replace) {
            let announced = announced_tools(answer);
            announced.tell(toolbox_id);
            let source = answer.context.source().map(str::to_owned);
            let mut first = self.first.lock();
            let first = first.entry(toolbox_id.to_owned()).or_default();
            let known = Known::announced_by(source, announced.tools, first);
            found.insert(toolbox_id.to_owned(), known);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn announcement(source: Option<&str>, tool: &str) -> Message {
        let mut answer = Message::new("x", json!({"toolbox_id": "box", "tools": [{"name": tool}]}));
        if let Some(source) = source {
            answer.context.set_source(source);
        }
        answer
    }

    fn tool_of(found: &Found) -> String {
        let found = found.lock();
        found["box"].tools[0].descriptor("box").name
    }

    #[test]
    fn the_first_announcer_keeps_a_box_until_it_is_forgotten() {
        let found = Found::default();
        let (own, other) = (
            announcement(Some("host"), "own"),
            announcement(Some("other"), "other"),
        );
        assert!(found.settles("box", &other));
        found.take("box", &[&own, &other]);
        assert_eq!(tool_of(&found), "own");
        assert!(found.settles("box", &own) && !found.settles("box", &other));
        found.take("box", &[&other]);
        assert_eq!(tool_of(&found), "own");
        found.take("box", &[&announcement(Some("host"), "changed")]);
        assert_eq!(tool_of(&found), "changed");
        found.forget("box");
        found.take("box", &[&other]);
        assert_eq!(tool_of(&found), "other");
    }

    #[test]
    fn without_sources_a_box_that_is_still_announced_stays() {
        let found = Found::default();
        let (own, other) = (announcement(None, "own"), announcement(None, "other"));
        found.take("box", &[&own]);
        assert!(!found.settles("box", &other));
        found.take("box", &[&other, &own]);
        assert_eq!(tool_of(&found), "own");
        found.take("box", &[&other]);
        assert_eq!(tool_of(&found), "other");
    }
}
