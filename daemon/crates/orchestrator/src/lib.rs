//! The orchestrator of a bus: whose utterance is it, and which frames belong to its life? (PIPELINE-1, INTENT-4,
//! CONVERSE-1, STOP-1, FALLBACK-1, COMMON-QUERY-1).
//!
//! Skills elsewhere on the bus [register](registration) what they understand in the [`manifest`]. A [`search`] passes an
//! utterance through the stages of the [`pipeline`] until one has a match; an [`dispatch`] brings it to the skill that
//! matched and sees it to its end. [`frames`] builds what is sent on the way.
//!
//! Nothing here answers an utterance, and nothing here knows what a persona, a brain or the desk is: personas are ids,
//! and what people say to the orchestrator itself comes from the caller, see [`orders`].

pub mod changes;
pub mod commands;
pub mod dispatch;
pub mod effort;
pub mod frames;
pub mod handlers;
pub mod intent_call;
pub mod keyword;
pub mod limits;
pub mod manifest;
pub mod matching;
pub mod notes;
pub mod orders;
pub mod pipeline;
pub mod poll;
pub mod registration;
pub mod search;
mod skill_id;
pub mod vocabulary;
