//! What a second pass is worth: every way to decode a doubtful utterance once more, over recordings with their transcripts, with
//! word errors and time of each. It judges nothing; it prints what `Whisper::decode_surely` was built on.
//!
//! `LOQUAT_TEST_RECORDINGS` names a folder with `transcripts.tsv` (file and text a line) and `LOQUAT_TEST_WHISPER` a model of
//! `LOQUAT_TEST_MODELS`: `cargo test --release -p loquat-speech --lib passes -- --ignored --nocapture`.

use std::path::{Path, PathBuf};

use whisper_rs::SamplingStrategy;

use super::*;
use crate::wav;

/// A way to decode.
#[derive(Debug, Clone, Copy)]
struct Way {
    name: &'static str,
    window: Window,
    /// The least positions of the encoder, where the window is cut.
    least: i32,
    /// Texts that are followed at once; one is greedy.
    beam: i32,
    /// The temperatures of further decodings of the same encoding, up to one that is sure enough.
    warmer: f32,
    /// Texts that are drawn at a temperature of their own, of which the likeliest counts.
    drawn: i32,
}

const GREEDY: Way = Way {
    name: "cut, greedy",
    window: Window::Cut,
    least: 0,
    beam: 1,
    warmer: 0.0,
    drawn: 1,
};

/// The first is the first pass; the others may be second ones.
const WAYS: [Way; 9] = [
    GREEDY,
    Way {
        name: "cut, beam 2",
        beam: 2,
        ..GREEDY
    },
    Way {
        name: "cut, beam 5",
        beam: 5,
        ..GREEDY
    },
    Way {
        name: "cut, warmer",
        warmer: 0.2,
        ..GREEDY
    },
    Way {
        name: "cut, 5 drawn",
        drawn: 5,
        ..GREEDY
    },
    Way {
        name: "half, greedy",
        least: 768,
        ..GREEDY
    },
    Way {
        name: "2/3, greedy",
        least: 1_024,
        ..GREEDY
    },
    Way {
        name: "whole, greedy",
        window: Window::Full,
        ..GREEDY
    },
    Way {
        name: "whole, beam 5",
        window: Window::Full,
        beam: 5,
        ..GREEDY
    },
];

/// The result of one way for one recording.
struct Tried {
    decoded: Decoded,
    took: Duration,
    errors: usize,
}

impl Whisper {
    fn try_way(&mut self, way: Way, samples: &[f32]) -> (Decoded, Duration) {
        let began = Instant::now();
        let strategy = if way.beam > 1 {
            SamplingStrategy::BeamSearch {
                beam_size: way.beam,
                patience: -1.0,
            }
        } else {
            SamplingStrategy::Greedy { best_of: way.drawn }
        };
        let mut params = with_strategy(strategy, self.threads, Some("en"), &self.current);
        if way.drawn > 1 {
            params.set_temperature(0.4);
        }
        params.set_temperature_inc(way.warmer);
        params.set_logprob_thold(SURE.ln());
        let audio_ctx = way
            .window
            .audio_ctx(samples.len(), self.context.model_n_audio_layer());
        // Zero is the whole window.
        params.set_audio_ctx(if audio_ctx == 0 {
            0
        } else {
            audio_ctx.max(way.least)
        });
        params.set_max_tokens(way.window.max_tokens(samples.len()));
        self.state.full(params, samples).unwrap();
        let decoded = self.collect(window::seconds(samples.len()));
        (decoded, began.elapsed())
    }
}

/// Words as they are compared: small letters, small numbers in figures.
fn words(text: &str) -> Vec<String> {
    const NUMBERS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let plain = text.to_lowercase().replace(['\'', '’'], "");
    let words = plain
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let figures = |word: &str| match NUMBERS.iter().position(|number| *number == word) {
        Some(number) => number.to_string(),
        None => word.to_owned(),
    };
    words.map(figures).collect()
}

/// Words that were put in, left out or taken for others.
fn errors(heard: &[String], said: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=said.len()).collect();
    for (at, word) in heard.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], at + 1);
        for index in 0..said.len() {
            let other = before + usize::from(*word != said[index]);
            before = row[index + 1];
            row[index + 1] = other.min(before + 1).min(row[index] + 1);
        }
    }
    row[said.len()]
}

/// Adds noise of the same strength at every frequency, this much weaker than the speech.
fn with_noise(samples: &[f32], decibels: f32) -> Vec<f32> {
    let strength = room::strength(samples) * 10.0_f32.powf(-decibels / 20.0) * 3.0_f32.sqrt();
    let mut seed = 0x2545_f491_u32;
    let noisy = samples.iter().map(|sample| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        sample + strength * (seed as f32 / u32::MAX as f32 * 2.0 - 1.0)
    });
    noisy.collect()
}

fn recordings() -> Vec<(String, PathBuf, String)> {
    let folder = std::env::var_os("LOQUAT_TEST_RECORDINGS").expect("LOQUAT_TEST_RECORDINGS names the folder");
    let folder = Path::new(&folder);
    let list = std::fs::read_to_string(folder.join("transcripts.tsv")).expect("transcripts.tsv");
    let line = |line: &str| {
        let (file, text) = line.split_once('\t')?;
        let folder_name = file.split('/').next()?;
        let noise = file
            .rsplit_once("-snr")
            .map(|(_, noise)| noise.trim_end_matches(".wav"));
        let kind = noise.map_or_else(
            || folder_name.to_owned(),
            |noise| format!("{folder_name}, {noise} dB"),
        );
        let is_speech = ["piper", "noisy", "human"].contains(&folder_name);
        is_speech.then(|| (kind, folder.join(file), text.to_owned()))
    };
    list.lines().filter_map(line).collect()
}

/// The results of the ways for one recording. All ways are tried only where the first was doubtful.
struct Recording {
    kind: String,
    said: usize,
    tried: Vec<Tried>,
}

impl Recording {
    /// Gives the errors and seconds of the rule that the first pass counts where it is sure, and else this
    /// one if it is surer.
    fn by_rule(&self, way: usize) -> (usize, f64) {
        let first = &self.tried[0];
        let Some(second) = self.tried.get(way).filter(|_| way > 0) else {
            return (first.errors, first.took.as_secs_f64());
        };
        let is_better = invented::repeats(&first.decoded.text)
            || second.decoded.evidence.confidence >= first.decoded.evidence.confidence;
        let errors = if is_better { second.errors } else { first.errors };
        (errors, (first.took + second.took).as_secs_f64())
    }
}

fn try_all(whisper: &mut Whisper, kind: String, samples: &[f32], said: &[String]) -> Recording {
    let mut tried = Vec::new();
    for way in WAYS {
        let (decoded, took) = whisper.try_way(way, samples);
        let errors = errors(&words(&decoded.text), said);
        let is_sure = !invented::repeats(&decoded.text) && decoded.evidence.confidence >= SURE;
        tried.push(Tried {
            decoded,
            took,
            errors,
        });
        if tried.len() == 1 && is_sure {
            break;
        }
    }
    let said = said.len();
    Recording { kind, said, tried }
}

fn print_table(all: &[Recording]) {
    let mut kinds: Vec<&str> = all.iter().map(|recording| recording.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let of_kind: Vec<&Recording> = all.iter().filter(|recording| recording.kind == kind).collect();
        let doubtful = of_kind.iter().filter(|recording| recording.tried.len() > 1);
        let said: usize = of_kind.iter().map(|recording| recording.said).sum();
        println!(
            "{kind}: {} clips, {said} words, {} doubtful",
            of_kind.len(),
            doubtful.clone().count()
        );
        for (index, way) in WAYS.iter().enumerate() {
            let ruled: Vec<(usize, f64)> = of_kind.iter().map(|recording| recording.by_rule(index)).collect();
            let errors: usize = ruled.iter().map(|(errors, _)| errors).sum();
            let slowest = ruled.iter().map(|(_, seconds)| *seconds).fold(0.0, f64::max);
            let alone: f64 = doubtful
                .clone()
                .map(|recording| recording.tried[index].took.as_secs_f64())
                .sum::<f64>()
                / doubtful.clone().count().max(1) as f64;
            println!(
                "  {:14} {errors:3} errors, {:4.1} %; the second takes {alone:.2} s, the slowest clip {slowest:.2} s in all",
                way.name,
                100.0 * errors as f64 / said as f64,
            );
        }
    }
}

#[test]
#[ignore = "it measures for minutes and judges nothing; it wants recordings"]
fn second_passes_compared() {
    let models =
        std::env::var_os("LOQUAT_TEST_MODELS").expect("LOQUAT_TEST_MODELS names the folder of models");
    let name = std::env::var_os("LOQUAT_TEST_WHISPER").unwrap_or_else(|| "ggml-base-q8_0.bin".into());
    let mut settings = SpeechSettings::new(Path::new(&models).join(name), "");
    settings.threads = 2;
    let mut whisper = Whisper::load(&settings, Known::default()).unwrap();
    let mut all = Vec::new();
    for (kind, file, said) in recordings() {
        let (samples, said) = (wav::read(&file).unwrap(), words(&said));
        if kind == "piper" {
            let noisy = with_noise(&samples, 10.0);
            all.push(try_all(
                &mut whisper,
                "piper, white 10 dB".to_owned(),
                &noisy,
                &said,
            ));
        }
        all.push(try_all(&mut whisper, kind, &samples, &said));
    }
    print_table(&all);
    for Recording { kind, tried, .. } in all.iter().filter(|recording| recording.tried.len() > 1) {
        let shown = |tried: &Tried| {
            let confidence = tried.decoded.evidence.confidence;
            format!("{confidence:.2} ({}) {}", tried.errors, tried.decoded.text.trim())
        };
        let shown: Vec<String> = tried.iter().map(shown).collect();
        println!("{kind}: {}", shown.join(" | "));
    }
}
