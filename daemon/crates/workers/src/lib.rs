//! Turns that are thought elsewhere. A device publishes a turn into a work queue of NATS; a worker runs it with its
//! own brain and writes its journal, entry by entry, into a stream; the device follows.
//!
//! The device runs the same turn beside the worker: what its brain says is what stands in the stream, and everything else,
//! tools, gate, consent and the last word, happens at the device. So a worker is to a device what a brain is, and its words
//! are judged as a brain's are. A worker that is silent is left, and the device goes on with its own brain in the same turn.
//!
//! Nothing here knows of personas, of the bus or of settings files.

mod broker;
mod deeds;
mod device;
mod follow;
mod line;
mod message;
mod order;
mod placement;
mod rehearsal;
mod requests;
mod roster;
mod run;
mod seal;
mod stream;
mod subjects;
mod telling;
mod witness;
mod worker;

pub use broker::{BrokerError, BrokerSettings, Password};
pub use device::{Condition, Device, DeviceSettings};
pub use rehearsal::Rehearsal;
pub use subjects::is_token;
pub use worker::{Worker, WorkerSettings};
