//! Spectra against those of the front end that the models were trained with (pymicro-features 2.0.2).

use super::loudness::Loudness;
use super::spectrum::{CHANNELS, HOP, Spectrum, WINDOW};

/// The spectra by the number of their window: of the first sound, and of sound that has just become louder.
const RECORDED: [(usize, [u16; CHANNELS]); 3] = [
    (
        0,
        [
            549, 518, 580, 546, 536, 542, 549, 533, 570, 529, 566, 547, 555, 558, 596, 554, 555, 534, 570,
            552, 592, 557, 583, 561, 593, 562, 594, 559, 599, 568, 606, 568, 602, 565, 608, 572, 596, 563,
            611, 570,
        ],
    ),
    (
        50,
        [
            557, 535, 595, 517, 554, 540, 604, 528, 574, 537, 604, 548, 596, 507, 583, 500, 596, 540, 608,
            543, 606, 537, 578, 534, 610, 548, 596, 541, 590, 541, 582, 540, 598, 542, 585, 530, 587, 531,
            605, 534,
        ],
    ),
    (
        55,
        [
            489, 459, 552, 501, 509, 302, 444, 398, 517, 443, 549, 381, 523, 450, 506, 469, 534, 422, 518,
            488, 534, 470, 549, 458, 534, 414, 547, 459, 520, 436, 508, 366, 489, 402, 520, 449, 523, 417,
            520, 451,
        ],
    ),
];

/// A second of noise that is 64 times as loud in its second half (a linear congruential generator, Numerical Recipes).
fn noise() -> Vec<i16> {
    let mut state = 1_u32;
    let sample = |at| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let sample = (state >> 16).cast_signed() as i16;
        sample / if at < 8_000 { 256 } else { 4 }
    };
    (0..16_000).map(sample).collect()
}

fn evened(samples: &[i16]) -> Vec<[u16; CHANNELS]> {
    let (mut spectrum, mut loudness) = (Spectrum::new(), Loudness::new());
    let windows = samples.windows(WINDOW).step_by(HOP);
    windows
        .map(|window| loudness.even(&spectrum.of(window)))
        .collect()
}

#[test]
fn spectra_are_those_that_models_are_trained_with() {
    let rows = evened(&noise());
    for (number, recorded) in RECORDED {
        let off = |(one, other): (&u16, &u16)| one.abs_diff(*other);
        let worst = rows[number].iter().zip(&recorded).map(off).max();
        // Their Fourier transform rounds more than ours.
        assert!(
            worst <= Some(1),
            "window {number} is off by {worst:?}: {:?}",
            rows[number]
        );
    }
}

#[test]
fn silence_is_nothing_and_the_loudest_sound_no_overflow() {
    assert!(evened(&vec![0; 16_000]).iter().all(|row| *row == [0; CHANNELS]));
    for loudest in [i16::MIN, i16::MAX] {
        let square: Vec<i16> = (0..16_000)
            .map(|at| if at / 8 % 2 == 0 { loudest } else { 0 })
            .collect();
        let rows = evened(&square);
        assert!(
            rows.iter().all(|row| row.iter().all(|value| *value < 1_000)),
            "{rows:?}"
        );
    }
}

#[test]
fn a_tone_is_loudest_in_the_channel_around_it() {
    // The peaks of channels lie evenly in mel; those around 1 kHz are 117 Hz apart.
    let tone = |hertz: f32| {
        let sample = move |at: u16| {
            ((f32::from(at) / 16_000.0 * hertz * std::f32::consts::TAU).sin() * 8_000.0) as i16
        };
        let samples: Vec<i16> = (0..WINDOW as u16).map(sample).collect();
        let spectrum = Spectrum::new().of(&samples);
        (0..CHANNELS).max_by_key(|channel| spectrum[*channel]).unwrap()
    };
    assert_eq!([tone(180.0), tone(1_000.0), tone(6_800.0)], [0, 12, 38]);
}

#[test]
fn steady_noise_is_taken_out() {
    let mut samples: Vec<i16> = noise().into_iter().take(8_000).collect();
    samples = samples.repeat(6);
    let rows = evened(&samples);
    let sum = |row: &[u16; CHANNELS]| row.iter().map(|value| u32::from(*value)).sum::<u32>();
    let (first, last) = (sum(&rows[0]), sum(rows.last().unwrap()));
    assert!(
        last * 2 < first,
        "{first} at first and {last} after three seconds"
    );
}
