//! The models of this device: which there are, where they come from, and the folder that keeps them.
//!
//! `loquat models` is made of this. Nothing here loads a model, and nothing is fetched unless somebody asks for it.

mod catalogue;
mod checksum;
mod fetch;
mod hub;
mod lock;
mod packaged;
mod part;
mod progress;
mod room;
mod store;
#[cfg(test)]
mod tests;

pub use self::catalogue::{
    Catalogue, Conversion, Hub, Kind, Model, Packaged, Pieces, Spotting, UnknownModel,
};
pub use self::fetch::FetchError;
pub use self::hub::HubError;
pub use self::packaged::AssembleError;
pub use self::progress::{Bar, Progress, ProgressSink};
pub use self::store::{Listed, MissingModel, RemoveError, State, Store, VerifyError};
