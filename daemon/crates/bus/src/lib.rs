//! The OVOS message bus: a client that reconnects, and an embedded bus for devices that have none.
//!
//! [`client()`] gives a [`Bus`], the cheap handle that all parts hold, and a [`BusActor`] that a task has to run. The
//! [`EmbeddedBus`] speaks to the same peers as ovos-messagebus does. Nothing here knows personas or engines.
//!
//! ```no_run
//! use loquat_bus::{BusAddress, ClientOptions, Topics, client};
//! use loquat_wire::{Message, topic};
//! use serde_json::json;
//! use tokio_util::sync::CancellationToken;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let (bus, actor) = client(BusAddress::default(), ClientOptions::default());
//! let mut spoken = bus.subscribe(Topics::of([topic::SPEAK]));
//! let talk = async {
//!     bus.emit(Message::new(topic::UTTERANCE_HANDLE, json!({"utterances": ["hello"]}))).await?;
//!     println!("{:?}", spoken.recv().await);
//!     Ok::<_, loquat_bus::EmitError>(())
//! };
//! let stop = CancellationToken::new();
//! tokio::select! {
//!     () = actor.run(stop.clone()) => {}
//!     result = talk => result?,
//! }
//! # Ok(())
//! # }
//! ```

mod address;
mod announcements;
mod bus;
pub mod client;
mod descriptors;
mod head;
mod link;
mod mailbox;
mod outbox;
mod received;
pub mod server;
mod shared;
mod state;
mod subscription;
mod topics;

pub use address::{BusAddress, ROUTE};
pub use bus::{Bus, RequestError};
pub use client::{BusActor, ClientOptions, client};
pub use descriptors::raise_descriptor_limit;
pub use outbox::EmitError;
pub use received::{Cut, Received};
pub use server::{BindError, BusLimits, BusServerOptions, EmbeddedBus};
pub use state::{ConnectError, ConnectionState, Counts};
pub use subscription::Subscription;
pub use topics::Topics;

/// The largest frame that the bus of OVOS relays as it is shipped, in bytes.
pub const MAX_FRAME_BYTES: usize = 25 << 20;

/// The largest frame that a client reads as a whole, in bytes. Of a larger one it learns topic and ids, see [`Cut`].
pub const MAX_READ_BYTES: usize = 1 << 20;
