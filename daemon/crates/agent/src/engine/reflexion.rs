//! Reflexion (Shinn et al., 2023): an answer is judged, and when it will not do, the lesson goes into the next episode.
//!
//! Any engine gives the answers. The brain judges, or a rule or a tool does, which is better where there is one: a
//! model that judges itself is often wrong.

use futures_util::future::{BoxFuture, FutureExt};
use serde_json::{Map, Value, json};

use super::inner::{Episode, answer, lines, named, quoted};
use super::{Engine, Form, MAX_ITERATIONS, Setting, react, rule};
use crate::turn::{Ending, Flow, Turn};
use loquat_conversation::budget::Limit;
use loquat_conversation::call_graph::Node;
use loquat_conversation::dialect::phase::{Judgement, Remark, Verdict, head, judgement_of, nothing};
use loquat_conversation::dialect::{Words, prompts};
use loquat_conversation::record::Reason;
use loquat_decoder::Call;

const MAX_REFLECTIONS: Setting = Setting::count("max_reflections", 3, 1..=100, "how often it tries");
const INNER_ENGINE: Setting = Setting::new(
    "inner_engine",
    Form::Engine(react::ENGINE.id),
    "which engine tries",
);
const EVALUATOR: Setting = Setting::new("evaluator", Form::Other, "who judges");

pub(super) const ENGINE: Engine = Engine {
    id: "ovos-reflexion-loop",
    settings: &[MAX_REFLECTIONS, MAX_ITERATIONS, INNER_ENGINE, EVALUATOR],
    limit: Limit::Phases,
    run,
};

fn run(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    async move {
        let episodes = turn.settings().count(&MAX_REFLECTIONS);
        let mut lessons = Vec::new();
        let mut last = String::new();
        for episode in 1..=episodes {
            let tried = attempt(turn, &lessons).await;
            let reason = tried.ending.reason;
            if tried.ending.answer.is_empty() || !is_answer(reason) {
                return tried.ending.or_answer(last);
            }
            last.clone_from(&tried.ending.answer);
            turn.work.keep(&last);
            match judge_and_learn(turn, &tried, episode == episodes).await {
                Ok(Learnt::Good) => return Ending::new(reason, last),
                Ok(Learnt::Lesson(lesson)) => lessons.push(lesson),
                Err(ending) => return ending.or_answer(last),
            }
        }
        Ending::new(Reason::MaxIterations, last)
    }
    .boxed()
}

/// Tells whether an end is one that the brain meant as an answer, good or not.
fn is_answer(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Answered
            | Reason::MaxIterations
            | Reason::MaxToolCalls
            | Reason::CriticalTokens
            | Reason::Deadline
            | Reason::LoopDetected
    )
}

async fn attempt(turn: &Turn, lessons: &[String]) -> Episode {
    let before = turn.resources.text(&prompts::LESSONS);
    let engine = named(turn, INNER_ENGINE.key);
    let steps = turn.settings().loop_steps(&MAX_ITERATIONS);
    answer(turn, engine, steps, None, true, |question| {
        if lessons.is_empty() {
            return;
        }
        let lessons = lines(lessons.iter().map(|lesson| format!("- {lesson}")));
        // Below the question, since instructions that change are read anew.
        question.utterance = format!("{}\n\n{}\n{lessons}", question.utterance, before);
    })
    .await
}

/// The longest lesson that is kept, in characters: it is read again in every step of the next episode.
const LONGEST_LESSON: usize = 500;

/// The lesson of an episode.
enum Learnt {
    /// Its answer will do.
    Good,
    /// The next one is to do this better.
    Lesson(String),
}

async fn judge_and_learn(turn: &mut Turn, tried: &Episode, last: bool) -> Flow<Learnt> {
    turn.begin(nothing);
    let found = match tried.trajectory.as_str() {
        "" => String::new(),
        trajectory => format!("How it was found:\n{trajectory}"),
    };
    let words = format!("Proposed answer: {}\n{found}", quoted(&tried.ending.answer));
    let judgement = judge(turn, tried, &words).await?;
    if judgement.good {
        return Ok(Learnt::Good);
    }
    if last {
        return Ok(Learnt::Lesson(String::new()));
    }
    let mut asked = Words::from(&prompts::REFLECT);
    if turn.exchange.conversation.is_new() {
        let why = quoted(&judgement.why);
        asked = asked.behind(&format!("{words}It will not do: {why}\n"));
    }
    let lesson = turn.consult(asked, &Remark).await?;
    let bare = lesson
        .get(.."reflection:".len())
        .filter(|head| head.eq_ignore_ascii_case("reflection:"));
    let lesson = bare.and_then(|head| lesson.get(head.len()..)).unwrap_or(&lesson);
    let lesson = if lesson.trim().is_empty() {
        &judgement.why
    } else {
        lesson
    };
    let words: Vec<&str> = head(lesson, LONGEST_LESSON).split_whitespace().collect();
    Ok(Learnt::Lesson(words.join(" ")))
}

/// Asks the evaluator of the settings: a tool, a rule, else the brain.
async fn judge(turn: &mut Turn, tried: &Episode, words: &str) -> Flow<Judgement> {
    let setting = turn.settings().get(EVALUATOR.key).cloned();
    let tool = match &setting {
        Some(Value::String(name)) if name != "brain" => Some(name.as_str()),
        Some(Value::Object(members)) => members.get("tool").and_then(Value::as_str),
        _ => None,
    };
    if let Some(tool) = tool {
        return judge_by_tool(turn, tool, &tried.ending.answer).await;
    }
    if let Some(Value::Object(rules)) = &setting {
        return Ok(rule::judge(rules, &tried.ending.answer, &tried.trajectory));
    }
    // A small model rejects right answers as readily as wrong ones.
    if setting.is_none()
        && turn.resources.is_small()
        && rule::tells(
            &turn.resources.question.utterance,
            &tried.ending.answer,
            &tried.trajectory,
        )
    {
        return Ok(Judgement {
            good: true,
            why: String::new(),
        });
    }
    turn.consult(Words::from(&prompts::EVALUATE).behind(words), &Verdict)
        .await
}

/// A tool judges that takes the answer, and perhaps the question; what it cannot judge counts as good, because the brain
/// could not mend it.
async fn judge_by_tool(turn: &mut Turn, tool: &str, answer: &str) -> Flow<Judgement> {
    let good = |why: &str| Judgement {
        good: true,
        why: why.to_owned(),
    };
    let Some(entry) = turn.resources.catalogue.find(tool) else {
        return Ok(good("there is no such tool"));
    };
    let known = json!({"answer": answer, "text": answer, "question": turn.resources.question.utterance});
    let wanted = entry
        .tool
        .argument_schema
        .get("properties")
        .and_then(Value::as_object);
    let mut arguments: Map<String, Value> = wanted
        .into_iter()
        .flat_map(Map::keys)
        .filter_map(|key| Some((key.clone(), known.get(key)?.clone())))
        .collect();
    if let (true, Some(only)) = (arguments.is_empty(), entry.only_text()) {
        arguments.insert(only.to_owned(), answer.into());
    }
    turn.work.open_step();
    turn.act_as_graph(Node::apart(vec![Call::named(tool, arguments)]))
        .await?;
    let call = turn.work.steps().last().and_then(|step| step.calls.last());
    let seen = call.filter(|call| call.ok).map(|call| &*call.observation);
    let result = seen.and_then(|seen| serde_json::from_str(seen).ok());
    let judgement = result.as_ref().and_then(judgement_of);
    Ok(judgement.unwrap_or_else(|| good("the tool gave no verdict")))
}
