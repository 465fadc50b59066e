//! What is left of our own voice in a room, and whether a wake word is heard over it. The voices are espeak-ng's.

use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;
use crate::SAMPLE_RATE;
use crate::playback::far_end;
use crate::wake_word::{MicroWakeWord, MicroWakeWords, WakeWord, WakeWordDetector, WakeWordSettings};
use crate::wav;

/// A speech of the device, of some twelve seconds.
const ANSWER: &str = "The kitchen lights are on, and the radio in the living room plays quietly. Tomorrow it will rain in \
                      Berlin until the late evening, with wind from the west. Your next appointment is at half past nine: \
                      breakfast with the neighbours. The train to Hamburg leaves on time from platform seven.";

/// The loudspeaker's sound is heard this many samples late: 60 ms.
const LATE: usize = SAMPLE_RATE as usize * 60 / 1000;

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

/// Gives what a microphone hears of what is played: through a loudspeaker that distorts loud sound, late, and with
/// the echo of a room, which dies away within 200 ms.
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

/// Puts a word into the middle of an echo, this much louder than that.
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
    let Passed { clear, whole } = passed(&played, &heard);
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
    assert_eq!(finds(&mut detector, &passed(&played, &mixed).whole), 1);
    assert_eq!(
        finds(&mut detector, &passed(&played, &echo).whole),
        0,
        "our voice alone"
    );
}

/// Gives what a microphone hears whose clock is slower than the loudspeaker's by this part.
fn by_another_clock(echo: &[f32], slower: f64) -> Vec<f32> {
    let at = |index: usize| echo.get(index).copied().unwrap_or_default();
    (0..echo.len())
        .map(|index| {
            let place = index as f64 / (1.0 + slower);
            let (before, part) = (place.floor() as usize, place.fract() as f32);
            at(before) * (1.0 - part) + at(before + 1) * part
        })
        .collect()
}

/// Gives what a microphone hears where a busy machine plays nothing for 20 ms, once in four seconds.
fn with_a_gap(echo: &[f32]) -> Vec<f32> {
    let mut heard = echo.to_vec();
    let at = 4 * SAMPLE_RATE as usize;
    heard.splice(at..at, std::iter::repeat_n(0.0, SAMPLE_RATE as usize / 50));
    heard
}

#[test]
fn clocks_that_differ_and_a_gap_in_what_is_played_cost_little() {
    let played = spoken("en-us", ANSWER);
    let room = in_the_room(&played);
    let gone = |heard: &[f32]| {
        let late = 7 * SAMPLE_RATE as usize..11 * SAMPLE_RATE as usize;
        let Passed { clear, whole } = passed(&played, heard);
        [clear, whole].map(|left| decibels(power(&heard[late.clone()]) / power(&left[late.clone()])))
    };
    let best = gone(&room);
    for (name, heard) in [
        ("0.01 % slower", by_another_clock(&room, 0.0001)),
        ("0.05 % slower", by_another_clock(&room, 0.0005)),
        ("0.02 % faster", by_another_clock(&room, -0.0002)),
        ("a gap", with_a_gap(&room)),
    ] {
        let now = gone(&heard);
        println!("{name}: {now:?} dB of {best:?}");
        for (now, best) in now.into_iter().zip(best) {
            assert!(now > best - 6.0, "{name}: {now} dB of {best}");
        }
    }
}
