//! What may not be said: numbers that nothing gave, and deeds that were not done.

use loquat_agent::brain::ChatMessage;
use loquat_agent::record::Reason;
use loquat_agent::toolbox::Tool;
use loquat_agent::turn::Selection;
use serde_json::{Value, json};

use crate::brain::{Step, act, done, say};
use crate::support::{Played, Stage};
use crate::tools::{Deed, add, tool};

fn asked(question: &str, replies: impl IntoIterator<Item = Step>) -> Stage {
    let mut stage = Stage::react(replies).with([calculator()]);
    question.clone_into(&mut stage.question.utterance);
    stage
}

fn calculator() -> (Tool, Deed) {
    let (tool, deed) = tool(
        "calculate",
        Deed::Tell(json!({"result": 620.5}), "That is 620.5."),
    );
    let schema = json!({"type": "object", "properties": {"expression": {"type": "string"}}});
    let tool = Tool {
        calculates: true,
        argument_schema: schema,
        ..tool
    };
    (tool, deed)
}

fn calculate(expression: &str) -> Step {
    act("calculate", &json!({"expression": expression}).to_string())
}

async fn played(question: &str, replies: impl IntoIterator<Item = Step>) -> Played {
    asked(question, replies).play().await
}

const PERCENT: &str = "What is 17 percent of 3,650?";

#[tokio::test(start_paused = true)]
async fn a_number_that_nothing_gave_is_asked_about_once_and_not_spoken() {
    let right = played(
        PERCENT,
        [calculate("17% * 3650"), done("62050."), done("620.50.")],
    )
    .await;
    assert_eq!(right.end(), (Reason::Answered, "620.50."));
    assert!(
        right.last_shown().contains("gave 62050"),
        "{}",
        right.last_shown()
    );
    let told = played(PERCENT, [calculate("17% * 3650"), done("62050."), done("62050.")]).await;
    assert_eq!(told.end(), (Reason::Answered, "That is 620.5."));
    let mute = Stage::react([
        act("add", r#"{"a": 2, "b": 3}"#),
        done("It is 6."),
        done("It is 6."),
    ]);
    let mute = mute.with([add()]).play().await;
    assert_eq!(mute.end(), (Reason::ParseError, ""));
    assert!(
        mute.record
            .fault
            .as_deref()
            .is_some_and(|fault| fault.contains("nothing gave") && !fault.contains('6'))
    );
}

#[tokio::test(start_paused = true)]
async fn a_calculation_needs_a_tool_and_knowledge_none() {
    let guessed = played(PERCENT, [done("620.5."), calculate("17% * 3650"), done("620.5.")]).await;
    assert_eq!(
        (guessed.end(), guessed.ran.len()),
        ((Reason::Answered, "620.5."), 1)
    );
    let insists = played(PERCENT, [done("415."), done("415.")]).await;
    assert_eq!(insists.end(), (Reason::ParseError, ""));
    let moon = "In 1969.";
    let known = played("When did Apollo 11 land?", [done(moon), done(moon)]).await;
    assert_eq!(
        (known.end(), known.record.brain_calls),
        ((Reason::Answered, moon), 2)
    );
    let bach = "Bach was born in 1685.";
    let known = played("When was Bach born?", [done(bach)]).await;
    assert_eq!(
        (known.end(), known.record.brain_calls),
        ((Reason::Answered, bach), 1)
    );
}

#[tokio::test(start_paused = true)]
async fn the_history_and_the_surroundings_give_numbers_too() {
    let answer = "17 percent of 3,650 is 620.5, in 2026 as in 1999.";
    let mut stage = asked(PERCENT, [calculate("17% * 3650"), done(answer)]);
    stage.question.moment = Some("Monday, 23 November 2026, 16:20".to_owned());
    stage.question.history = vec![ChatMessage::user("In 1999?"), ChatMessage::assistant("Yes.")];
    let played = stage.play().await;
    assert_eq!(
        (played.end(), played.record.brain_calls),
        ((Reason::Answered, answer), 2)
    );
}

#[tokio::test(start_paused = true)]
async fn a_deed_that_was_not_done_is_not_spoken() {
    let claim = "I have set a timer.";
    let denied = played("Set a timer.", [done(claim), done("I cannot set timers.")]).await;
    assert_eq!(denied.end(), (Reason::Answered, "I cannot set timers."));
    assert!(denied.last_shown().contains("no call has changed anything"));
    for (engine, lang, claim, apology) in [
        ("ovos-react-loop", "en-US", claim, "I'm sorry, I cannot do that."),
        (
            "ovos-react-loop",
            "de-DE",
            "Ich habe den Timer gestellt.",
            "Das kann ich leider nicht.",
        ),
        (
            "ovos-chain-of-thought-loop",
            "en-US",
            claim,
            "I'm sorry, I cannot do that.",
        ),
    ] {
        let mut stage = Stage {
            engine,
            ..asked("Set a timer.", [done(claim), done(claim)])
        };
        stage.question.lang = Some(lang.to_owned());
        assert_eq!(
            stage.play().await.end(),
            (Reason::Answered, apology),
            "{engine} {lang}"
        );
    }
    let (deed, does) = tool("set_timer", Deed::Give(json!({})));
    let read_only = false;
    let setting =
        Stage::react([act("set_timer", "{}"), done(claim)]).with([(Tool { read_only, ..deed }, does)]);
    assert_eq!(setting.play().await.end(), (Reason::Answered, claim));
    let mut stage = asked("Did you set it?", [done("Yes, I have set it.")]);
    stage.question.history = vec![
        ChatMessage::user("Set a timer."),
        ChatMessage::assistant("The timer is set."),
    ];
    assert_eq!(
        stage.play().await.end(),
        (Reason::Answered, "Yes, I have set it.")
    );
}

#[tokio::test(start_paused = true)]
async fn a_deed_is_claimed_falsely_where_calls_only_looked_or_an_earlier_one_is_told_again() {
    for claim in [
        "The heating is now set to sixteen.",
        "I will remember that.",
        "Alarm set.",
    ] {
        let replies = [calculate("16"), done(claim), done(claim)];
        let mut stage = asked("Heating down to sixteen.", replies);
        stage.capabilities.small = true;
        stage.question.selection = Some(Selection::default());
        let played = stage.play().await;
        let apology = "I'm sorry, I cannot do that.";
        assert_eq!(played.end(), (Reason::Answered, apology), "{claim}");
    }
    let claim = "I have set an alarm.";
    let mut stage = asked("And an alarm for six.", [done(claim), done("I cannot.")]);
    stage.question.history = vec![
        ChatMessage::user("Set a timer."),
        ChatMessage::assistant("The timer is set."),
    ];
    stage.question.selection = Some(Selection::default());
    assert_eq!(stage.play().await.end(), (Reason::Answered, "I cannot."));
}

#[tokio::test(start_paused = true)]
async fn what_the_brain_was_told_of_its_reply_is_no_answer() {
    let replies = [
        Step::Cut("Thought: x\nAction: calculate\nAction Input: {\"expression\": \"1000".to_owned()),
        done("Reply was cut off by its length limit."),
        done("I do not know."),
    ];
    let played = played("Which wine goes with trout?", replies).await;
    assert_eq!(played.end(), (Reason::Answered, "I do not know."));
}

fn object(call: &str, last: bool) -> Step {
    let step = json!({"thought": "x", "tool": "calculate", "arguments": {"expression": call}, "last": last});
    say(step.to_string())
}

/// The tools that the schema of a request lets the brain choose.
fn choices(played: &Played, request: usize) -> Vec<String> {
    let schema = played.requests[request]
        .response_schema
        .as_ref()
        .expect("a schema");
    let steps = schema["anyOf"].as_array().expect("several steps").iter();
    let tool = |step: &Value| step["properties"]["tool"]["const"].as_str().map(str::to_owned);
    steps.filter_map(tool).collect()
}

#[tokio::test(start_paused = true)]
async fn a_sum_made_in_the_head_is_calculated_by_the_tool() {
    let head = say(r#"{"thought": "x", "tool": "none", "answer": "That makes 640.5."}"#);
    let replies = [object("17% * 3650", false), head, object("620.5 + 20", true)];
    let question = "Add 20 to 17 percent of 3,650.";
    let played = asked(question, replies)
        .with([add(), calculator()])
        .constrained()
        .play()
        .await;
    assert_eq!(choices(&played, 1), ["add", "calculate", "none"]);
    assert_eq!(choices(&played, 2), ["calculate"]);
    assert_eq!(
        (played.end(), played.ran.len()),
        ((Reason::FinalTool, "That is 620.5."), 2)
    );
}

#[tokio::test(start_paused = true)]
async fn what_the_brain_is_told_of_a_repeated_call_is_not_said() {
    let echo = "You made this call before. It was not run again; this is what it brought.";
    let replies = [
        calculate("17% * 3650"),
        calculate("17% * 3650"),
        done(echo),
        done(echo),
    ];
    let told = played(PERCENT, replies).await;
    assert_eq!(told.end(), (Reason::Answered, "I'm sorry, I cannot do that."));
}

#[tokio::test(start_paused = true)]
async fn what_the_brain_is_told_of_its_answer_is_not_said_in_its_place() {
    let echo = "The person cannot say, neither the person nor a tool gave it.";
    let replies = [calculate("17% * 3650"), done("62050."), done(echo)];
    let told = played(PERCENT, replies).await;
    assert_eq!(told.end(), (Reason::Answered, "That is 620.5."));
    let echo = "I cannot: no tool was called so nothing was done.";
    let replies = [done("I have switched the light off."), done(echo)];
    let sorry = played("Switch the light off.", replies).await;
    assert_eq!(sorry.end(), (Reason::Answered, "I'm sorry, I cannot do that."));
}

#[tokio::test(start_paused = true)]
async fn what_the_brain_is_told_of_its_budget_or_of_a_failed_call_is_not_said() {
    let wrapping = "620.5. Half of the budget is used up. Consider wrapping up.";
    let replies = [calculate("17% * 3650"), done(wrapping), done("It is 620.5.")];
    let mended = played(PERCENT, replies).await;
    assert_eq!(mended.end(), (Reason::Answered, "It is 620.5."));
    let short = "It is 620.5. Consider wrapping up.";
    let replies = [calculate("17% * 3650"), done(short), done("It is 620.5.")];
    let mended = played(PERCENT, replies).await;
    assert_eq!(mended.end(), (Reason::Answered, "It is 620.5."));
    let note = "It seems there is a typo. If you know the answer, no tool is needed: say it.";
    let sorry = played("Feed the fish.", [done(note), done(note)]).await;
    assert_eq!(sorry.end(), (Reason::Answered, "I'm sorry, I cannot do that."));
    let advice = "If you know the answer, say it, and half of the budget is yours.";
    let said = played("How does the quiz go?", [done(advice)]).await;
    assert_eq!(said.end(), (Reason::Answered, advice));
}

#[tokio::test(start_paused = true)]
async fn what_the_person_said_is_no_answer_to_it() {
    const WISH: &str = "My hands are wet, open the skylight.";
    let again = "My hands are wet; open the skylight";
    let sorry = played(WISH, [done(again), done(again)]).await;
    assert_eq!(sorry.end(), (Reason::Answered, "I'm sorry, I cannot do that."));
    let mended = played(WISH, [done(again), done("There is no skylight.")]).await;
    assert_eq!(mended.end(), (Reason::Answered, "There is no skylight."));
    let greeted = played("Good night!", [done("Good night.")]).await;
    assert_eq!(greeted.end(), (Reason::Answered, "Good night."));
}
