//! The model: its file, its thread, and how it answers. Only this part knows llama.cpp, and it never knows HTTP.

mod draw;
mod earlier;
mod file;
mod generation;
mod instructions;
mod job;
mod kernel;
mod load;
mod prefix;
mod prompt;
mod repetition;
mod reply;
mod template;
mod thought;
mod turns;
mod vocabulary;
mod window;
mod worker;
mod writer;

pub(crate) use generation::Ahead;
pub(crate) use job::{Event, Finish, Job, Usage};
pub(crate) use load::{Facts, LoadError};
pub(crate) use worker::{Order, start};
