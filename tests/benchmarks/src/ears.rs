//! What `make bench-ears` measures: what is heard of what is said, how soon and at what cost, beside whisper.cpp and
//! faster-whisper with the same models; which wake words are missed and which are heard where none was said; and whether a
//! thousand utterances are a thousand results.

pub mod contestant;
pub mod delay;
pub mod endurance;
pub mod idle;
pub mod listener;
pub mod own_voice;
pub mod plot;
pub mod recordings;
pub mod sentences;
pub mod sound;
pub mod stops;
pub mod table;
pub mod wake;
pub mod words;
pub mod workbench;

use std::path::PathBuf;

/// A whisper model as all three can use it.
#[derive(Debug, Clone)]
pub struct Model {
    /// What whisper's authors call it.
    pub name: &'static str,
    /// Our file of it, which whisper.cpp reads too.
    pub file: PathBuf,
    /// Whether it knows other languages than English.
    pub is_multilingual: bool,
}

/// The value below which this part of them is; nothing of none.
fn at(values: impl Iterator<Item = f64>, part: f64) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let place = (values.len() as f64 * part) as usize;
    values.get(place.min(values.len().saturating_sub(1))).copied()
}
