//! What one tool hands on to the next, past the brain: what it may add to a call, and what it never may.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Request};
use loquat_agent::journal::{Entry, Happened};
use loquat_agent::toolbox::Tool;
use serde_json::json;

use crate::brain::{act, done};
use crate::support::Stage;
use crate::tools::{Deed, Tools, confirmed, dangerous, tool};

/// Says yes to everything.
struct Yes;

impl Person for Yes {
    fn consents<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Consent> {
        Box::pin(std::future::ready(Consent::Given))
    }
}

#[tokio::test(start_paused = true)]
async fn extras_go_one_tool_further_and_never_to_the_brain() {
    let tools = Tools::new([
        tool(
            "first",
            Deed::HandOn(json!({"ok": true}), json!({"secret_handle": 7})),
        ),
        tool("second", Deed::TellExtras),
        tool("third", Deed::TellExtras),
    ]);
    let replies = [
        act("first", "{}"),
        act("second", "{}"),
        act("third", "{}"),
        done("ok"),
    ];
    let played = Stage {
        tools,
        ..Stage::react(replies)
    }
    .play()
    .await;
    assert_eq!(played.seen(0), r#"{"ok":true}"#);
    assert_eq!(played.seen(1), r#"{"extras":{"secret_handle":7}}"#);
    assert_eq!(played.seen(2), r#"{"extras":{}}"#);
}

/// A tool whose one argument is a number, and which tells what it is handed besides.
fn counting(tool: (Tool, Deed)) -> (Tool, Deed) {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}, "urgent": {"type": "boolean"}}});
    let tool = Tool {
        argument_schema: schema,
        ..tool.0
    };
    (tool, Deed::TellExtras)
}

#[tokio::test(start_paused = true)]
async fn extras_add_to_a_call_and_never_change_it() {
    let extras = json!({"n": 99, "urgent": "yes", "handle": 7});
    let tools = Tools::new([
        tool("first", Deed::HandOn(json!({"ok": true}), extras)),
        counting(tool("second", Deed::TellExtras)),
    ]);
    let replies = [act("first", "{}"), act("second", r#"{"n": 1}"#), done("ok")];
    let played = Stage {
        tools,
        ..Stage::react(replies)
    }
    .play()
    .await;
    assert_eq!(played.ran[1].1, json!({"n": 1}));
    assert_eq!(played.seen(1), r#"{"extras":{"handle":7}}"#);
    let with_extras = |entry: &Entry| match &entry.happened {
        Happened::ToolCalled { call, .. } => call.contains(r#"{"handle":7}"#),
        _ => false,
    };
    assert!(played.entries.iter().any(with_extras), "{:?}", played.entries);
}

#[tokio::test(start_paused = true)]
async fn extras_never_reach_a_tool_that_needs_a_yes() {
    for guarded in [dangerous("second"), confirmed("second")] {
        let tools = Tools::new([
            tool("first", Deed::HandOn(json!({"ok": true}), json!({"handle": 7}))),
            counting(guarded),
        ]);
        let replies = [act("first", "{}"), act("second", r#"{"n": 1}"#), done("ok")];
        let played = Stage {
            tools,
            person: Some(Arc::new(Yes)),
            ..Stage::react(replies)
        }
        .play()
        .await;
        assert_eq!(played.seen(1), r#"{"extras":{}}"#);
    }
}
