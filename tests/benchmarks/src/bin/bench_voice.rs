//! `make bench-voice`: how long a person who has spoken waits for the first sound of an answer, by kind of request, and what that
//! time goes to.
//!
//! Requests are spoken by Piper in a virtual room, in which the device hears itself; the real daemon hears them with the real
//! models of this machine and answers through Piper. What is said while nothing is known yet is off, so that the first sound is that
//! of the answer. Beside it Home Assistant Assist is given the same recordings, in turn, with the weights of the same model for its
//! ear, the same voice, and the same model behind its own sentences; its sound counts from its first bytes. PEER=0 leaves it out, and
//! `HOME_ASSISTANT` chooses its version. KINDS names the kinds and REQUESTS how many of each; MODEL and WHISPER name other models; VOICE=espeak has
//! the device speak through espeak-ng. SET has settings of the device, `KEY=VALUE`, with spaces between.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use loquat_benchmarks::answers::device::{Setup, USUAL_ENGINE};
use loquat_benchmarks::ears::recordings::Speaker;
use loquat_benchmarks::ears::sound;
use loquat_benchmarks::ears::workbench::Workbench;
use loquat_benchmarks::exam::Task;
use loquat_benchmarks::set;
use loquat_benchmarks::voice::assist::Assist;
use loquat_benchmarks::voice::device::{Device, FIRST_QUESTION, Piper};
use loquat_benchmarks::voice::table::{Summary, table};
use loquat_benchmarks::voice::{Kind, Outcome, Row, plot, requests};
use loquat_tests::binaries::setting;
use loquat_tests::{machine, models};
use serde_json::json;

/// The model that answers everyday questions well enough.
const USUAL_MODEL: &str = "qwen2.5-coder-1.5b-instruct-q4_k_m";

const USUAL_WHISPER: &str = "ggml-base-q8_0";

const VOICE_ACTIVITY: &str = "ggml-silero-v6.2.0";

/// Quiet before and after what is said, in seconds.
const QUIET: f32 = 0.4;

/// What is asked, of what.
struct Plan {
    model: String,
    whisper: String,
    setup: Setup,
    piper: Option<Piper>,
    tasks: Vec<(Kind, &'static Task)>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let workbench = Workbench::open()?;
    let plan = plan(&workbench)?;
    println!("{}", described(&plan));
    let mut speaker = Speaker::start(&workbench)?;
    let folder = tempfile::tempdir()?;
    let recordings = record(&plan, &mut speaker, folder.path()).await?;
    let device = Device::start(&plan.setup, plan.piper.as_ref()).await?;
    let mut assist = assist(&plan, &workbench).await;
    if let Some(assist) = &mut assist {
        assist
            .warm_up(&spoken(&mut speaker, FIRST_QUESTION, folder.path().join("first.wav")).await?)
            .await?;
    }
    let mut rows = Vec::new();
    for (number, ((kind, task), recording)) in plan.tasks.iter().zip(&recordings).enumerate() {
        let ours = device.ask(task, recording).await?;
        let (kind, said) = (*kind, task.question);
        let place = format!("{:>3} of {}", number + 1, plan.tasks.len());
        println!("{place}  {}", progress(kind.name(), said, &ours));
        let peer = match &mut assist {
            Some(assist) => Some(assist.ask(task, recording).await?),
            None => None,
        };
        if let Some(peer) = &peer {
            println!(
                "{:width$}  {}",
                "",
                progress("Assist", said, peer),
                width = place.len()
            );
        }
        rows.push(Row {
            kind,
            said,
            ours,
            peer,
        });
    }
    let summaries = Summary::by_kind(&rows);
    println!("\n{CAPTION}\n{}", table(&summaries));
    write(&plan, &rows, &summaries)?;
    println!("{}", machine::told());
    Ok(())
}

const CAPTION: &str = "Seconds from the last sound that is said to the first that is heard: the median of each part, then median and \
                       90th percentile of all. \"work\" is what processors worked for a request, on average, until all of the \
                       answer was written, and the tokens are those that the model was shown and wrote until then. \
                       Below is Assist of Home Assistant, whose sound counts from its first bytes, and how many times as long it took.";

fn plan(workbench: &Workbench) -> Result<Plan> {
    let model = setting("MODEL").unwrap_or_else(|| USUAL_MODEL.to_owned());
    let whisper = setting("WHISPER").unwrap_or_else(|| USUAL_WHISPER.to_owned());
    let voice = setting("VOICE").unwrap_or_else(|| "piper".to_owned());
    let piper = match voice.as_str() {
        "piper" => Some(workbench.piper()?),
        "espeak" => None,
        other => anyhow::bail!("VOICE is {other:?}; there are piper and espeak"),
    };
    // The first sound is to be that of the answer, and no answer goes on with the one before.
    let mut set = vec![
        ("desk.silence_seconds".to_owned(), "0".to_owned()),
        ("desk.follow_up_seconds".to_owned(), "0".to_owned()),
    ];
    set.extend(set::wanted()?);
    let setup = Setup {
        model: file(&model, "gguf")?,
        engine: USUAL_ENGINE.to_owned(),
        ears: Some([file(&whisper, "bin")?, file(VOICE_ACTIVITY, "bin")?]),
        set,
    };
    Ok(Plan {
        model,
        whisper,
        setup,
        piper,
        tasks: tasks()?,
    })
}

fn file(model: &str, extension: &str) -> Result<PathBuf> {
    let folder =
        models::folder().context("LOQUAT_TEST_MODELS names no folder; `make bench-voice` sets it")?;
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
    let voice = if plan.piper.is_some() {
        "Piper"
    } else {
        "espeak-ng"
    };
    format!(
        "{} requests, heard with {}, answered with {}, spoken by {voice}; {}",
        plan.tasks.len(),
        plan.whisper,
        plan.model,
        machine::told()
    )
}

/// All requests, as files in this folder.
async fn record(plan: &Plan, speaker: &mut Speaker, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut recordings = Vec::new();
    for (number, (_, task)) in plan.tasks.iter().enumerate() {
        let recording = folder.join(format!("{number:02}.wav"));
        recordings.push(spoken(speaker, task.question, recording).await?);
    }
    Ok(recordings)
}

/// What is said, in this file.
async fn spoken(speaker: &mut Speaker, text: &str, recording: PathBuf) -> Result<PathBuf> {
    let words = speaker.says(text, 1.0).await?;
    let quiet = sound::silence(QUIET);
    sound::write(&recording, &[quiet.clone(), words, quiet].concat())?;
    Ok(recording)
}

/// The peer; nothing where it is not wanted or does not start.
async fn assist(plan: &Plan, workbench: &Workbench) -> Option<Assist> {
    if setting("PEER").as_deref() == Some("0") {
        return None;
    }
    let weights = plan.whisper.trim_start_matches("ggml-").trim_end_matches("-q8_0");
    let started = Assist::start(workbench, weights, &plan.setup.model).await;
    let assist = started.inspect_err(|error| println!("THE PEER IS LEFT OUT: {error:#}"));
    let assist = assist.ok()?;
    println!("beside Assist of Home Assistant {}", assist.version);
    if let Some(reason) = &assist.without_model {
        println!("NO MODEL IS BEHIND ITS OWN SENTENCES: {reason}");
    }
    Some(assist)
}

fn progress(kind: &str, said: &str, outcome: &Outcome) -> String {
    let verdict = if outcome.right { "right" } else { "WRONG" };
    let misheard = match &outcome.heard {
        _ if outcome.heard_rightly => String::new(),
        Some(heard) => format!(" (heard: {heard})"),
        None => " (heard nothing)".to_owned(),
    };
    let times = outcome.parts.map_or("   - s".to_owned(), |parts| {
        let each = parts.each().map(|seconds| format!("{seconds:.2}"));
        format!("{:>5.2} s = {}", parts.whole(), each.join(" + "))
    });
    let load = machine::load();
    format!(
        "{kind:<12} {verdict} {times}  [{load}] {said}{misheard} -> {}",
        outcome.answer
    )
}

/// The rows and the picture, beside what cargo builds.
fn write(plan: &Plan, rows: &[Row], summaries: &[Summary]) -> Result<()> {
    let program = std::env::current_exe()?;
    let target = program
        .ancestors()
        .nth(2)
        .context("the program lies in a folder of cargo's")?;
    let remark = format!(
        "{} requests, {}, {}; {}",
        rows.len(),
        plan.whisper,
        plan.model,
        machine::told()
    );
    let title = "From the last sound that is said to the first that is heard";
    let whole = json!({
        "model": plan.model, "whisper": plan.whisper, "machine": machine::told(), "rows": rows,
    });
    for (name, text) in [
        ("bench-voice.svg", plot::svg(title, &remark, summaries)),
        ("bench-voice.json", serde_json::to_string_pretty(&whole)?),
    ] {
        let path = target.join(name);
        fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}
