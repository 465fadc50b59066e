//! The tools that strangers have written down in `SKILL.md` files, by names that no other toolbox of the persona may bear.
//!
//! Such a file names itself. Where it takes the name of a tool that the persona trusts, a brain that means that one would have
//! the stranger's instructions followed. What a program on the bus or an MCP server will offer is not known before it is there,
//! so with any of those every tool of strangers is set apart, and else those whose names are taken.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox, ToolboxWrapper};
use serde_json::{Map, Value};

/// How such names begin. No tool of another program is offered that begins so.
const BEGINNING: &str = "skill_md_";

/// Whether only a tool that was set apart has this name.
pub fn is_set_apart(name: &str) -> bool {
    name.starts_with(BEGINNING)
}

/// What else the persona has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Others<'a> {
    /// The names that are taken.
    pub(crate) names: &'a [String],
    /// Whether there are toolboxes whose names are not known yet.
    pub(crate) has_unknown: bool,
}

impl Others<'_> {
    /// Whether one of them may be meant by this name, in any of the spellings that brains have for it.
    fn may_bear(&self, name: &str) -> bool {
        self.has_unknown || self.names.iter().any(|taken| bare(taken) == bare(name))
    }
}

fn bare(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The toolbox.
#[derive(Debug)]
pub(crate) struct SetApart {
    inner: Arc<dyn Toolbox>,
    tools: Arc<[Tool]>,
    /// The names of the tools, and those that they have in the toolbox itself.
    names: Vec<(String, String)>,
}

impl SetApart {
    /// The toolbox, whose tools never change, beside these others.
    pub(crate) fn of(inner: Arc<dyn Toolbox>, others: Others<'_>) -> Arc<dyn Toolbox> {
        let plain = inner.tools();
        let is_apart = |tool: &&Tool| tool.brings_foreign_text && others.may_bear(&tool.name);
        let renamed = plain.iter().filter(is_apart);
        let renamed: Vec<&str> = renamed.map(|tool| tool.name.as_str()).collect();
        if renamed.is_empty() {
            return inner;
        }
        let called = |name: &str| {
            if renamed.contains(&name) {
                format!("{BEGINNING}{name}")
            } else {
                name.to_owned()
            }
        };
        let tools = plain.iter().map(|tool| Tool {
            name: called(&tool.name),
            within: tool.within.as_deref().map(called),
            ..tool.clone()
        });
        let names = plain.iter().map(|tool| (called(&tool.name), tool.name.clone()));
        Arc::new(Self {
            tools: tools.collect(),
            names: names.collect(),
            inner: Arc::clone(&inner),
        })
    }

    /// Gives the name that a tool has in the toolbox itself.
    fn plain<'n>(&'n self, name: &'n str) -> &'n str {
        let known = self.names.iter().find(|(called, _)| called == name);
        known.map_or(name, |(_, plain)| plain)
    }
}

impl ToolboxWrapper for SetApart {
    fn inner(&self) -> &dyn Toolbox {
        &*self.inner
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.tools)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        self.inner.call(self.plain(name), arguments, circumstances)
    }

    fn decline(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances,
        why: &ToolError,
    ) {
        self.inner
            .decline(self.plain(name), arguments, circumstances, why);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// Gives the name by which it was called.
    #[derive(Debug)]
    struct Echo(Arc<[Tool]>);

    impl Toolbox for Echo {
        fn id(&self) -> &'static str {
            "skills"
        }

        fn tools(&self) -> Arc<[Tool]> {
            Arc::clone(&self.0)
        }

        fn call<'a>(
            &'a self,
            name: &'a str,
            _: Map<String, Value>,
            _: &'a Circumstances,
        ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
            let called = Map::from_iter([("called".to_owned(), Value::from(name))]);
            std::future::ready(Ok(Outcome::from(called))).boxed()
        }
    }

    fn tool(name: &str, brings_foreign_text: bool, within: Option<&str>) -> Tool {
        Tool {
            brings_foreign_text,
            within: within.map(str::to_owned),
            ..Tool::safe("skills", name, "x")
        }
    }

    fn skills() -> Arc<dyn Toolbox> {
        let tools = [
            tool("own", false, None),
            tool("skill_md_own", false, None),
            tool("send_mail", true, None),
            tool("send_mail_file", true, Some("send_mail")),
        ];
        Arc::new(Echo(tools.into()))
    }

    fn names(toolbox: &Arc<dyn Toolbox>) -> Vec<String> {
        let tools = toolbox.tools();
        tools.iter().map(|tool| tool.name.clone()).collect()
    }

    #[tokio::test]
    async fn what_strangers_wrote_has_a_name_of_its_own_and_is_called_by_it() {
        let others = Others {
            names: &[],
            has_unknown: true,
        };
        let apart = SetApart::of(skills(), others);
        let expected = [
            "own",
            "skill_md_own",
            "skill_md_send_mail",
            "skill_md_send_mail_file",
        ];
        assert_eq!(names(&apart), expected);
        assert_eq!(apart.tools()[3].within.as_deref(), Some("skill_md_send_mail"));
        for (name, plain) in [
            ("own", "own"),
            ("skill_md_own", "skill_md_own"),
            ("skill_md_send_mail", "send_mail"),
            ("skill_md_send_mail_file", "send_mail_file"),
        ] {
            let called = apart
                .call(name, Map::new(), &Circumstances::default())
                .await
                .unwrap();
            assert_eq!(called.result["called"], plain);
        }
    }

    #[test]
    fn beside_names_that_are_known_only_those_that_are_taken_give_way() {
        for (taken, is_apart) in [("send_mail", true), ("sendMail", true), ("send_post", false)] {
            let others = Others {
                names: &[taken.to_owned()],
                has_unknown: false,
            };
            let names = names(&SetApart::of(skills(), others));
            assert_eq!(names[2] == "skill_md_send_mail", is_apart, "{taken}");
            assert_eq!(names[0], "own");
        }
    }
}
