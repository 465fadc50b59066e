//! `make bench-answers`: how long a person waits for an answer, from the end of the words to `speak`, and how many are right.
//!
//! Requests of six kinds are spoken into a virtual microphone; the real daemon hears and answers them with the real models
//! of this machine. The same requests are given as text to the ReAct loop of `ovos-agentic-loop`, with the same model on
//! llama-cpp-python's server, one after our answer to it, so that a busy machine is busy for both. MODEL names another
//! model, ENGINE another engine of ours, KINDS the kinds and REQUESTS how many of each. With TYPED=1 requests are put on the
//! bus instead of spoken; with PEER=0 there is no peer. SET has settings of our device, `KEY=VALUE`, with spaces between.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use loquat_agent::engine::ENGINES;
use loquat_benchmarks::answers::device::{Device, Setup, USUAL_ENGINE};
use loquat_benchmarks::answers::peer::Peer;
use loquat_benchmarks::answers::report::{Summary, table, without_source};
use loquat_benchmarks::answers::row::Row;
use loquat_benchmarks::answers::{Kind, plot, requests};
use loquat_benchmarks::exam::Task;
use loquat_benchmarks::set;
use loquat_tests::binaries::setting;
use loquat_tests::{machine, models};
use serde_json::json;

/// The smallest model that a device is given.
const USUAL_MODEL: &str = "qwen2.5-coder-0.5b-instruct-q4_k_m";

/// Whisper models that know several languages, the one that is taken first.
const WHISPER: [&str; 2] = ["ggml-base-q8_0", "ggml-base"];

const VOICE_ACTIVITY: &str = "ggml-silero-v6.2.0";

/// What a microphone needs, and how it is asked whether it is there.
const PROGRAMS: [&str; 4] = ["espeak-ng", "pulseaudio", "paplay", "parec"];

/// What a brain is asked in each language, so that it has read its instructions when the clock runs.
const GREETINGS: [(&str, &str); 5] = [
    ("en-US", "Hello, who are you?"),
    ("de-DE", "Hallo, wer bist du?"),
    ("fr-FR", "Bonjour, qui es-tu ?"),
    ("es-ES", "Hola, ¿quién eres?"),
    ("it-IT", "Ciao, chi sei?"),
];

/// What is asked, of what.
struct Plan {
    model: String,
    setup: Setup,
    tasks: Vec<(Kind, &'static Task)>,
    has_peer: bool,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let plan = plan()?;
    println!("{}", described(&plan));
    let mut device = Device::start(&plan.setup).await?;
    let mut peer = peer(&plan).await;
    warm_up(&device, peer.as_mut(), &plan).await?;
    let mut rows = Vec::new();
    for (number, (kind, task)) in plan.tasks.iter().enumerate() {
        let row = row(*kind, task, &mut device, peer.as_mut()).await?;
        println!("{:>3} of {}  {}", number + 1, plan.tasks.len(), progress(&row));
        rows.push(row);
    }
    println!("\n{}\n{}", caption(&plan), table(&rows));
    println!("{}", without_source(&rows));
    write(&plan, &rows)?;
    println!("{}", machine::told());
    Ok(())
}

fn plan() -> Result<Plan> {
    let model = setting("MODEL").unwrap_or_else(|| USUAL_MODEL.to_owned());
    let engine = setting("ENGINE").unwrap_or_else(|| USUAL_ENGINE.to_owned());
    let known: Vec<&str> = ENGINES.iter().map(|engine| engine.id).collect();
    ensure!(
        known.contains(&engine.as_str()),
        "ENGINE is {engine:?}; there are {known:?}"
    );
    let is_off = |key: &str| setting(key).is_none_or(|value| value == "0");
    let ears = if is_off("TYPED") { Some(ears()?) } else { None };
    let setup = Setup {
        model: file(&model, "gguf")?,
        engine,
        ears,
        set: set::wanted()?,
    };
    Ok(Plan {
        model,
        setup,
        tasks: tasks()?,
        has_peer: setting("PEER").as_deref() != Some("0"),
    })
}

/// Whisper and voice activity, once all programs are known to be there.
fn ears() -> Result<[PathBuf; 2]> {
    for program in PROGRAMS {
        let there = Command::new(program).arg("--version").output();
        ensure!(
            there.is_ok(),
            "{program} is missing; `./daemon/packages.sh test` brings it, and TYPED=1 needs none"
        );
    }
    let whisper = WHISPER.into_iter().find_map(|name| file(name, "bin").ok());
    let whisper = whisper.map_or_else(|| file(WHISPER[0], "bin"), Ok)?;
    Ok([whisper, file(VOICE_ACTIVITY, "bin")?])
}

fn file(model: &str, extension: &str) -> Result<PathBuf> {
    let folder =
        models::folder().context("LOQUAT_TEST_MODELS names no folder; `make bench-answers` sets it")?;
    let file = folder.join(format!("{model}.{extension}"));
    ensure!(
        file.is_file(),
        "{} is missing; `loquat models fetch {model}` brings it",
        file.display()
    );
    Ok(file)
}

fn tasks() -> Result<Vec<(Kind, &'static Task)>> {
    let most = match setting("REQUESTS") {
        Some(text) => text.parse().context("REQUESTS must be a whole number")?,
        None => usize::MAX,
    };
    ensure!(most > 0, "REQUESTS must be at least 1");
    let all = || Kind::ALL.map(Kind::name).join(",");
    let names = setting("KINDS").unwrap_or_else(all);
    let mut tasks = Vec::new();
    for name in names.split(',').map(str::trim) {
        let kind = Kind::named(name).with_context(|| format!("KINDS has {name:?}; there are {}", all()))?;
        tasks.extend(requests::of(kind).iter().take(most).map(|task| (kind, task)));
    }
    Ok(tasks)
}

fn described(plan: &Plan) -> String {
    let way = match &plan.setup.ears {
        Some([whisper, _]) => format!("spoken, heard with {}", shown(whisper)),
        None => "typed on the bus".to_owned(),
    };
    let (model, engine) = (&plan.model, &plan.setup.engine);
    format!(
        "{} requests, {way}; {engine} with {model}; {}",
        plan.tasks.len(),
        machine::told()
    )
}

fn shown(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The peer, or the reason why there is none.
async fn peer(plan: &Plan) -> Option<Peer> {
    if !plan.has_peer {
        return None;
    }
    println!("starting the peer: the ReAct loop of ovos-agentic-loop with llama-cpp-python's server");
    Peer::start(&plan.setup.model)
        .await
        .inspect_err(|error| println!("THE PEER IS LEFT OUT: {error:#}"))
        .ok()
}

/// Both read their instructions in each language that is asked in.
async fn warm_up(device: &Device, mut peer: Option<&mut Peer>, plan: &Plan) -> Result<()> {
    let is_asked = |lang: &str| plan.tasks.iter().any(|(_, task)| task.lang == lang);
    println!("warming up");
    for (lang, greeting) in GREETINGS.into_iter().filter(|(lang, _)| is_asked(lang)) {
        device.warm_up(lang, greeting).await;
        if let Some(peer) = &mut peer {
            peer.warm_up(lang, greeting).await?;
        }
    }
    Ok(())
}

async fn row(kind: Kind, task: &'static Task, device: &mut Device, peer: Option<&mut Peer>) -> Result<Row> {
    let reply = device.ask(task).await?;
    let peer = match peer {
        Some(peer) => Some(peer.ask(task).await?),
        None => None,
    };
    Ok(Row {
        kind,
        lang: task.lang,
        said: task.question,
        heard: reply.heard,
        heard_rightly: reply.heard_rightly,
        answer: reply.answer,
        spans: reply.spans,
        peer,
    })
}

fn progress(row: &Row) -> String {
    let verdict = |right: bool| if right { "right" } else { "WRONG" };
    let seconds = |seconds: Option<f64>| seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.1} s"));
    let misheard = match &row.heard {
        _ if row.heard_rightly => String::new(),
        Some(heard) => format!(" (heard: {heard})"),
        None => " (heard nothing)".to_owned(),
    };
    let peer = row.peer.as_ref().map_or(String::new(), |(answer, taken)| {
        let text = answer.text.replace('\n', " ");
        format!(
            "\n            peer       {} {taken:>5.1} s  {text}",
            verdict(answer.right)
        )
    });
    format!(
        "{:<10} {} {:>7}  {}{misheard} -> {}{peer}",
        row.kind,
        verdict(row.answer.right),
        seconds(row.spans.whole),
        row.said,
        row.answer.text
    )
}

fn caption(plan: &Plan) -> &'static str {
    if plan.setup.ears.is_some() {
        "Seconds, median / 90th percentile. \"end\" is the last sound at the microphone; the language of a request is named \
         by the frame that asks the device to listen; the peer is given text."
    } else {
        "Seconds, median / 90th percentile. \"end\" is the sending of the typed utterance, so nothing was heard; both sides are \
         given text."
    }
}

/// The rows and the picture, beside what cargo builds.
fn write(plan: &Plan, rows: &[Row]) -> Result<()> {
    let program = std::env::current_exe()?;
    let target = program
        .ancestors()
        .nth(2)
        .context("the program lies in a folder of cargo's")?;
    let remark = format!("{} requests, {}; {}", rows.len(), plan.model, machine::told());
    let title = "Until an answer is spoken: loquat and ovos-agentic-loop, medians";
    let picture = plot::svg(title, &remark, &Summary::by_kind(rows));
    let whole = json!({
        "model": plan.model, "engine": plan.setup.engine, "spoken": plan.setup.ears.is_some(),
        "machine": machine::told(), "rows": rows,
    });
    for (name, text) in [
        ("bench-answers.svg", picture),
        ("bench-answers.json", serde_json::to_string_pretty(&whole)?),
    ] {
        let path = target.join(name);
        fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}
