//! Tools over the bus, in both directions: our toolboxes offered to everybody, and everybody's offered to us.

mod announced;
mod foreign;
mod found;
mod host;
mod late;

pub use self::foreign::{ForeignBoxes, WantedBox};
pub use self::host::{Host, HostedTool};
pub use self::late::LateBoxes;
