//! Turns a brain's reply into what it means: an answer, calls, or a flaw the brain has to mend.
//!
//! One decoder serves every engine and accepts every form in every mode, because models mix them. It is a total
//! function: no reply makes it fail or panic, and its time is linear in the reply. It runs nothing.

mod action;
mod answer_tag;
mod call;
mod capital;
mod embedded;
mod fence;
mod follow_up;
mod foreign;
mod harmony;
mod json;
mod labels;
pub mod language;
mod line;
#[cfg(test)]
mod linear;
mod marker;
mod markup;
mod object;
mod parted;
mod plain;
pub mod printable;
mod pythonic;
mod question_labels;
mod react;
mod recognised;
mod reference;
mod reply;
mod sections;
mod speakable;
mod specials;
mod step;
mod tagged;
mod tags;
#[cfg(test)]
mod tests;
mod think;
mod verdict;

pub use action::{call_of, call_text_at, input_arguments};
pub use call::{Arguments, Call, Ending, Names, squash};
pub use capital::capitalised;
pub use fence::unwrap as unwrap_fence;
pub use follow_up::decode as decode_follow_up;
pub use json::{JsonError, Parsed, number, parse_prefix, parse_whole};
pub use labels::{Kind as LabelKind, Mark, Table, label_at};
pub use marker::{Marker, behind};
pub use object::{LAST, calls_in};
pub use parted::Parted;
pub use pythonic::arguments_at;
pub use react::behind_echo;
pub use recognised::{ends_with_label, is_label};
pub use reference::{fill, references};
pub use reply::{ChatReply, Finish, NativeCall, Usage};
pub use sections::{Section, sections};
pub use speakable::speakable;
pub use specials::strip as strip_specials;
pub use step::{decode, part_reply};
pub use think::{is_in as is_reasoning_in, part as part_thought};
pub use verdict::{Decoded, Flaw, Verdict};
