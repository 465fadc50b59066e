//! A message from the bus, as a subscriber is given it: whole, or an outline of what was too much. Delivers nothing.

use loquat_wire::Message;

/// A message from the bus.
#[derive(Debug, Clone, PartialEq)]
pub struct Received {
    /// The message with the topic on which it came, and its payload in the canonical shape.
    pub message: Message,
    /// The canonical name of its topic.
    pub canonical: String,
    /// Says whether this client emitted it.
    pub own: bool,
    /// Says why the message is not whole, if it is not.
    pub cut: Option<Cut>,
}

/// Says why there is only an outline of a frame: its topic, and of its context the session's id, the route and the
/// ids that tell what it belongs to, of 256 bytes each. Of its data there are only the names of a tool and its
/// toolbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The frame was larger than [`MAX_READ_BYTES`](crate::MAX_READ_BYTES).
    TooLarge,
    /// The frame gave way to others in a flood.
    Overload,
}
