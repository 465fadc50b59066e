//! Very many tools, of which those that fit are shown: instructions that do not change, calls of these alone, and questions about
//! what is there that no earlier answer answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use loquat_agent::brain::ChatMessage;
use loquat_agent::consent::Consent;
use loquat_agent::event::{Event, ReplyFault};
use loquat_agent::grammar::Grammar;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::{Tool, Undo};
use loquat_agent::turn::{IntendedCall, Likely, Restating, Selection};
use serde_json::{Value, json};

use crate::brain::{Step, act, done, say};
use crate::consent;
use crate::support::{Played, Stage};
use crate::tools::{Deed, Tools, tool, writing};

const BOX: &str = "test-tools";

const NAMES: [&str; 30] = [
    "list_timers",
    "set_timer",
    "t2",
    "t3",
    "t4",
    "t5",
    "t6",
    "t7",
    "t8",
    "t9",
    "t10",
    "t11",
    "t12",
    "t13",
    "t14",
    "t15",
    "t16",
    "t17",
    "t18",
    "t19",
    "t20",
    "t21",
    "t22",
    "t23",
    "t24",
    "t25",
    "t26",
    "t27",
    "t28",
    "t29",
];

fn many() -> Tools {
    let tools = NAMES.map(|name| tool(name, Deed::Tell(json!({"count": 0}), "Nothing is set.")));
    Tools::new(tools)
}

fn likely(tool: &str, is_sure: bool) -> Likely {
    Likely {
        toolbox_id: BOX.to_owned(),
        tool: tool.to_owned(),
        is_near: true,
        is_sure,
        said_as: None,
        measures: BTreeMap::new(),
    }
}

/// A turn in which these fit, of a persona that has everything answered with tools at hand.
fn asking(stage: Stage, fitting: impl IntoIterator<Item = Likely>) -> Stage {
    let mut stage = Stage {
        tools: many(),
        settings: json!({"talk": false}),
        ..stage
    };
    "do any timers run".clone_into(&mut stage.question.utterance);
    stage.question.selection = Some(Selection {
        likely: fitting.into_iter().collect(),
        listed: vec![BOX.to_owned()],
        asks: false,
    });
    stage
}

/// The tools among which the brain could choose in this request.
fn choices(played: &Played, request: usize) -> Vec<String> {
    let schema = played.requests[request]
        .response_schema
        .as_ref()
        .expect("a schema");
    let steps = schema["anyOf"].as_array().expect("several steps").iter();
    let tool = |step: &Value| step["properties"]["tool"]["const"].as_str().map(str::to_owned);
    steps.filter_map(tool).collect()
}

fn object(tool: &str) -> Step {
    say(json!({"thought": "x", "tool": tool, "arguments": {}, "last": true}).to_string())
}

fn words(answer: &str) -> Step {
    say(json!({"thought": "x", "tool": "none", "answer": answer}).to_string())
}

#[tokio::test(start_paused = true)]
async fn all_are_listed_and_those_that_fit_can_be_chosen() {
    let first = asking(
        Stage::json([object("list_timers")]),
        [likely("list_timers", false), likely("t9", false)],
    );
    let first = first.play().await;
    let other = asking(Stage::json([words("Hello.")]), [likely("t4", false)])
        .play()
        .await;
    assert_eq!(choices(&first, 0), ["list_timers", "t9", "none"]);
    assert_eq!(choices(&other, 0), ["t4", "none"]);
    let [one, another] = [&first, &other].map(|played| &played.requests[0].messages[0].content);
    assert_eq!(one, another, "instructions do not change with what is said");
    assert!(NAMES.iter().all(|name| one.contains(&format!("- {name}("))));
    let said = ":\n- t9(): The tool t9.\n- list_timers(): The tool list_timers.\n\nPerson: do any timers run";
    assert!(first.shown(0).ends_with(said), "{}", first.shown(0));
    assert_eq!(first.end(), (Reason::FinalTool, "Nothing is set."));
}

#[tokio::test(start_paused = true)]
async fn no_tool_is_named_to_what_is_like_no_sentence() {
    let far = Likely {
        is_near: false,
        ..likely("t4", false)
    };
    let played = asking(Stage::json([words("Hello.")]), [far]).play().await;
    assert!(
        played.shown(0).ends_with("\ndo any timers run"),
        "{}",
        played.shown(0)
    );
    assert_eq!(
        choices(&played, 0),
        ["t4", "none"],
        "it can be called all the same"
    );
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_instructions_do_not_list_is_told_whole_beside_what_was_said() {
    let mut stage = asking(Stage::json([words("Hello.")]), [likely("t9", false)]);
    stage.question.selection.as_mut().expect("one").listed.clear();
    let (waits, deed) = tool("t9", Deed::Give(json!({})));
    let schema = json!({"type": "object", "required": ["at"],
                        "properties": {"at": {"type": "string", "description": "When."}}});
    let waits = Tool {
        description: "Waits.".to_owned(),
        argument_schema: schema,
        ..waits
    };
    let played = stage.with([(waits, deed)]).play().await;
    assert!(!played.requests[0].messages[0].content.contains("t9("));
    let said = "\n- t9(at: string (When)): Waits.\n\nPerson: do any timers run";
    assert!(played.shown(0).ends_with(said), "{}", played.shown(0));
}

#[tokio::test(start_paused = true)]
async fn where_nothing_fits_it_is_answered_without_a_tool() {
    let played = asking(Stage::json([words("Hello.")]), []).play().await;
    assert_eq!(choices(&played, 0), ["none"]);
    assert_eq!(played.end(), (Reason::Answered, "Hello."));
}

#[tokio::test(start_paused = true)]
async fn what_is_there_is_not_told_from_an_earlier_answer() {
    let mut stage = asking(
        Stage::react([
            done("You have a pasta timer."),
            act("list_timers", "{}"),
            done("Nothing is set."),
        ]),
        [likely("list_timers", true)],
    );
    let earlier = [
        ChatMessage::user("set a timer"),
        ChatMessage::assistant("The pasta timer runs."),
    ];
    stage.question.history = earlier.into();
    let played = stage.play().await;
    assert_eq!(played.end(), (Reason::Answered, "Nothing is set."));
    let is_unread = |event: &Event| {
        matches!(
            event,
            Event::ReplyRejected {
                fault: ReplyFault::Unread,
                ..
            }
        )
    };
    assert!(played.happened(is_unread));
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_is_held_to_a_schema_cannot_answer_before_it_has_looked() {
    let sure = |replies: Vec<Step>| {
        asking(
            Stage::json(replies),
            [likely("list_timers", true), likely("t9", false)],
        )
    };
    let played = sure(vec![object("list_timers")]).play().await;
    assert_eq!(choices(&played, 0), ["list_timers", "t9"]);
    let (acting, deed) = writing("t9", Deed::Give(json!({})));
    let both = [
        tool("list_timers", Deed::Tell(json!({"count": 0}), "Nothing is set.")),
        (acting, deed),
    ];
    let reading = sure(vec![object("list_timers")]).with(both).play().await;
    assert_eq!(
        choices(&reading, 0),
        ["list_timers"],
        "a deed is no answer to a question"
    );
    let failed = sure(vec![object("t9"), words("I do not know.")]).with([
        tool("t9", Deed::Complain("ValueError", "it is broken")),
        tool("list_timers", Deed::Tell(json!({"count": 0}), "Nothing is set.")),
    ]);
    let failed = failed.play().await;
    assert!(
        choices(&failed, 1).contains(&"none".to_owned()),
        "what failed was looked at"
    );
}

#[tokio::test(start_paused = true)]
async fn a_brain_that_stands_by_what_it_remembers_is_not_believed() {
    let replies = [done("You have a pasta timer."), done("You have a pasta timer.")];
    let played = asking(Stage::react(replies), [likely("list_timers", true)])
        .play()
        .await;
    assert_eq!(played.end(), (Reason::Answered, "I'm sorry, I cannot do that."));
    let replies = [done("You have a pasta timer.")];
    let unsure = asking(Stage::react(replies), [likely("list_timers", false)])
        .play()
        .await;
    assert_eq!(unsure.end(), (Reason::Answered, "You have a pasta timer."));
}

#[tokio::test(start_paused = true)]
async fn the_smallest_models_choose_among_the_best_six_and_larger_ones_among_more() {
    let many = || NAMES.iter().take(20).map(|name| likely(name, false));
    let smallest = asking(Stage::json([words("Hello.")]), many()).play().await;
    assert_eq!(choices(&smallest, 0).len(), 6 + 1);
    let mut stage = asking(
        Stage::json([say(json!({"tool": "none", "answer": "Hello."}).to_string())]),
        many(),
    );
    stage.capabilities.acts_at_once = true;
    assert_eq!(choices(&stage.play().await, 0).len(), 16 + 1);
}

#[tokio::test(start_paused = true)]
async fn a_question_is_answered_by_tools_that_look_and_by_no_deed() {
    let set = writing("set_timer", Deed::Give(json!({})));
    let look = || tool("list_timers", Deed::Tell(json!({"count": 0}), "Nothing is set."));
    let both = || [likely("set_timer", false), likely("list_timers", false)];
    let mut stage = asking(Stage::json([object("list_timers")]), both()).with([set, look()]);
    stage.question.selection.as_mut().expect("one").asks = true;
    assert_eq!(choices(&stage.play().await, 0), ["list_timers", "none"]);
}

/// The call that was made of this one where so much was said for the lengths.
async fn heeded(said: &str, lengths: &[&str], call: Value) -> Value {
    let (timer, deed) = writing("set_timer", Deed::Tell(json!({}), "It runs."));
    let text = |what: &str| json!({"type": "string", "description": what});
    let timer = Tool {
        argument_schema: json!({"type": "object",
                                "properties": {"length": text("How long."), "name": text("Its name.")}}),
        ..timer
    };
    let lengths = lengths.iter().map(|part| (*part).to_owned()).collect();
    let fits = Likely {
        measures: BTreeMap::from([("length".to_owned(), lengths)]),
        ..likely("set_timer", false)
    };
    let step = json!({"thought": "x", "tool": "set_timer", "arguments": call, "last": true});
    let mut stage = asking(Stage::json([say(step.to_string())]), [fits]).with([(timer, deed)]);
    said.clone_into(&mut stage.question.utterance);
    let played = stage.play().await;
    assert_eq!(played.end(), (Reason::FinalTool, "It runs."));
    played.ran.into_iter().next_back().expect("a call").1
}

#[tokio::test(start_paused = true)]
async fn how_long_is_what_was_said_and_not_what_a_small_model_makes_of_it() {
    let rice = json!({"length": "10 minutes", "name": "rice"});
    let said = "wait five minutes for the rice";
    assert_eq!(
        heeded(said, &["five minutes"], rice.clone()).await,
        json!({"length": "five minutes", "name": "rice"})
    );
    assert_eq!(
        heeded("is the rice ready", &[], rice).await,
        json!({"name": "rice"}),
        "nobody said how long"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_a_small_model_makes_again_is_told_as_its_tool_tells_it() {
    let again = || {
        let step = json!({"thought": "x", "tool": "list_timers", "arguments": {}, "last": false});
        say(step.to_string())
    };
    let stage = asking(
        Stage::json([again(), again()]),
        [likely("list_timers", false), likely("t9", false)],
    );
    let played = stage.play().await;
    assert_eq!(played.end(), (Reason::FinalTool, "Nothing is set."));
    assert_eq!((played.requests.len(), played.ran.len()), (2, 1));
}

/// Knows these sentences, each of which asks for one tool.
#[derive(Debug)]
struct Sentences(&'static [(&'static str, &'static str, &'static str)]);

impl Grammar for Sentences {
    fn understood<'a>(&'a self, sentence: &'a str, _: &'a str) -> BoxFuture<'a, Option<IntendedCall>> {
        let known = self.0.iter().find(|(known, ..)| *known == sentence);
        let call = known.map(|(_, tool, arguments)| IntendedCall {
            toolbox_id: BOX.to_owned(),
            tool: (*tool).to_owned(),
            arguments: serde_json::from_str(arguments).expect("arguments"),
            ..IntendedCall::default()
        });
        Box::pin(std::future::ready(call))
    }
}

/// A turn in which the brain is asked first for what was said in a sentence of the device.
fn restating(replies: impl IntoIterator<Item = Step>, fitting: impl IntoIterator<Item = Likely>) -> Stage {
    let mut stage = Stage {
        settings: json!({}),
        grammar: Some(Arc::new(Sentences(&[
            ("what timers are there", "list_timers", "{}"),
            ("which timers are there", "list_timers", r#"{"a": 1, "b": 2}"#),
            ("cancel the bread timer", "set_timer", "{}"),
            ("what is on the moon", "no_such_tool", "{}"),
        ]))),
        ..asking(Stage::json(replies), fitting)
    };
    stage.capabilities.acts_at_once = true;
    stage.question.restating = Some(Restating {
        lang: "en".to_owned(),
        before: None,
    });
    stage
}

fn has_tools(played: &Played, request: usize) -> bool {
    let request = &played.requests[request];
    request.response_schema.is_some() || request.messages[0].content.contains("- t9(")
}

#[tokio::test(start_paused = true)]
async fn talk_is_answered_with_no_tool_in_sight() {
    let played = restating([say("talk"), say("It is the air.")], [likely("t9", false)]);
    let played = played.play().await;
    assert_eq!(played.end(), (Reason::Answered, "It is the air."));
    assert_eq!(played.requests.len(), 2);
    assert!(!has_tools(&played, 0) && !has_tools(&played, 1));
    assert_eq!(played.requests[0].sampling.temperature, Some(0.0));
    assert_eq!(played.record.restated, None);
}

#[tokio::test(start_paused = true)]
async fn a_sentence_of_the_device_is_carried_out_without_a_step() {
    let played = restating([say("what timers are there")], [likely("t9", false)]);
    let played = played.play().await;
    assert_eq!(played.end(), (Reason::Answered, "Nothing is set."));
    assert_eq!((played.requests.len(), played.ran.len()), (1, 1));
    assert_eq!(played.record.restated.as_deref(), Some("what timers are there"));
    assert!(played.record.is_of_sentence());
}

#[tokio::test(start_paused = true)]
async fn what_is_no_such_sentence_or_was_not_said_goes_to_the_tools_of_others() {
    let of_others = |reply: &str| {
        let replies = [say(reply), object("list_timers")];
        let mut stage = restating(replies, [likely("list_timers", false)]);
        stage.question.selection.as_mut().unwrap().listed = vec!["another".to_owned()];
        stage
    };
    for reply in [
        "list my timers",
        "cancel the bread timer",
        "what is on the moon",
        "",
    ] {
        let played = of_others(reply).play().await;
        assert_eq!(played.end(), (Reason::FinalTool, "Nothing is set."), "{reply:?}");
        assert!(has_tools(&played, 1));
        assert_eq!(played.record.restated, None);
    }
    let ignorant = Stage {
        grammar: None,
        ..of_others("what timers are there")
    };
    assert_eq!(
        ignorant.play().await.end(),
        (Reason::FinalTool, "Nothing is set.")
    );
}

#[tokio::test(start_paused = true)]
async fn a_persona_can_forbid_it_and_where_nothing_fits_a_wish_is_declined_and_a_question_is_talk() {
    let forbidden = Stage {
        settings: json!({"talk": false}),
        ..restating([object("list_timers")], [likely("list_timers", true)])
    };
    let forbidden = forbidden.play().await;
    assert_eq!((forbidden.requests.len(), has_tools(&forbidden, 0)), (1, true));
    let nothing = restating([say("sing me a song")], []).play().await;
    let declined = "I'm sorry, I did not understand that.";
    assert_eq!(nothing.end(), (Reason::Answered, declined));
    let mut question = restating([say("what rhymes with orange"), say("Nothing.")], []);
    question.question.selection.as_mut().unwrap().asks = true;
    let question = question.play().await;
    assert_eq!(question.end(), (Reason::Answered, "Nothing."));
    assert!(!has_tools(&question, 1));
}

#[tokio::test(start_paused = true)]
async fn a_deed_that_is_not_easily_taken_back_waits_for_a_yes() {
    let deed = || writing("set_timer", Deed::Tell(json!({}), "Gone."));
    let mut stage = restating([say("cancel the bread timer")], [likely("set_timer", false)]).with([deed()]);
    "the bread is done".clone_into(&mut stage.question.utterance);
    let (played, asked) = consent::play(Consent::Refused, stage).await;
    assert_eq!(played.record.reason, Reason::ConfirmationDenied);
    assert_eq!((played.ran.len(), asked.len()), (0, 1));
}

/// How often the person is asked before a deed that can be taken back, where this was said, perhaps by a stranger.
async fn asked_before_it(said: &str, is_foreign: bool) -> usize {
    let (deed, does) = writing("set_timer", Deed::Tell(json!({}), "Gone."));
    let undo = Some(Undo::by("list_timers"));
    let deed = Tool { undo, ..deed };
    let looks = tool("list_timers", Deed::Give(json!({})));
    let stage = restating([say("cancel the bread timer")], [likely("set_timer", false)]);
    let mut stage = stage.with([(deed, does), looks]);
    said.clone_into(&mut stage.question.utterance);
    stage.question.is_foreign = is_foreign;
    stage.question.restating.as_mut().unwrap().before = Some("set a bread timer".to_owned());
    Box::pin(consent::play(Consent::Given, stage)).await.1.len()
}

#[tokio::test(start_paused = true)]
async fn a_deed_that_can_be_taken_back_is_asked_about_where_no_word_of_it_or_a_stranger_said_it() {
    assert_eq!(asked_before_it("the bread is done", false).await, 0);
    assert_eq!(asked_before_it("it smells good in here", false).await, 1);
    assert_eq!(asked_before_it("the bread is done", true).await, 1);
}

#[tokio::test(start_paused = true)]
async fn what_has_no_word_of_a_wish_and_only_tells_something_is_not_understood() {
    for (said, asks, ran) in [
        ("hall light on", false, 0),
        ("what is still running", true, 1),
        ("my timers please", false, 1),
    ] {
        let replies = [say("what timers are there"), words("None.")];
        let mut stage = restating(replies, [likely("list_timers", false)]);
        let (look, looks) = tool("list_timers", Deed::Tell(json!({}), "Nothing is set."));
        let read_only = true;
        stage = stage.with([(Tool { read_only, ..look }, looks)]);
        said.clone_into(&mut stage.question.utterance);
        stage.question.selection.as_mut().unwrap().asks = asks;
        assert_eq!(stage.play().await.ran.len(), ran, "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_that_only_repeats_the_sentence_before_is_asked_again_without_it() {
    for (asks, again, requests, ran) in [
        (true, "what timers are there", 2, 1),
        (true, "talk", 3, 0),
        (false, "It is the air.", 2, 0),
    ] {
        let replies = [say("which timers are there"), say(again), say("It is the air.")];
        let mut stage = restating(replies, [likely("list_timers", false)]);
        let (look, looks) = tool("list_timers", Deed::Tell(json!({}), "Nothing is set."));
        let read_only = true;
        stage = stage.with([(Tool { read_only, ..look }, looks)]);
        stage.question.selection.as_mut().unwrap().asks = asks;
        stage.question.restating.as_mut().unwrap().before = Some("which timers are there".to_owned());
        stage.question.understood_before = Some(r#"list_timers {"a":1,"b":2}"#.to_owned());
        let played = stage.play().await;
        assert_eq!(
            (played.requests.len(), played.ran.len()),
            (requests, ran),
            "{again}"
        );
        if asks {
            let last = played.requests[1].messages.last().unwrap();
            assert_eq!(last.content, "do any timers run");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_sentence_behind_another_may_be_talk_alone_but_no_deed() {
    for (again, answered) in [
        ("talk", "How lovely."),
        ("what timers are there", "I'm sorry, I did not understand that."),
    ] {
        let mut stage = restating([say("which timer is blue"), say(again), say("How lovely.")], []);
        "the timer was shaped like a hen".clone_into(&mut stage.question.utterance);
        stage.question.restating.as_mut().unwrap().before = Some("what timers are there".to_owned());
        let played = stage.play().await;
        assert_eq!(played.end(), (Reason::Answered, answered));
        assert_eq!(played.ran.len(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn what_follows_a_sentence_is_shown_behind_it() {
    let mut stage = restating([say("what timers are there")], [likely("t9", false)]);
    stage.question.restating = Some(Restating {
        lang: "en".to_owned(),
        before: Some("set a timer for 5 minutes".to_owned()),
    });
    let played = stage.play().await;
    let last = played.requests[0].messages.last().unwrap();
    assert_eq!(last.content, "[set a timer for 5 minutes] do any timers run");
}

#[tokio::test(start_paused = true)]
async fn a_sentence_that_repeats_the_one_before_is_talk_and_a_question_is_no_deed() {
    for (sentence, before) in [
        ("what timers are there", "list_timers {}"),
        ("which timers are there", r#"list_timers {"b":2,"a":1}"#),
    ] {
        let replies = [say(sentence), say("You are welcome.")];
        let mut repeating = restating(replies, [likely("list_timers", false)]);
        repeating.question.understood_before = Some(before.to_owned());
        let played = repeating.play().await;
        assert_eq!(played.end(), (Reason::Answered, "You are welcome."));
        assert_eq!((played.record.restated, played.ran.len()), (None, 0));
    }
    let replies = [say("cancel the bread timer"), words("None.")];
    let deed = || writing("set_timer", Deed::Tell(json!({}), "Gone."));
    let mut asking = restating(replies, [likely("set_timer", false)]).with([deed()]);
    "is the bread timer on".clone_into(&mut asking.question.utterance);
    asking.question.selection.as_mut().unwrap().asks = true;
    let (played, asked) = consent::play(Consent::Given, asking).await;
    assert_eq!((played.ran.len(), asked.len()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn behind_what_is_no_sentence_a_question_is_looked_up_and_other_programs_may_act() {
    let fits = || {
        [
            likely("set_timer", false),
            unlike("t2"),
            likely("list_timers", false),
            likely("t3", false),
        ]
    };
    let tools = || {
        let deed = writing("set_timer", Deed::Give(json!({})));
        let looks = ["t2", "list_timers"].map(|name| tool(name, Deed::Give(json!({}))));
        let (sum, sums) = tool("t3", Deed::Give(json!({})));
        let calculates = true;
        [deed]
            .into_iter()
            .chain(looks)
            .chain([(Tool { calculates, ..sum }, sums)])
    };
    let replies = || [say("do a handstand"), words("I cannot.")];
    let declined = "I'm sorry, I did not understand that.";
    let wish = restating(replies(), fits()).with(tools()).play().await;
    assert_eq!(
        (wish.end(), wish.requests.len()),
        ((Reason::Answered, declined), 1)
    );
    let mut question = restating(replies(), fits()).with(tools());
    question.question.selection.as_mut().unwrap().asks = true;
    assert_eq!(choices(&question.play().await, 1), ["list_timers", "none"]);
    let mut elsewhere = restating(replies(), fits()).with(tools());
    elsewhere.question.selection.as_mut().unwrap().listed.clear();
    let played = elsewhere.play().await;
    assert_eq!(
        choices(&played, 1),
        ["set_timer", "t2", "list_timers", "t3", "none"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_no_sentence_is_talk_but_for_a_calculation() {
    for (said, calculates, answered) in [
        ("what are 2 blue ones", false, "It is the air."),
        ("what are the blue ones", true, "It is the air."),
        (
            "what are 2 blue ones",
            true,
            "I'm sorry, I did not understand that.",
        ),
    ] {
        let (deed, does) = writing("set_timer", Deed::Give(json!({})));
        let replies = [say("which timer is blue"), say("It is the air.")];
        let deed = Tool { calculates, ..deed };
        let mut stage = restating(replies, [likely("set_timer", false)]).with([(deed, does)]);
        stage.question.selection.as_mut().unwrap().asks = true;
        said.clone_into(&mut stage.question.utterance);
        assert_eq!(stage.play().await.end(), (Reason::Answered, answered));
    }
}

#[tokio::test(start_paused = true)]
async fn a_small_brain_is_not_shown_what_was_declined() {
    let declined = "I'm sorry, I did not understand that. You can say, for example, “stop”.";
    let history = || {
        vec![
            ChatMessage::user("Hello."),
            ChatMessage::assistant("Good evening."),
            ChatMessage::user("Fold the shirts."),
            ChatMessage::assistant(declined),
        ]
    };
    for (small, shown) in [(true, false), (false, true)] {
        let mut stage = restating([say("talk"), say("How lovely.")], []);
        stage.capabilities.small = small;
        stage.question.history = history();
        let played = stage.play().await;
        let messages = &played.requests.last().unwrap().messages;
        let holds = |text: &str| messages.iter().any(|message| message.content.contains(text));
        assert!(holds("Good evening."));
        assert_eq!((holds(declined), holds("Fold the shirts.")), (shown, shown));
    }
}

#[tokio::test(start_paused = true)]
async fn what_has_no_word_of_the_device_is_talk() {
    let replies = [say("thank you"), say("You are welcome.")];
    let played = restating(replies, []).play().await;
    assert_eq!(played.end(), (Reason::Answered, "You are welcome."));
}

/// A step of one call after which the brain goes on.
fn going_on(tool: &str) -> Step {
    say(json!({"thought": "x", "tool": tool, "arguments": {}, "last": false}).to_string())
}

fn unlike(tool: &str) -> Likely {
    Likely {
        is_near: false,
        ..likely(tool, false)
    }
}

/// What ran where a small brain makes these calls, one after the other, of which the first does this.
async fn ran(first: Deed, other: (Tool, Deed), fits: [Likely; 2]) -> Vec<String> {
    let calls = [
        going_on("set_timer"),
        going_on(&other.0.name),
        words("That is all."),
        words("That is all."),
    ];
    let stage = asking(Stage::json(calls), fits).with([writing("set_timer", first), other]);
    let played = stage.play().await;
    played.ran.into_iter().map(|(tool, _)| tool).collect()
}

#[tokio::test(start_paused = true)]
async fn a_second_deed_is_done_only_where_what_was_said_is_like_a_sentence_for_it() {
    let done = || Deed::Give(json!({"set": true}));
    let second = || writing("t9", Deed::Give(json!({})));
    let both = [likely("set_timer", false), likely("t9", false)];
    assert_eq!(ran(done(), second(), both).await, ["set_timer", "t9"]);
    let one = || [likely("set_timer", false), unlike("t9")];
    assert_eq!(ran(done(), second(), one()).await, ["set_timer"]);
    let look = tool("t9", Deed::Give(json!({})));
    assert_eq!(
        ran(done(), look, one()).await,
        ["set_timer", "t9"],
        "it changes nothing"
    );
}

#[tokio::test(start_paused = true)]
async fn what_fails_is_not_made_up_for_by_another_deed() {
    let fits = || [likely("set_timer", false), likely("t9", false)];
    let second = || writing("t9", Deed::Give(json!({})));
    let fails = Deed::Complain("ValueError", "there is none");
    assert_eq!(ran(fails, second(), fits()).await, ["set_timer"]);
    let advises = Deed::Complain("ValueError", "call t9 for that");
    assert_eq!(ran(advises, second(), fits()).await, ["set_timer", "t9"]);
    let fails = Deed::Complain("ValueError", "there is none");
    let look = tool("t9", Deed::Give(json!({})));
    assert_eq!(ran(fails, look, fits()).await, ["set_timer", "t9"]);
}

#[tokio::test(start_paused = true)]
async fn a_deed_that_is_like_no_sentence_is_asked_about() {
    let asked = async |fits: Likely| {
        let stage = asking(Stage::json([object("t9"), words("Done.")]), [fits]);
        let stage = stage.with([writing("t9", Deed::Tell(json!({}), "It is done."))]);
        let (played, asked) = consent::play(Consent::Given, stage).await;
        assert_eq!(played.end(), (Reason::FinalTool, "It is done."));
        asked
            .into_iter()
            .map(|request| request.is_guess)
            .collect::<Vec<_>>()
    };
    assert_eq!(asked(unlike("t9")).await, [true]);
    assert_eq!(asked(likely("t9", false)).await, [false; 0]);
}
