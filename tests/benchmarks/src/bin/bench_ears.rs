//! `make bench-ears`: what Loquat hears, beside the command line of whisper.cpp and faster-whisper with the same models.
//!
//! Parts, of which ONLY names some. `words`: word errors of commands, quiet and in noise, of people, of sentences with pauses
//! and of other languages, by all three. `speed`: what a second of sound costs each with one and with two threads. `delay`:
//! from the last sound at the microphone of the whole daemon to the utterance on the bus. `idle`: what waiting for one wake
//! word and for three costs. `wake`: wake words missed, and heard where none was said, in TALK (3,600) seconds, and over the
//! device's own voice. `stops`: what is taken for "stop" while the device speaks, in TALK seconds of talk and of its own voice,
//! MINUTES (20) of each at most. `thousand`: UTTERANCES (1,000) out of a file and MICROPHONE (100) through the daemon's microphone, each
//! of which has to have one result. WHISPER names models, SETS those recordings whose words are compared, with a semicolon between
//! them, COMMANDS is how many of the commands are spoken; PEERS=0 leaves the
//! peers out.
#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use loquat_benchmarks::ears::contestant::{Contestant, Who};
use loquat_benchmarks::ears::recordings::{Clip, Set, Speaker, make};
use loquat_benchmarks::ears::sound;
use loquat_benchmarks::ears::table::{self, Column};
use loquat_benchmarks::ears::workbench::Workbench;
use loquat_benchmarks::ears::{Model, delay, endurance, idle, listener, own_voice, plot, stops, wake};
use loquat_tests::binaries::setting;
use loquat_tests::{machine, models};
use serde_json::{Map, Value, json};

/// What whisper's authors call a model, and the files that we have of it, the one that is taken first.
const MODELS: [(&str, &[&str]); 2] = [
    ("tiny.en", &["ggml-tiny.en"]),
    ("base", &["ggml-base-q8_0", "ggml-base"]),
];

const VOICE_ACTIVITY: &str = "ggml-silero-v6.2.0";

/// The wake words that are waited for: the usual one, and all.
const WAKE_WORDS: [&str; 3] = ["hey_mycroft", "hey_jarvis", "alexa"];

const PARTS: [&str; 7] = ["words", "speed", "delay", "idle", "wake", "stops", "thousand"];

/// As many as the daemon takes on two cores.
const THREADS: usize = 2;

/// Everything that is measured with.
struct Bench {
    workbench: Workbench,
    folder: PathBuf,
    models: Vec<Model>,
    voice_activity: PathBuf,
    clips: Vec<Clip>,
    /// Those whose words are compared.
    sets: Vec<Set>,
    has_peers: bool,
    told: Map<String, Value>,
    misses: Vec<String>,
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some(listener::PART) => return listener::serve(arguments).await,
        Some(endurance::PART) => return endurance::serve(arguments).await,
        _ => {}
    }
    println!("{}", machine::told());
    let parts = parts()?;
    let workbench = Workbench::open()?;
    let mut speaker = Speaker::start(&workbench)?;
    let recordings = tempfile::tempdir()?;
    let commands = number("COMMANDS", usize::MAX)?;
    let clips = make(&workbench, &mut speaker, recordings.path(), commands).await?;
    let folder = models::folder().context("LOQUAT_TEST_MODELS names no folder; `make bench-ears` sets it")?;
    let mut bench = Bench {
        workbench,
        models: whispers(&folder)?,
        voice_activity: file(&folder, VOICE_ACTIVITY)?,
        folder,
        clips,
        sets: sets()?,
        has_peers: setting("PEERS").as_deref() != Some("0"),
        told: Map::new(),
        misses: Vec::new(),
    };
    for part in parts {
        println!("\n{part}; load average {}", machine::load());
        match part {
            "words" => bench.words().await?,
            "speed" => bench.speed().await?,
            "delay" => bench.delay().await?,
            "idle" => bench.idle().await?,
            "wake" => bench.wake(&mut speaker).await?,
            "stops" => bench.stops(&speaker).await?,
            _ => bench.thousand(&mut speaker).await?,
        }
    }
    bench.told.insert("machine".to_owned(), json!(machine::told()));
    write("bench-ears.json", &serde_json::to_string_pretty(&bench.told)?)?;
    for miss in &bench.misses {
        println!("MISSED: {miss}");
    }
    println!("{}", machine::told());
    Ok(())
}

/// Those of ONLY, or all.
fn parts() -> Result<Vec<&'static str>> {
    let Some(only) = setting("ONLY") else {
        return Ok(PARTS.to_vec());
    };
    let named = |name: &str| PARTS.into_iter().find(|part| *part == name.trim());
    only.split(',')
        .map(|name| named(name).with_context(|| format!("ONLY has {name:?}; there are {PARTS:?}")))
        .collect()
}

/// Those of SETS, or all.
fn sets() -> Result<Vec<Set>> {
    let Some(wanted) = setting("SETS") else {
        return Ok(Set::ALL.to_vec());
    };
    let of_name = |name: &str| Set::ALL.into_iter().find(|set| set.to_string() == name.trim());
    let named =
        |name: &str| of_name(name).with_context(|| format!("SETS has {name:?}; there are {}", all_sets()));
    wanted.split(';').map(named).collect()
}

fn all_sets() -> String {
    Set::ALL.map(|set| set.to_string()).join("; ")
}

fn number(name: &str, usual: usize) -> Result<usize> {
    match setting(name) {
        Some(text) => text
            .parse()
            .with_context(|| format!("{name} must be a whole number")),
        None => Ok(usual),
    }
}

/// The models of WHISPER, or all.
fn whispers(folder: &Path) -> Result<Vec<Model>> {
    let all = || MODELS.map(|(name, _)| name).join(",");
    let wanted = setting("WHISPER").unwrap_or_else(all);
    let mut whispers = Vec::new();
    for wanted in wanted.split(',').map(str::trim) {
        let known = MODELS.iter().find(|(name, _)| *name == wanted);
        let (name, files) = known.with_context(|| format!("WHISPER has {wanted:?}; there are {}", all()))?;
        let found = files.iter().find_map(|name| file(folder, name).ok());
        let first = files.first().context("a model has a file")?;
        whispers.push(Model {
            name,
            file: found.map_or_else(|| file(folder, first), Ok)?,
            is_multilingual: name.rsplit('.').next() != Some("en"),
        });
    }
    Ok(whispers)
}

fn file(folder: &Path, model: &str) -> Result<PathBuf> {
    let file = folder.join(format!("{model}.bin"));
    ensure!(
        file.is_file(),
        "{} is missing; `loquat models fetch {model}` brings it",
        file.display()
    );
    Ok(fs::canonicalize(file)?)
}

impl Bench {
    async fn words(&mut self) -> Result<()> {
        let mut columns = Vec::new();
        for model in &self.models {
            let clips = self.clips.iter().filter(|clip| is_for(model, clip));
            let clips: Vec<&Clip> = clips.filter(|clip| self.sets.contains(&clip.set)).collect();
            columns.extend(self.columns(model, THREADS, &clips).await?);
        }
        println!("{}", table::words(&columns));
        for model in &self.models {
            let remark = format!("{}; {}", self.remark(), machine::told());
            write(
                &format!("bench-ears-{}.svg", model.name),
                &plot::svg(&columns, model.name, &remark),
            )?;
        }
        self.misses.extend(table::misses(&columns));
        self.told.insert("words".to_owned(), json!(columns));
        Ok(())
    }

    async fn speed(&mut self) -> Result<()> {
        let clips = self.of(Set::Clean);
        let mut columns = Vec::new();
        for threads in [1, THREADS] {
            for model in &self.models {
                columns.extend(self.columns(model, threads, &clips).await?);
            }
        }
        println!("{}", table::speed(&columns));
        let told = json!(columns);
        self.told.insert("speed".to_owned(), told);
        Ok(())
    }

    /// What each contestant that is there hears of these.
    async fn columns(&self, model: &Model, threads: usize, clips: &[&Clip]) -> Result<Vec<Column>> {
        let mut columns = Vec::new();
        for who in Who::ALL {
            if who != Who::Loquat && !self.has_peers {
                continue;
            }
            let started = Contestant::start(who, &self.workbench, model, &self.voice_activity, threads);
            match started {
                Ok(contestant) => {
                    let named = (who, model.name, threads);
                    let column = Column::of(contestant, named, clips).await?;
                    println!("{} recordings, {}", clips.len(), column.told());
                    columns.push(column);
                }
                Err(error) => println!("{who} IS LEFT OUT: {error:#}"),
            }
        }
        Ok(columns)
    }

    async fn delay(&mut self) -> Result<()> {
        let mut told = Map::new();
        for model in &self.models {
            let utterances = delay::measure(model, &self.voice_activity, &self.of(Set::Clean)).await?;
            println!("{}: {}", model.name, delay::told(&utterances));
            self.misses.extend(delay::misses(model.name, &utterances));
            told.insert(model.name.to_owned(), json!(utterances));
        }
        self.told.insert("delay".to_owned(), Value::Object(told));
        Ok(())
    }

    async fn idle(&mut self) -> Result<()> {
        let model = self.models.first().context("WHISPER names none")?;
        let mut told = Vec::new();
        for words in [WAKE_WORDS.get(..1).unwrap_or_default(), &WAKE_WORDS] {
            let files: Vec<PathBuf> = words
                .iter()
                .map(|word| self.folder.join(format!("{word}.tflite")))
                .collect();
            let idle = idle::measure(model, &self.voice_activity, &files).await?;
            println!("{idle}");
            if !idle.is_little() {
                self.misses.push(idle.to_string());
            }
            told.push(idle);
        }
        self.told.insert("idle".to_owned(), json!(told));
        Ok(())
    }

    async fn wake(&mut self, speaker: &mut Speaker) -> Result<()> {
        let others = self
            .clips
            .iter()
            .filter(|clip| !matches!(clip.set, Set::Noise(_)));
        let others: Result<Vec<Vec<f32>>> = others.map(|clip| sound::read(&clip.file)).collect();
        let fared = wake::measure(&self.folder, speaker, &others?, number("TALK", 3_600)? as f64).await?;
        println!("{}", wake::Fared::heading());
        for fared in &fared {
            println!("{fared}");
        }
        println!("\nover the device's own voice, a person quieter than it by");
        let own = own_voice::measure(&self.folder, speaker).await?;
        for own in &own {
            println!("{own}");
            if !own.is_good() {
                self.misses
                    .push(format!("wake words over the device's own voice: {own}"));
            }
        }
        self.told
            .insert("wake".to_owned(), json!({"words": fared, "own_voice": own}));
        Ok(())
    }

    async fn stops(&mut self, speaker: &Speaker) -> Result<()> {
        let model = self.models.first().context("WHISPER names none")?;
        let (seconds, minutes) = (number("TALK", 3_600)? as f64, number("MINUTES", 20)? as u64);
        let within = Duration::from_secs(60 * minutes);
        let mut told = Vec::new();
        for heard in [stops::Heard::Talk, stops::Heard::OwnVoice] {
            let models = (model, self.voice_activity.as_path());
            let stops = stops::measure(heard, models, speaker, seconds, within).await?;
            println!("{}: {stops}", model.name);
            if !stops.is_few() {
                self.misses.push(stops.to_string());
            }
            told.push(stops);
        }
        self.told.insert("stops".to_owned(), json!(told));
        Ok(())
    }

    async fn thousand(&mut self, speaker: &mut Speaker) -> Result<()> {
        let model = self.models.first().context("WHISPER names none")?;
        let voice_activity = &self.voice_activity;
        let file = endurance::by_file(speaker, model, voice_activity, number("UTTERANCES", 1_000)?).await?;
        println!("{file}");
        let microphone =
            endurance::by_microphone(speaker, model, voice_activity, number("MICROPHONE", 100)?).await?;
        println!("{microphone}");
        for endured in [&file, &microphone] {
            if !endured.is_clean() {
                self.misses.push(endured.to_string());
            }
        }
        self.told.insert("thousand".to_owned(), json!([file, microphone]));
        Ok(())
    }

    fn of(&self, set: Set) -> Vec<&Clip> {
        self.clips.iter().filter(|clip| clip.set == set).collect()
    }

    fn remark(&self) -> String {
        format!("{} recordings", self.clips.len())
    }
}

/// A model for English hears English.
fn is_for(model: &Model, clip: &Clip) -> bool {
    model.is_multilingual || clip.lang.starts_with("en")
}

/// A file beside what cargo builds.
fn write(name: &str, text: &str) -> Result<()> {
    let program = std::env::current_exe()?;
    let target = program
        .ancestors()
        .nth(2)
        .context("the program lies in a folder of cargo's")?;
    let path = target.join(name);
    fs::write(&path, text).with_context(|| format!("failed to write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}
