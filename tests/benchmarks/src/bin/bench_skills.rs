//! `make bench-skills`: every tool of every skill called over the bus by a stock Python client, what people say most for
//! each skill in six languages without a model, and three requests a skill to a real small model.
//!
//! PARTS names those that are wanted (`calls`, `sentences`, `model`). By their names alone there are `hundred`, a hundred requests
//! to the persona that the program brings along, which are kept for publishing, `wishes`, the same for development, and
//! `conversations`, which are held without a model, or with one behind the grammar as `conversations-with-model`. SKILLS names the skills, MODEL another model than the smallest one, REQUESTS
//! another file of requests than the published hundred, ANSWERS a file for them with their answers. A skill is a file in `tests/benchmarks/skills`. Ends with 1 when a call or a
//! sentence went wrong; what a small model gets wrong is told and is no fault.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use loquat_benchmarks::skills::conversations::Conversation;
use loquat_benchmarks::skills::hundred::{Answered, Hundred, Outcome};
use loquat_benchmarks::skills::published::Chapter;
use loquat_benchmarks::skills::small_model::Class;
use loquat_benchmarks::skills::wishes::Wish;
use loquat_benchmarks::skills::{Entry, Room, calls, entries, sentences, table};
use loquat_benchmarks::turn::median;
use loquat_tests::binaries::setting;
use loquat_tests::home::Home;
use loquat_tests::machine;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;

/// The hundred requests are one conversation of one household.
const HOUSEHOLD: &str = "household";

/// The smallest model that a device is given.
const USUAL_MODEL: &str = "qwen2.5-coder-0.5b-instruct-q4_k_m";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    println!("{}", machine::told());
    let mut faults = Vec::new();
    if is_wanted("PARTS", "calls") {
        for generation in [Generation::Stable, Generation::PreRelease] {
            faults.extend(call(generation).await?);
        }
    }
    if is_wanted("PARTS", "sentences") {
        faults.extend(say().await?);
    }
    for fault in &faults {
        println!("  {fault}");
    }
    if is_wanted("PARTS", "model") {
        ask().await?;
    }
    if is_named("hundred") {
        ask_a_hundred().await?;
    }
    if is_named("wishes") {
        ask_wishes().await?;
    }
    if is_named("conversations") {
        converse().await?;
    }
    if is_named("conversations-with-model") {
        converse_with_model().await?;
    }
    Ok(ExitCode::from(u8::from(!faults.is_empty())))
}

/// Whether a name is among those that a variable holds; without the variable each is.
fn is_wanted(key: &str, name: &str) -> bool {
    setting(key).is_none_or(|names| names.split(',').any(|wanted| wanted.trim() == name))
}

/// Whether a part is wanted that is left out otherwise.
fn is_named(part: &str) -> bool {
    setting("PARTS").is_some() && is_wanted("PARTS", part)
}

fn chosen(entries: &[Entry]) -> Vec<&Entry> {
    entries
        .iter()
        .filter(|entry| is_wanted("SKILLS", &entry.name))
        .collect()
}

async fn call(generation: Generation) -> Result<Vec<String>> {
    let peers = Peers::of(generation);
    let room = Room::open_at(peers.home()).await?;
    let wanted: Vec<Entry> = chosen(&room.entries).into_iter().cloned().collect();
    let tally = calls::call_all(&peers, &wanted).await?;
    println!(
        "\n{} calls by {generation:?} OVOS\n{}",
        tally.count(),
        table::of_calls(&tally)
    );
    Ok(tally.faults)
}

async fn say() -> Result<Vec<String>> {
    let home = Home::without_bus();
    let room = Room::open_at(&home).await?;
    let mut rows = Vec::new();
    for entry in chosen(&room.entries) {
        if !entry.sentences.is_empty() {
            rows.push((entry, sentences::say_all(&room, entry).await));
        }
    }
    println!("\n{}", table::of_sentences(&rows));
    let faults = rows.into_iter().flat_map(|(_, heard)| heard);
    Ok(faults.flat_map(|heard| heard.faults).collect())
}

async fn ask() -> Result<()> {
    let model = setting("MODEL").unwrap_or_else(|| USUAL_MODEL.to_owned());
    let entries = entries()?;
    let class = Class::open(&model, &entries).await?;
    println!("\n{model}");
    let mut rows = Vec::new();
    for entry in chosen(&entries) {
        let mut marks = Vec::new();
        for (number, request) in entry.requests.iter().enumerate() {
            let mark = class.ask(entry, number, request).await;
            let verdict = if mark.right { "right" } else { "WRONG" };
            println!(
                "  {:<12} {verdict} {:>6.1} s  {} {}",
                entry.name,
                mark.took.as_secs_f64(),
                request.0,
                mark.told
            );
            for moved in &mark.unasked {
                println!("    moved without a yes: {moved}");
            }
            marks.push(mark);
        }
        rows.push((entry, marks));
    }
    println!("\n{}", table::of_small_model(&rows));
    Ok(())
}

async fn ask_a_hundred() -> Result<()> {
    let hundred = setting("REQUESTS").map_or_else(Hundred::load, |file| Hundred::read(Path::new(&file)))?;
    let class = class_of_usual_persona().await?;
    let mut tally = Tally::default();
    let mut chapter = Chapter::default();
    for request in &hundred.requests {
        let answered = class.put(HOUSEHOLD, &request.0, "en-US").await;
        let outcome = hundred.judge(request, &answered);
        tally.count(&request.0, outcome, &answered);
        chapter.add(&request.0, outcome, &answered);
    }
    tally.tell("requests");
    if let Some(file) = setting("ANSWERS") {
        fs::write(&file, chapter.text(&command())).with_context(|| format!("failed to write {file}"))?;
    }
    Ok(())
}

async fn ask_wishes() -> Result<()> {
    let hundred = Hundred::load()?;
    let class = class_of_usual_persona().await?;
    let mut tally = Tally::default();
    for (number, wish) in Wish::all()?.iter().enumerate() {
        let answered = class.put(&format!("wish-{number}"), &wish.say, &wish.lang).await;
        tally.count(&wish.say, wish.judge(&hundred, &answered)?, &answered);
    }
    tally.tell("wishes for development");
    Ok(())
}

/// Tells what comes of each sentence of the conversations.
async fn converse() -> Result<()> {
    let (mut said, mut understood) = (0, 0);
    for conversation in Conversation::all()? {
        println!("\n{} ({})", conversation.name, conversation.lang);
        let outcomes = conversation.hold().await?;
        for (turn, outcome) in conversation.turn.iter().zip(outcomes) {
            println!(
                "  {}\n    wanted: {}\n    called: {}",
                turn.say, turn.expect, outcome.calls
            );
            println!("    said:   {}", outcome.answer);
            said += 1;
            understood += usize::from(outcome.is_understood);
        }
    }
    println!("\n{said} sentences, of which {understood} were understood without a model");
    Ok(())
}

/// Tells what comes of each sentence of the conversations with a model behind the grammar. One device holds them all, one after the
/// other, so that what is left of one is there in the next.
async fn converse_with_model() -> Result<()> {
    let class = class_of_usual_persona().await?;
    for conversation in Conversation::all()? {
        println!("\n{} ({})", conversation.name, conversation.lang);
        for turn in &conversation.turn {
            let answered = class.put(&conversation.name, &turn.say, &conversation.lang).await;
            println!("  {}\n    wanted: {}", turn.say, turn.expect);
            println!("    {:>6.1} s  {}", answered.took.as_secs_f64(), answered.told);
        }
    }
    Ok(())
}

/// How the hundred requests are made again.
fn command() -> String {
    format!("make bench-skills PARTS=hundred MODEL={}", model())
}

fn model() -> String {
    setting("MODEL").unwrap_or_else(|| USUAL_MODEL.to_owned())
}

async fn class_of_usual_persona() -> Result<Class> {
    let model = model();
    let class = Class::open(&model, &[]).await?;
    println!("\n{model}");
    Ok(class)
}

/// What came of requests, one after the other.
#[derive(Debug, Default)]
struct Tally {
    outcomes: Vec<Outcome>,
    times: Vec<Duration>,
}

impl Tally {
    fn count(&mut self, said: &str, outcome: Outcome, answered: &Answered) {
        println!(
            "  {:<9} {:>6.1} s  {said} {}",
            format!("{outcome:?}"),
            answered.took.as_secs_f64(),
            answered.told
        );
        self.outcomes.push(outcome);
        self.times.push(answered.took);
    }

    fn tell(self, what: &str) {
        let all = self.outcomes.len();
        let count = |wanted: Outcome| self.outcomes.iter().filter(|outcome| **outcome == wanted).count();
        println!(
            "\n{all} {what}: right {}, wrong deeds {}, median {:.1} s",
            count(Outcome::Right),
            count(Outcome::WrongDeed),
            median(self.times).as_secs_f64()
        );
    }
}
