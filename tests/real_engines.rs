//! Every engine answers a question through the daemon with the real small model of this machine.
//!
//! `make test` fetches the model and names its folder in `LOQUAT_TEST_MODELS`. One daemon has a persona for each engine, so
//! that the model is loaded once. The likeliest token alone may be drawn, also by engines that want varied replies, so that
//! the model always replies alike.

#![cfg(test)]

use std::time::Duration;

use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::models::smallest;
use loquat_tests::probe::BusProbe;
use loquat_tests::turn::Utterance;
use serde_json::{Value, json};

/// An engine of many phases, on a busy machine with two cores.
const THINKING: Duration = Duration::from_secs(600);

/// The share of likelihood that is drawn from: so little that it is one token.
const LIKELIEST: f64 = 0.001;

/// As a persona that the program brings along says it.
const INSTRUCTIONS: &str = "You are a voice assistant. Your answer is spoken aloud, so answer in one or two short, \
     plain sentences. Use a tool for every calculation and for every question about time or date, and say what it returned.";

/// A question and what a right answer holds.
type Exercise = (&'static str, &'static str);

/// Those that need a tool. Where a small model stands between two words, the processor may decide: then the next one counts.
const SUMS: [Exercise; 3] = [
    ("what is 17 percent of 2,450?", "416.5"),
    ("what is 47 times 83?", "3901"),
    ("what is 144 divided by 6?", "24"),
];

/// Those that need none.
const FACTS: [Exercise; 3] = [
    ("what is the capital of France?", "Paris"),
    ("what is the capital of Japan?", "Tokyo"),
    ("what is the capital of Italy?", "Rome"),
];

/// What an engine is asked, and what shows that the engine has run.
struct Case {
    engine: &'static str,
    /// In this order, until one is answered right.
    exercises: [Exercise; 3],
    /// The tool that it has to call.
    tool: Option<&'static str>,
    /// Whether it tells a plan.
    plans: bool,
    /// As many brain calls as the shortest good path takes.
    brain_calls: u64,
}

const fn with_tool(engine: &'static str, plans: bool, brain_calls: u64) -> Case {
    Case {
        engine,
        exercises: SUMS,
        tool: Some("evaluate_expression"),
        plans,
        brain_calls,
    }
}

const fn without_tools(engine: &'static str, brain_calls: u64) -> Case {
    Case {
        engine,
        exercises: FACTS,
        tool: None,
        plans: false,
        brain_calls,
    }
}

const CASES: [Case; 11] = [
    with_tool("ovos-react-loop", false, 1),
    with_tool("ovos-native-toolcall-loop", false, 1),
    with_tool("auto", false, 1),
    with_tool("ovos-reflexion-loop", false, 2),
    with_tool("ovos-self-ask-loop", false, 2),
    with_tool("ovos-plan-execute-loop", true, 3),
    with_tool("rewoo", true, 2),
    with_tool("llm-compiler", true, 2),
    with_tool("ovos-critic-loop", false, 3),
    without_tools("ovos-chain-of-thought-loop", 1),
    without_tools("ovos-tree-of-thoughts-loop", 3),
];

/// A home with the model and a persona for each engine.
fn furnished() -> Home {
    let home = Home::without_bus();
    home.setting("local_brain.model", &smallest("qwen", "gguf"));
    // Two threads wait for each other wherever something else keeps a core busy.
    home.setting("local_brain.threads", "1");
    for Case { engine, .. } in CASES {
        let settings = json!({
            "brain": "loquat-local-brain",
            "loquat-local-brain": {"top_p": LIKELIEST},
            "toolboxes": ["ovos-math-tools"],
        });
        let persona = json!({
            "name": engine,
            "handlers": [engine],
            engine: settings,
            "budget": {"deadline_seconds": THINKING.as_secs() * 9 / 10},
            "system_prompt": INSTRUCTIONS,
        });
        home.write(
            &format!("config/ovos_persona/{engine}.json"),
            &persona.to_string(),
        );
    }
    home
}

#[tokio::test]
async fn every_engine_answers_with_the_model_of_this_machine() {
    let home = furnished();
    let (_daemon, probe) = Launch::new(&home, &["run"]).ready().await;
    for case in &CASES {
        case.play(&probe).await;
    }
}

impl Case {
    async fn play(&self, probe: &BusProbe) {
        let mut wrong = Vec::new();
        for (number, exercise) in self.exercises.iter().enumerate() {
            match self.attempt(number, exercise, probe).await {
                Ok(()) => return,
                Err(result) => wrong.push(result),
            }
        }
        panic!("{} answered nothing right:\n{}", self.engine, wrong.join("\n"));
    }

    /// Asks one question; the result of the turn where it was not answered on a good path.
    async fn attempt(
        &self,
        number: usize,
        (question, right): &Exercise,
        probe: &BusProbe,
    ) -> Result<(), String> {
        let session = format!("{}-{number}", self.engine);
        let asked = Utterance::new(question)
            .to(self.engine)
            .in_session(&session)
            .patience(THINKING);
        let turn = asked.ask(probe).await;
        let result = &turn.frame("loquat.turn.result").data;
        assert_eq!(result["engine"], self.engine, "{result:#}");
        let calls = result["results"].as_array().into_iter().flatten();
        let mut tools = calls
            .filter(|call| call["success"] == true)
            .map(|call| &call["tool"]);
        let reason = result["termination_reason"].as_str().unwrap_or_default();
        let is_good = turn.answer().replace(',', "").contains(right)
            && ["answered", "final_tool"].contains(&reason)
            && (result["plan"] != json!([])) == self.plans
            && result["brain_calls"].as_u64() >= Some(self.brain_calls)
            && tools.next().and_then(Value::as_str) == self.tool;
        is_good.then_some(()).ok_or_else(|| format!("{result:#}"))
    }
}
