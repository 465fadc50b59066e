//! The orchestrator's part of the desk: whose utterance is it? (PIPELINE-1, INTENT-4, CONVERSE-1, STOP-1, FALLBACK-1,
//! COMMON-QUERY-1).
//!
//! Skills elsewhere on the bus register what they understand; an utterance passes the stages of the pipeline until one
//! of them has a match, and whoever it names is sent the utterance. Nothing here answers anything itself.

pub mod changes;
pub mod commands;
pub mod errand;
pub mod keyword;
pub mod limits;
pub mod manifest;
pub mod notes;
pub mod pipeline;
pub mod poll;
pub mod registration;
pub mod search;
pub mod template;
pub mod vocabulary;
pub mod words;
