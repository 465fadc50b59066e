//! The mind: one utterance in, one answer and one reason out.
//!
//! Everything that a turn is made of is in `loquat-conversation`; what others need of it to run a turn is named here, too.

pub mod engine;
mod figure;
pub mod gate;
mod hands;
pub mod journal;
pub mod turn;

pub use loquat_conversation::dialect::restated;
pub use loquat_conversation::{
    Guest, PROMPTS, Prompt, Speaker, brain, breaker, consent, event, grammar, origin, pieces, record,
    reflection, relevance, result, schema, toolbox,
};
pub use loquat_decoder::{capitalised, language, printable, speakable};
pub use turn::answer;
