//! A toolbox of this program whose tools ask the person more often than they would by themselves, since the persona says
//! so. Never less often.

use std::sync::Arc;

use loquat_agent::toolbox::{Confirm, Tool, Toolbox, ToolboxWrapper};
use loquat_persona::Caution;
use loquat_skills::mcp;
use parking_lot::Mutex;

use super::claims::stricter;

/// The toolbox.
#[derive(Debug)]
pub(crate) struct Cautious {
    inner: Arc<dyn Toolbox>,
    caution: Caution,
    lists: Mutex<Lists>,
}

/// What the toolbox held when it was looked at last.
#[derive(Debug)]
struct Lists {
    plain: Arc<[Tool]>,
    careful: Arc<[Tool]>,
}

impl Cautious {
    /// The toolbox with this caution. The tools that are named and are not there come instead. What an MCP server has is
    /// not known before it runs.
    pub(crate) fn of(inner: Arc<dyn Toolbox>, caution: &Caution) -> Result<Arc<dyn Toolbox>, Vec<String>> {
        if *caution == Caution::default() {
            return Ok(inner);
        }
        let tools = inner.tools();
        let is_there = |name: &&String| tools.iter().any(|tool| tool.name == **name);
        let missing = caution.tools.keys().filter(|name| !is_there(name));
        let missing: Vec<String> = missing
            .filter(|_| !inner.id().starts_with(mcp::PREFIX))
            .cloned()
            .collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let careful = with_caution(&tools, caution);
        Ok(Arc::new(Self {
            inner,
            caution: caution.clone(),
            lists: Mutex::new(Lists {
                plain: tools,
                careful,
            }),
        }))
    }
}

/// What takes a call back that needs a PIN needs it, too.
fn with_caution(tools: &[Tool], caution: &Caution) -> Arc<[Tool]> {
    let careful: Vec<Tool> = tools.iter().map(|tool| careful(tool.clone(), caution)).collect();
    let locked: Vec<String> = careful
        .iter()
        .filter(|tool| tool.confirm == Confirm::Pin)
        .filter_map(|tool| Some(tool.undo.as_ref()?.tool.clone()))
        .collect();
    let guarded = careful.into_iter().map(|mut tool| {
        if tool.only_undoes && locked.contains(&tool.name) {
            tool.confirm = Confirm::Pin;
        }
        tool
    });
    guarded.collect()
}

fn careful(tool: Tool, caution: &Caution) -> Tool {
    let own = caution.tools.get(&tool.name);
    // What only reads needs no yes, unless it is named.
    let of_all = caution.confirm.filter(|_| !tool.read_only && !tool.only_undoes);
    let said = [of_all, own.and_then(|own| own.confirm)];
    let asked = said.into_iter().flatten().fold(Confirm::Never, stricter);
    Tool {
        confirm: stricter(tool.confirm, asked),
        progress_phrase: own
            .and_then(|own| own.progress_phrase.clone())
            .or(tool.progress_phrase),
        ..tool
    }
}

impl ToolboxWrapper for Cautious {
    fn inner(&self) -> &dyn Toolbox {
        &*self.inner
    }

    fn tools(&self) -> Arc<[Tool]> {
        let now = self.inner.tools();
        let mut lists = self.lists.lock();
        if !Arc::ptr_eq(&lists.plain, &now) {
            let careful = with_caution(&now, &self.caution);
            *lists = Lists { plain: now, careful };
        }
        Arc::clone(&lists.careful)
    }
}

#[cfg(test)]
mod tests {
    use loquat_agent::toolbox::Undo;

    use super::*;

    #[test]
    fn what_takes_back_a_call_that_needs_a_pin_needs_it_too() {
        let lock = Tool {
            undo: Some(Undo::by("restore")),
            read_only: false,
            ..Tool::safe("home", "lock", "Locks.")
        };
        let restore = Tool {
            only_undoes: true,
            read_only: false,
            ..Tool::safe("home", "restore", "Makes a thing what it was.")
        };
        let asked = |confirm: Option<Confirm>| {
            let caution = Caution {
                confirm,
                ..Caution::default()
            };
            let tools = with_caution(&[lock.clone(), restore.clone()], &caution);
            tools.iter().map(|tool| tool.confirm).collect::<Vec<_>>()
        };
        assert_eq!(asked(Some(Confirm::Pin)), [Confirm::Pin, Confirm::Pin]);
        assert_eq!(asked(Some(Confirm::Ask)), [Confirm::Ask, Confirm::Never]);
        assert_eq!(asked(None), [Confirm::Never, Confirm::Never]);
    }
}
