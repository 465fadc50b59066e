//! Sentences: templates and lists in, every reading of a text out.
//!
//! A [`Language`] is compiled once, from a file of the community's sentences or from a [`Source`] of one's own. It reads a
//! text against the names of a [`Home`], which change at run time, and gives every [`Reading`]; [`best`] chooses one.
//! It knows no tools, no bus and no files, reads no clock, and bounds what a text or a template from a stranger may cost.

mod choices;
mod compounds;
mod context;
mod fit;
mod home;
mod language;
mod letter;
mod lexicon;
mod matcher;
mod number_words;
mod pack;
mod phrase;
mod reader;
mod reading;
mod responses;
mod sketch;
mod skip;
mod slight;
mod source;
mod spoken;
mod template;
mod utterance;
mod value;
pub mod words;
mod written;

pub use compounds::Compounds;
pub use context::{Allowed, Context, Requirement};
pub use fit::{Fit, Fitting, Place};
pub use home::{Home, Name};
pub use language::{Complaint, Language, Problem};
pub use pack::PackError;
pub use reader::{Asked, OpenText};
pub use reading::{End, Origin, Reading, Slot, Understood, best};
pub use responses::{Given, ResponseError, Responses, State};
pub use source::{Block, EmptyPart, Fractions, Intent, List, ListValue, Numbers, Source, Undeclared};
pub use template::{Spelling, Template, TemplateError};
pub use utterance::Utterance;
pub use value::Value;
