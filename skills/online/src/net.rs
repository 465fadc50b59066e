//! The ways out of the device: to servers that its owner has named, and to pages that strangers may have named.
//!
//! A way has limits on time, on length and on questions at once, waits where a server asks for a pause, and is closed where the
//! owner has not allowed its service. Nothing here knows what is asked.

mod address;
mod body;
pub(crate) mod fault;
pub(crate) mod fetch;
pub(crate) mod guard;
mod neighbourhood;
mod outlet;
mod pauses;
pub(crate) mod shelf;
pub(crate) mod wire;

pub(crate) use fault::Fault;
pub(crate) use outlet::Outlet;
pub(crate) use shelf::Shelf;
pub(crate) use wire::Wire;

use std::time::Duration;

/// A server that cannot be connected to by then is not reachable.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// A person waits no longer.
pub(crate) const WHOLE_LIMIT: Duration = Duration::from_secs(10);

const MOST_AT_ONCE: usize = 3;

pub(crate) const MOST_REDIRECTS: usize = 3;

/// How the device presents itself: product, version, where it comes from, and whom its owner names for questions.
pub(crate) fn user_agent(contact: Option<&str>) -> String {
    let contact = contact.unwrap_or_default().chars();
    // A header holds nothing else.
    let contact: String = contact.filter(char::is_ascii_graphic).take(100).collect();
    let product = concat!("Loquat/", env!("CARGO_PKG_VERSION"));
    let home = "https://github.com/loquat-voice/loquat";
    if contact.is_empty() {
        format!("{product} ({home})")
    } else {
        format!("{product} ({home}; {contact})")
    }
}
