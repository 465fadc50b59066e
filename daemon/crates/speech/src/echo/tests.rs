//! What is left of our own voice in a room, and whether a wake word is heard over it. The voices are espeak-ng's.

use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;
use crate::SAMPLE_RATE;
use crate::playback::far_end;
use crate::wake_word::{MicroWakeWord, MicroWakeWords, WakeWord, WakeWordDetector, WakeWordSettings};
use crate::wav;

/// What we say, for some twelve seconds.
const ANSWER: &str = "The kitchen lights are on, and the radio in the living room plays quietly. Tomorrow it will rain in \
                      Berlin until the late evening, with wind from the west. Your next appointment is at half past nine: \
                      breakfast with the neighbours. The train to Hamburg leaves on time from platform seven.";

/// Wake words with models, and who speaks them.
const WORDS: [(&str, &str); 3] = [
    ("hey_mycroft", "hey mycroft"),
    ("hey_jarvis", "hey jarvis"),
    ("alexa", "alexa"),
];
const VOICES: [&str; 3] = ["en-gb", "en-us", "en-gb-scotland"];

/// How late the loudspeaker's sound is heard, in samples: 60 ms.
const LATE: usize = SAMPLE_RATE as usize * 60 / 1000;

/// How much louder the wake word is than the echo, in decibels.
const LEVELS: [f32; 3] = [0.0, -6.0, -12.0];

fn spoken(voice: &str, text: &str) -> Vec<f32> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spoken.wav");
    let mut command = Command::new("espeak-ng");
    let status = command
        .args(["-v", voice, "-s", "150", "-w"])
        .arg(&path)
        .arg(text)
        .status();
    assert!(status.expect("espeak-ng is installed").success());
    wav::read(&path).unwrap()
}

/// What a microphone hears of what is played: through a loudspeaker that distorts loud sound, late, and with the echo of a
/// room, which dies away within 200 ms.
fn in_the_room(played: &[f32]) -> Vec<f32> {
    let mut taps = vec![(LATE, 1.0_f32)];
    let mut state = 7_u32;
    for number in 1..60_u16 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let sign = if state >> 31 == 0 { 1.0 } else { -1.0 };
        let later = usize::from(number) * 53 + (state >> 27) as usize;
        taps.push((LATE + later, sign * 0.35 * (-f32::from(number) / 14.0).exp()));
    }
    let mut heard = vec![0.0; played.len()];
    for (later, strength) in taps {
        for (heard, sample) in heard.iter_mut().skip(later).zip(played) {
            *heard += strength * (1.5 * sample).tanh() * 0.5;
        }
    }
    heard
}

fn power(samples: &[f32]) -> f32 {
    samples.iter().map(|sample| sample * sample).sum::<f32>() / samples.len().max(1) as f32
}

fn decibels(ratio: f32) -> f32 {
    10.0 * ratio.max(1e-12).log10()
}

/// A word in the middle of an echo, so much louder than that.
fn over(echo: &[f32], word: &[f32], level: f32) -> Vec<f32> {
    let at = 6 * SAMPLE_RATE as usize;
    let place = &echo[at..at + word.len()];
    let gain = (power(place) / power(word)).sqrt() * 10.0_f32.powf(level / 20.0);
    let mut mixed = echo.to_vec();
    for (sample, word) in mixed.iter_mut().skip(at).zip(word) {
        *sample += word * gain;
    }
    mixed
}

/// What is left of what the microphone hears in pieces of 80 ms while that is played.
fn cancelled(played: &[f32], heard: &[f32]) -> Passed {
    let (mut writer, reader) = far_end();
    let mut filter = EchoFilter::new(reader);
    let mut left = Passed::default();
    for (played, heard) in played.chunks(1_333).zip(heard.chunks(1_333)) {
        writer.write(played);
        let Passed { clear, whole } = filter.pass(heard);
        left.clear.extend(clear);
        left.whole.extend(whole);
    }
    left
}

fn model(name: &str) -> Option<MicroWakeWords> {
    let folder = std::env::var_os("LOQUAT_TEST_MODELS").map(PathBuf::from)?;
    let model = Path::new(&folder).join(name).with_extension("tflite");
    let settings = WakeWordSettings {
        word: WakeWord {
            name: name.into(),
            ..WakeWord::default()
        },
        model,
        cutoff: 0.95,
        window: NonZeroU8::new(5).unwrap(),
    };
    MicroWakeWord::load(settings)
        .ok()
        .map(|word| MicroWakeWords::new(vec![word]))
}

fn finds(detector: &mut MicroWakeWords, sound: &[f32]) -> usize {
    detector.reset();
    sound
        .chunks_exact(512)
        .filter(|frame| detector.feed(frame).is_some())
        .count()
}

#[test]
fn our_own_voice_is_taken_out_while_it_is_learnt() {
    let played = spoken("en-us", ANSWER);
    let heard = in_the_room(&played);
    let Passed { clear, whole } = cancelled(&played, &heard);
    let second = SAMPLE_RATE as usize;
    let gone = |left: &[f32], from: usize, to: usize| {
        let range = from * second..to * second;
        decibels(power(&heard[range.clone()]) / power(&left[range]))
    };
    for (name, left, at_first, at_last) in [("clear", &clear, 8.0, 25.0), ("whole", &whole, 4.0, 10.0)] {
        let (first, last) = (gone(left, 0, 2), gone(left, 4, 10));
        println!("{name}: of the echo {first:.1} dB go in the first two seconds, {last:.1} dB after four");
        assert!(
            first > at_first && last > at_last,
            "{name}: {first} dB, then {last} dB"
        );
    }
}

#[test]
fn while_nothing_is_played_the_sound_is_handed_on_as_it_is() {
    let heard = spoken("en-us", "what time is it in Tokyo?");
    let (_writer, reader) = far_end();
    let mut filter = EchoFilter::new(reader);
    let passed: Vec<f32> = heard
        .chunks(1_333)
        .flat_map(|piece| filter.pass(piece).clear)
        .collect();
    assert!(heard.len() - passed.len() < FRAME);
    assert_eq!(passed, heard[..passed.len()]);
}

#[test]
fn what_is_played_may_come_late_and_in_pieces() {
    let played = spoken("en-us", ANSWER);
    let heard = in_the_room(&played);
    let (mut writer, reader) = far_end();
    let mut filter = EchoFilter::new(reader);
    let (mut left, mut written) = (Vec::new(), 0);
    for (number, heard) in heard.chunks(1_333).enumerate() {
        // After each third and fifth piece of the microphone, all that was played until then.
        if number % 3 == 0 || number % 5 == 0 {
            let until = (number + 1) * 1_333;
            writer.write(&played[written..until.min(played.len())]);
            written = until;
        }
        left.extend(filter.pass(heard).clear);
    }
    let late = 5 * SAMPLE_RATE as usize..9 * SAMPLE_RATE as usize;
    let gone = decibels(power(&heard[late.clone()]) / power(&left[late]));
    assert!(gone > 25.0, "{gone} dB");
}

#[test]
fn what_was_not_heard_is_not_waited_for() {
    let played = spoken("en-us", ANSWER);
    let heard = in_the_room(&played);
    let (mut writer, reader) = far_end();
    let mut filter = EchoFilter::new(reader);
    let (mut left, mut kept) = (Vec::new(), Vec::new());
    for (number, (played, heard)) in played.chunks(1_600).zip(heard.chunks(1_600)).enumerate() {
        writer.write(played);
        // Half a second of the microphone is lost.
        if (20..25).contains(&number) {
            filter.skip(heard.len());
        } else {
            left.extend(filter.pass(heard).clear);
            kept.extend_from_slice(heard);
        }
    }
    let late = 6 * SAMPLE_RATE as usize..9 * SAMPLE_RATE as usize;
    let gone = decibels(power(&kept[late.clone()]) / power(&left[late]));
    assert!(gone > 15.0, "{gone} dB");
}

#[test]
fn a_wake_word_is_heard_over_our_own_voice() {
    let mut detector =
        model("hey_mycroft").expect("LOQUAT_TEST_MODELS has the model; `make test` fetches it");
    let played = spoken("en-us", ANSWER);
    let echo = in_the_room(&played);
    let mixed = over(&echo, &spoken("en-gb", "hey mycroft"), 0.0);
    assert_eq!(finds(&mut detector, &mixed), 0, "as the microphone hears it");
    assert_eq!(finds(&mut detector, &cancelled(&played, &mixed).whole), 1);
    assert_eq!(
        finds(&mut detector, &cancelled(&played, &echo).whole),
        0,
        "our voice alone"
    );
}

/// Prints how many of the wake words are found at each level, by what stands between. Those that are not found without any
/// echo say nothing and are left out.
#[test]
#[ignore = "a measurement of a minute: it prints a table"]
fn wake_words_over_our_own_voice() {
    let played = spoken("en-us", ANSWER);
    let echo = in_the_room(&played);
    let alone = cancelled(&played, &echo);
    let (mut rows, mut all, mut falsely) = (LEVELS.map(|level| (level, [0_usize; 3])), 0, [0; 3]);
    for (name, text) in WORDS {
        let Some(mut detector) = model(name) else { continue };
        let mut count = |counts: &mut [usize; 3], heard: &[f32], left: &Passed| {
            for (count, sound) in counts.iter_mut().zip([heard, &left.clear, &left.whole]) {
                *count += finds(&mut detector, sound).min(1);
            }
        };
        count(&mut falsely, &echo, &alone);
        for word in words(name, text) {
            let quiet = vec![0.0; SAMPLE_RATE as usize];
            let mut found = [0; 3];
            let bare = [quiet.as_slice(), &word, &quiet].concat();
            count(&mut found, &bare, &Passed::default());
            if found[0] == 0 {
                continue;
            }
            all += 1;
            for (level, found) in &mut rows {
                let mixed = over(&echo, &word, *level);
                count(found, &mixed, &cancelled(&played, &mixed));
            }
        }
    }
    println!("| Voice against echo | microphone | clear | whole |\n| --- | --- | --- | --- |");
    for (level, [microphone, clear, whole]) in rows {
        println!("| {level} dB | {microphone} of {all} | {clear} of {all} | {whole} of {all} |");
    }
    println!(
        "| none: false | {} | {} | {} |",
        falsely[0], falsely[1], falsely[2]
    );
    assert!(rows.iter().all(|(_, [microphone, _, whole])| whole >= microphone));
}

/// The word as people have recorded it, in files of its name in a folder of the caller's, and as espeak-ng says it.
fn words(name: &str, text: &str) -> Vec<Vec<f32>> {
    let folder = std::env::var_os("LOQUAT_TEST_RECORDINGS").map(PathBuf::from);
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()));
    let is_word = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|file| file.to_string_lossy().starts_with(&format!("{name}-p")))
    };
    let recorded: Vec<_> = paths
        .filter(is_word)
        .filter_map(|path| wav::read(&path).ok())
        .collect();
    if recorded.is_empty() {
        VOICES.map(|voice| spoken(voice, text)).to_vec()
    } else {
        recorded
    }
}
