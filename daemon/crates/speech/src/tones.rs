//! Sounds that are computed: notes one behind the other, each of which swells and fades so that it does not click. Plays none.

use std::f64::consts::TAU;

/// The samples a second of all sounds that are made here.
pub const RATE: u32 = 22_050;

/// A third of the loudest: a loudspeaker is set for speech.
const LOUDNESS: f64 = 0.33;

/// A note swells and fades for this long, in seconds.
const FADE: f64 = 0.02;

/// A note in hertz, and how long it is in seconds; without hertz it is silence.
pub type Note = (f64, f64);

/// Makes the notes into samples between −1 and 1.
pub fn samples(notes: &[Note]) -> Vec<f32> {
    notes.iter().flat_map(|note| sound(*note)).collect()
}

fn sound((hertz, seconds): Note) -> impl Iterator<Item = f32> {
    let count = (seconds * f64::from(RATE)) as u32;
    (0..count).map(move |index| {
        let at = f64::from(index) / f64::from(RATE);
        let swell = (at.min(seconds - at) / FADE).min(1.0);
        (LOUDNESS * swell * (TAU * hertz * at).sin()) as f32
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_swells_fades_and_has_its_height() {
        let samples = samples(&[(440.0, 0.5), (0.0, 0.5)]);
        assert_eq!(samples.len(), RATE as usize);
        let (note, silence) = samples.split_at(samples.len() / 2);
        let loudest = |samples: &[f32]| samples.iter().map(|sample| sample.abs()).fold(0.0, f32::max);
        assert!((0.32..0.34).contains(&loudest(note)), "{}", loudest(note));
        assert!(loudest(&note[..40]) < 0.05 && loudest(&note[note.len() - 40..]) < 0.05);
        assert!(loudest(silence) < f32::EPSILON);
        let rises = note
            .windows(2)
            .filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0)
            .count();
        assert!((218..=221).contains(&rises), "{rises}");
    }
}
