//! Turns that are thought elsewhere. A device publishes a turn into a work queue of NATS; a worker runs it with its
//! own brain and writes its journal, entry by entry, into a stream; the device follows.
//!
//! The device runs the same turn beside the worker: what its brain says is what stands in the stream, and everything else,
//! tools, gate, consent and the last word, happens at the device. So a worker is to a device what a brain is, and its words
//! are judged as a brain's are. A worker that is silent is left, and the device goes on with its own brain in the same turn.
//!
//! Nothing here knows of personas, of the bus or of settings files.
//!
//! ```text
//!  device                                   NATS                               worker
//!  Mind::ask ─ Workers::place ── order ──▶ LOQUAT_TURNS (work queue) ──▶ one place of one worker
//!    │            or, to the session's last worker, an offer ─────────────▶     │
//!    │                         ◀─────────── claim ───────────────────────────   │ answer_on_record / resume
//!    │ turn ─ FollowedBrain ◀── written ── LOQUAT_JOURNAL ◀── entry, fenced ──   │ turn ─ brain of the worker
//!    │   │                  ◀── told: the reply while it is written ──────────   │
//!    │   ▼ gate, consent, tools                                                  ▼ DeviceToolbox, DevicePerson
//!    │   WitnessedToolbox ── what came of the call ─────────────────────────▶   the observation
//!    ▼ answer, record, own journal; then "over"
//! ```
//!
//! 1. The device orders a turn where a worker has a free place, and begins its own turn at once (`roster.rs`, `device.rs`).
//! 2. The worker that claims the turn has a *run*, and the device answers the requests of that run alone.
//! 3. Each entry of the run is stored only directly behind the last one that it knows of (`stream.rs`). The device acts on
//!    what the broker has stored and on nothing else, so another worker can always go on with the turn.
//! 4. A call of the worker's turn is a question to the device: what came of the call with this key? The device's own turn
//!    read the same reply and makes the call or refuses it (`line.rs`, `deeds.rs`). The question itself has no effect.
//! 5. A worker that dies says no more that it is at work. After two seconds another one reads the journal and goes on. A
//!    worker that was only frozen finds its next entry refused, and leaves the turn.
//! 6. The device leaves a worker that is late, silent, or writes what does not come whole (`device/follow.rs`). Its own brain goes on
//!    in the same call of the same turn, and that worker is not asked for half a minute.
//!
//! Where the two turns do not agree, the device's next request is one that the worker never made, and the worker is
//! left as a silent one is: a disagreement costs time and nothing else. Devices and workers of other versions are kept
//! apart by the kind of their turns (`order.rs`). The device's turn writes the device's own journal, so the broker never
//! has the only copy.

mod broker;
mod condition;
mod deeds;
mod device;
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
pub use condition::Condition;
pub use device::{Device, DeviceSettings};
pub use rehearsal::Rehearsal;
pub use subjects::is_token;
pub use worker::{Worker, WorkerSettings};
