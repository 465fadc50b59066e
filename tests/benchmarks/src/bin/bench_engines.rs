//! `make bench-engines`: the same questions to a real small model on this machine, through every engine.
//!
//! The daemon is the real one, with its own toolboxes and its own local brain; nothing is scripted. MODEL names another
//! model than the smallest one and ENGINES the engines that are tried. EXAM=everyday asks what people say to a device in a
//! kitchen, EXAM=languages the like in other languages, EXAM=hops what takes two calls; QUESTIONS says how many are asked,
//! and with CONVERSATION=1 all are asked in one session instead of each in its own. SET has settings of the daemon,
//! `KEY=VALUE`, with spaces between.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail, ensure};
use loquat_agent::engine::ENGINES;
use loquat_benchmarks::exam::{EVERYDAY, HOPS, LANGUAGES, Task, USUAL};
use loquat_benchmarks::set;
use loquat_tests::binaries::setting;
use loquat_tests::daemon::Daemon;
use loquat_tests::home::Home;
use loquat_tests::probe::BusProbe;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use loquat_tests::{machine, models};
use serde_json::{Value, json};

/// The smallest model that a device is given.
const USUAL_MODEL: &str = "qwen2.5-coder-0.5b-instruct-q4_k_m";

/// An engine of many phases, on a busy machine without a graphics card.
const THINKING: Duration = Duration::from_secs(400);

/// The limit of a turn, shorter than the wait for it.
const DEADLINE_SECONDS: u64 = 360;

/// As a persona that the program brings along says it.
const INSTRUCTIONS: &str = "You are a voice assistant. Your answer is spoken aloud, so answer in one or two short, \
     plain sentences. Use a tool for every calculation and for every question about time or date, and say what it returned.";

/// One line of the daemon's log that tells of a turn.
const OF_INTEREST: &str = "info,loquat::events=debug";

/// What came of one question.
#[derive(Debug, Default, Clone, Copy)]
struct Mark {
    right: bool,
    brain_calls: usize,
    tool_calls: usize,
    seconds: f64,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let model = setting("MODEL").unwrap_or_else(|| USUAL_MODEL.to_owned());
    let tasks = tasks()?;
    let engines = engines();
    ensure!(!engines.is_empty(), "ENGINES names no engine");
    let home = furnished(&model, &engines)?;
    let (daemon, probe) = Daemon::start(&home).await;
    println!("{model}; {}", machine::told());
    // The first question waits for the model to be loaded.
    if let (Some(engine), Some(task)) = (engines.first(), tasks.first()) {
        ask(&daemon, &probe, engine, task, "first").await;
    }
    let together = setting("CONVERSATION").is_some();
    let mut table = Vec::new();
    for engine in engines {
        let mut marks = Vec::new();
        for (number, task) in tasks.iter().enumerate() {
            let number = if together { 0 } else { number };
            marks.push(ask(&daemon, &probe, engine, task, &format!("{engine}-{number}")).await);
        }
        table.push((engine, marks));
    }
    print_table(&table);
    println!("{}", machine::told());
    Ok(())
}

fn tasks() -> Result<&'static [Task]> {
    let exam = match setting("EXAM").as_deref() {
        None | Some("usual") => USUAL,
        Some("everyday") => EVERYDAY,
        Some("languages") => LANGUAGES,
        Some("hops") => HOPS,
        Some(other) => bail!("EXAM is {other:?}; there are usual, everyday, hops and languages"),
    };
    let most = match setting("QUESTIONS") {
        Some(text) => text.parse().context("QUESTIONS must be a whole number")?,
        None => exam.len(),
    };
    Ok(exam.get(..most).unwrap_or(exam))
}

fn engines() -> Vec<&'static str> {
    let wanted = setting("ENGINES");
    let ids = ENGINES.iter().map(|engine| engine.id);
    ids.filter(|id| {
        wanted
            .as_ref()
            .is_none_or(|wanted| wanted.split(',').any(|part| id.contains(part)))
    })
    .collect()
}

/// A home with the model and one persona for each engine.
fn furnished(model: &str, engines: &[&str]) -> Result<Home> {
    let folder =
        models::folder().context("LOQUAT_TEST_MODELS names no folder; `make bench-engines` sets it")?;
    let file = folder.join(format!("{model}.gguf"));
    ensure!(
        file.is_file(),
        "{} is missing; `loquat models fetch {model}` brings it",
        file.display()
    );
    let home = Home::without_bus();
    home.setting(
        "local_brain.model",
        &format!("{:?}", fs::canonicalize(file)?.display().to_string()),
    );
    home.setting("log.filter", &format!("{OF_INTEREST:?}"));
    home.setting("log.format", "\"json\"");
    set::apply(&home, &set::wanted()?);
    for engine in engines {
        let persona = json!({
            "name": engine,
            "handlers": [engine],
            *engine: {"brain": "loquat-local-brain", "toolboxes": ["ovos-clock-tools", "ovos-math-tools"]},
            "budget": {"deadline_seconds": DEADLINE_SECONDS},
            "system_prompt": INSTRUCTIONS,
        });
        home.write(
            &format!("config/ovos_persona/{engine}.json"),
            &persona.to_string(),
        );
    }
    Ok(home)
}

/// Asks in this session and says at once how it went.
async fn ask(daemon: &Daemon, probe: &BusProbe, engine: &str, task: &Task, session: &str) -> Mark {
    let earlier = events(daemon, session).len();
    let asked = SystemTime::now();
    let utterance = Utterance::new(task.question)
        .to(engine)
        .in_session(session)
        .session("lang", json!(task.lang))
        .patience(THINKING);
    let turn = utterance.ask(probe).await;
    let now = SystemTime::now();
    let answer = turn.answer();
    let events = ended(daemon, session, earlier).await;
    let mark = Mark {
        right: task.is_right(answer, asked, now),
        brain_calls: count(&events, "brain replied"),
        tool_calls: count(&events, "tool called"),
        seconds: now.duration_since(asked).unwrap_or_default().as_secs_f64(),
    };
    let verdict = if mark.right { "right" } else { "WRONG" };
    println!(
        "  {engine:<28} {verdict} {:>3} calls {:>5.1} s  {} -> {answer}",
        mark.brain_calls, mark.seconds, task.question
    );
    mark
}

/// What the daemon's log, which is written by a task of its own, holds of a turn that has ended.
async fn ended(daemon: &Daemon, session: &str, earlier: usize) -> Vec<Value> {
    let look = || async {
        let events = events(daemon, session).split_off(earlier);
        (count(&events, "turn ended") > 0).then_some(events)
    };
    wait_for("the turn's end in the log", PATIENCE, look).await
}

fn count(events: &[Value], what: &str) -> usize {
    let is_it = |event: &&Value| event.get("message").is_some_and(|message| message == what);
    events.iter().filter(is_it).count()
}

/// What the daemon's log holds of a session.
fn events(daemon: &Daemon, session: &str) -> Vec<Value> {
    let output = daemon.output();
    let lines = output
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let fields = lines.filter_map(|mut line| line.get_mut("fields").map(Value::take));
    fields
        .filter(|fields| fields.get("session").is_some_and(|own| own == session))
        .collect()
}

fn print_table(table: &[(&str, Vec<Mark>)]) {
    println!(
        "\n{:<28}{:>12}{:>14}{:>14}{:>12}",
        "engine", "right", "brain calls", "tool calls", "seconds"
    );
    for (engine, marks) in table {
        let mean = |value: fn(&Mark) -> f64| marks.iter().map(value).sum::<f64>() / marks.len().max(1) as f64;
        let right = marks.iter().filter(|mark| mark.right).count();
        println!(
            "{engine:<28}{:>12}{:>14.1}{:>14.1}{:>12.1}",
            format!("{right} / {}", marks.len()),
            mean(|mark| mark.brain_calls as f64),
            mean(|mark| mark.tool_calls as f64),
            mean(|mark| mark.seconds),
        );
    }
}
