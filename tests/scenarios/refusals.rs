//! What servers refuse of a request costs that alone: a bound, a parameter, a tool. And they are told names that they take.

use loquat_tests::brain::{Reply, Request};
use loquat_tests::daemon::Launch;
use loquat_tests::persona::Persona;
use loquat_tests::story::{Scene, Story, TESTER};
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use serde_json::{Value, json};

use crate::stage::{PEER, native_with_peer, requests, text, tool, trusting};

/// A refusal in the words of a server.
fn refusal(status: u16, body: &str) -> Reply {
    Reply {
        status,
        ..Reply::garbage(body)
    }
}

fn add() -> ScriptedTool {
    let numbers = json!({"a": {"type": "integer"}, "b": {"type": "integer"}});
    tool("add", &numbers, |_, _| Act::Returns(text("5")))
}

/// A tool whose schema many servers cannot read.
fn odd() -> ScriptedTool {
    let definition = json!({
        "name": "odd_one",
        "description": "Takes this or that.",
        "argument_schema": {"type": "object", "anyOf": [{"required": ["x"]}, {"required": ["y"]}],
            "properties": {"x": {"type": "string"}, "y": {"type": "string"}}},
        "output_schema": {"type": "object"},
    });
    ScriptedTool::new(definition, |_, _| Act::Returns(text("odd")))
}

/// What `loquat check` prints.
async fn checked(story: &Story) -> String {
    Launch::new(&story.home, &["check"]).run().await.shown()
}

#[tokio::test]
async fn a_bound_of_the_reply_that_is_too_large_becomes_what_the_server_allows() {
    let bodies = [
        (
            r#"{"error": {"message": "max_tokens is too large: 100000. This model supports at most 4096 completion tokens, whereas you provided 100000.", "type": "invalid_request_error", "param": "max_tokens", "code": "invalid_value"}}"#,
            Some(4_096),
        ),
        (
            r#"{"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20240620"}}"#,
            Some(8_192),
        ),
        (
            r#"{"object": "error", "message": "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 8192 tokens and your request has 500 input tokens (100000 > 8192 - 500). None", "type": "BadRequestError", "param": null, "code": 400}"#,
            None,
        ),
        (r#"{"error": {"message": "max_tokens is too large"}}"#, None),
    ];
    for (body, bound) in bodies {
        let (story, _peer) = native_with_peer(
            |tester| trusting(tester).brain("max_tokens", json!(100_000)),
            vec![add()],
        )
        .await;
        story.brain.decides(TESTER, move |request: &Request| {
            let asked = request.body()["max_tokens"].as_u64();
            asked
                .filter(|asked| *asked > bound.unwrap_or(0))
                .map(|_| refusal(400, body))
        });
        story.script([Reply::says("Hello."), Reply::says("Hello again.")]);
        assert_eq!(story.ask("Hello").await.answer(), "Hello.", "{body}");
        assert_eq!(story.ask("Hello again").await.answer(), "Hello again.", "{body}");
        let asked = requests(&story);
        assert_eq!(asked.len(), 3, "it is met once only: {body}");
        assert_eq!(asked[2].body()["max_tokens"].as_u64(), bound, "{body}");
        let check = checked(&story).await;
        assert!(
            check.contains("remark   brain") && check.contains("max_tokens"),
            "{check}"
        );
    }
}

#[tokio::test]
async fn a_tool_that_the_server_refuses_is_left_out_and_the_others_are_offered() {
    let bodies = [
        "{\"error\": {\"message\": \"Invalid schema for function 'odd_one': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.\", \"param\": \"tools[#].function.parameters\", \"code\": \"invalid_function_parameters\"}}",
        "{\"type\": \"error\", \"error\": {\"type\": \"invalid_request_error\", \"message\": \"tools.#.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level\"}}",
        "[{\"error\": {\"code\": 400, \"message\": \"* GenerateContentRequest.tools[0].function_declarations[#].parameters.any_of: bad\", \"status\": \"INVALID_ARGUMENT\"}}]",
        "{\"detail\": [{\"type\": \"value_error\", \"loc\": [\"body\", \"tools\", #, \"function\", \"parameters\"], \"msg\": \"Value error\"}]}",
    ];
    for body in bodies {
        let more = ["one", "two"].map(|name| ScriptedTool::named(name, Act::Returns(text("done"))));
        let [one, two] = more;
        let (story, peer) = native_with_peer(trusting, vec![one, two, odd(), add()]).await;
        story.brain.decides(TESTER, move |request: &Request| {
            let place = request.tools().iter().position(|name| name == "odd_one")?;
            Some(refusal(400, &body.replace('#', &place.to_string())))
        });
        story.script([
            Reply::calls("add", &json!({"a": 2, "b": 3})),
            Reply::says("Five."),
        ]);
        assert_eq!(story.ask("Two and three?").await.answer(), "Five.", "{body}");
        assert_eq!(peer.calls().len(), 1);
        let asked = requests(&story);
        assert_eq!(asked.len(), 3, "{body}");
        let offered = asked[1].tools();
        assert!(
            ["one", "two", "add"]
                .iter()
                .all(|name| offered.contains(&(*name).to_owned())),
            "{offered:?}"
        );
        let check = checked(&story).await;
        assert!(check.contains("odd_one"), "{check}");
    }
}

#[tokio::test]
async fn a_parameter_that_the_server_does_not_take_is_left_out() {
    let cases = [
        (
            "temperature",
            400,
            r#"{"error": {"message": "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.", "param": "temperature", "code": "unsupported_value"}}"#,
        ),
        (
            "parallel_tool_calls",
            400,
            r#"{"object": "error", "message": "[{'type': 'extra_forbidden', 'loc': ('body', 'parallel_tool_calls'), 'msg': 'Extra inputs are not permitted', 'input': False}]", "code": 400}"#,
        ),
        (
            "seed",
            422,
            r#"{"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}"#,
        ),
        (
            "stop",
            400,
            r#"{"error": {"message": "Unsupported parameter: 'stop' is not supported with this model.", "param": "stop"}}"#,
        ),
        (
            "response_format",
            400,
            "This response_format type is unavailable now: it is not supported",
        ),
    ];
    for (name, status, body) in cases {
        let extra = json!({"parallel_tool_calls": false, "seed": 7, "response_format": {"type": "text"}});
        let change = |tester: Persona| {
            let tester = trusting(tester)
                .brain("temperature", json!(0.5))
                .brain("stop_token", json!("END"));
            tester.brain("extra_params", extra)
        };
        let (story, _peer) = native_with_peer(change, vec![add()]).await;
        story.brain.decides(TESTER, move |request: &Request| {
            request.body().get(name).map(|_| refusal(status, body))
        });
        story.script([Reply::says("Hello."), Reply::says("Hello again.")]);
        assert_eq!(story.ask("Hello").await.answer(), "Hello.", "{name}");
        assert_eq!(story.ask("Hello again").await.answer(), "Hello again.", "{name}");
        assert_eq!(requests(&story).len(), 3, "{name}");
        assert!(checked(&story).await.contains(name), "{name}");
    }
}

#[tokio::test]
async fn a_server_that_refuses_everything_is_not_asked_for_ever() {
    let (story, _peer) = native_with_peer(trusting, vec![add()]).await;
    story.brain.decides(TESTER, |request: &Request| {
        let named = request.tools().first().cloned().unwrap_or_default();
        Some(refusal(400, &format!("tool '{named}' is invalid")))
    });
    let turn = story.ask("Hello").await;
    assert_eq!(turn.ends(), 1);
    assert!(requests(&story).len() < 16, "{}", requests(&story).len());
}

/// What a strict server takes for a name.
fn is_fit(name: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    !name.is_empty() && name.len() <= 64 && name.chars().all(legal)
}

/// The name under which a request offers the tool that is described like this.
fn name_of(request: &Request, described: &str) -> Option<String> {
    let tools = request.body()["tools"].as_array().cloned().unwrap_or_default();
    let mut own = tools.iter().filter(|tool| {
        tool["function"]["description"]
            .as_str()
            .is_some_and(|words| words.starts_with(described))
    });
    own.next()?["function"]["name"].as_str().map(str::to_owned)
}

#[tokio::test]
async fn tools_of_any_name_are_called_by_one_that_the_server_takes() {
    let long = "n".repeat(65);
    let names = [
        "включить_свет",
        "home.light/on",
        "home_light_on",
        "3d_print",
        &long,
    ];
    let tools = names.map(|name| ScriptedTool::named(name, Act::Returns(text("done"))));
    let (story, peer) = native_with_peer(trusting, tools.into()).await;
    for (number, name) in names.into_iter().enumerate() {
        let described = format!("Does what the test wants of {name}.");
        let call = json!({"text": "x"});
        story.brain.decides(TESTER, move |request: &Request| {
            let message = |message: &Value| {
                let called = message["tool_calls"].as_array().cloned().unwrap_or_default();
                let called = called.iter().filter_map(|call| call["function"]["name"].as_str().map(str::to_owned));
                called.chain(message["name"].as_str().map(str::to_owned)).collect::<Vec<_>>()
            };
            let history = request.messages().iter().flat_map(message);
            if request.tools().into_iter().chain(history).any(|name| !is_fit(&name)) {
                return Some(refusal(400, r#"{"error": {"message": "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", "param": "tools[0].function.name"}}"#));
            }
            let is_done = request.messages().last().is_some_and(|message| message["role"] == "tool");
            let own = name_of(request, &described)?;
            Some(if is_done { Reply::says("Done.") } else { Reply::calls(&own, &call) })
        });
        assert_eq!(
            story.ask(&format!("Use number {number}")).await.answer(),
            "Done.",
            "{name}"
        );
        let called = peer.calls();
        assert_eq!((called.len(), called[number].name.as_str()), (number + 1, name));
    }
}

#[tokio::test]
async fn two_boxes_may_have_a_tool_of_the_same_name() {
    let scene = Scene::default();
    let native = Persona::native(TESTER, &scene.brain.url(TESTER));
    let native = [PEER, "other-tools"].into_iter().fold(native, |persona, id| {
        persona.trusting(id).unasked_when_tainted(id, &["same"])
    });
    let story = scene.play(&native).await;
    let first = tool("same", &json!({}), |_, _| Act::Returns(text("first")));
    let second = tool("same", &json!({}), |_, _| Act::Returns(text("second")));
    let first = ScriptedToolbox::join(story.home.port(), PEER, vec![first]).await;
    let second = ScriptedToolbox::join(story.home.port(), "other-tools", vec![second]).await;
    story.script([
        Reply::calls("same", &json!({})),
        Reply::calls("other_tools_same", &json!({})),
        Reply::says("Both."),
    ]);
    assert_eq!(story.ask("Use both").await.answer(), "Both.");
    assert_eq!((first.calls().len(), second.calls().len()), (1, 1));
    assert_eq!(second.calls()[0].name, "same");
    let offered = requests(&story)[0].tools();
    assert!(offered.contains(&"other_tools_same".to_owned()), "{offered:?}");
}
