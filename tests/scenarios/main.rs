//! The acceptance scenarios of the agent loop, S01 to S34, and what bad brains and bad tools get: each is played from
//! outside, through the running daemon, with a scripted model server and scripted toolboxes on its bus.
//!
//! The name of a test begins with the number of its scenario. Where a story of `integration/` proves a part already,
//! the table names it.
//!
//! | Scenario | Where |
//! |---|---|
//! | S01 fenced action, S02 trailing comma, S03 cut at every byte | [`decoding`] |
//! | S04 unknown argument pruned, S05 repaired, S06 missing argument repaired, S07 repairs fail | [`repairs`] |
//! | S08 retries with 0.8 s and 1.6 s between, S09 a tool's own answer, S10 extras | [`tools`] |
//! | S11 markers split over pieces | [`decoding`] |
//! | S12 stop during a stream, S13 during a tool | [`stopping`]; `stop` of the stories |
//! | S14 a toolbox comes, changes and goes | [`tools`] |
//! | S15 silence on purpose | [`stopping`] |
//! | S16 the reasons | [`ends`]; `noop` is S15, `dangerous_tool` is S22 |
//! | S17 advice at six boundaries | [`budget`] |
//! | S18 notes keep the facts | [`context`] |
//! | S19 sleeping and waking up | `s19_…` in `whole_path.rs`, since it needs a microphone and a model that hears |
//! | S20 looking back, in no person's way | [`reflection`] |
//! | S21 layers only take away | [`budget`] |
//! | S22 a tool that may do harm: yes, no, silence, other words, stop | [`consent`]; what people say for it in six languages, [`consent_corpus`] |
//! | S23 cache, S24 breakers, S25 latch | [`lasting`]; a brain's breaker half open is a unit test of `loquat-brain` |
//! | S26 parallel reads and ordered writes, S27 a batch over the cap | [`tools`] |
//! | S28 marks of completion, S29 thinking alone | [`decoding`] |
//! | S30 the same call again | [`ends`] |
//! | S31 a result of 50 kB | [`context`] |
//! | S32 a crash at any moment | `crash` of the stories; after every single entry in the agent's own `journal` tests |
//! | S33 two sessions | [`stopping`]; `conversation` of the stories |
//! | S34 an empty brain | [`repairs`] |
//! | A brain that is broken, mad or silent | [`bad_brains`]; `brain_faults` of the stories |
//! | What models and servers really send, spelling by spelling | [`real_replies`] |
//! | What servers refuse, and how they want tools to be called | [`refusals`] |
//! | Settings of a persona that decide what a turn may do | [`settings`] |
//! | All engines with useless brains | [`every_engine`] |
//! | What a tool hands on past the brain | [`handed_on`] |
//! | Schemas and announcements that are built to explode | [`hostile_schemas`] |
//! | What strangers wrote marks a turn | [`taint`] |
//! | A tool that hangs, floods, lies or gives orders | [`bad_tools`]; `tool_faults` of the stories |
#![cfg(test)]

mod bad_brains;
mod bad_tools;
mod budget;
mod consent;
mod consent_corpus;
mod context;
mod decoding;
mod ends;
mod every_engine;
mod handed_on;
mod hostile_schemas;
mod lasting;
mod real_replies;
mod reflection;
mod refusals;
mod repairs;
mod settings;
mod stage;
mod stopping;
mod taint;
mod tools;
