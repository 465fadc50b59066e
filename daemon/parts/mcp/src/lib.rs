//! The tools and personas of the running daemon for MCP clients: over standard input and output, over HTTP, and at the page's
//! listener.
//!
//! Every call goes over the bus as that of any other program, through the same checks. The servers that the daemon itself asks
//! are a skill's matter, not this one's.

mod desk;
mod door;
mod listener;
mod part;
mod served;
mod service;

pub use self::listener::ListenError;
pub use self::part::McpPart;
pub use self::served::{Served, Tools};
pub use self::service::{ServeError, serve, serve_over_http};
