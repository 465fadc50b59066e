//! The model files of a device: the catalogue of them, where they come from, and the folder that keeps them.
//!
//! `loquat models` is made of this. Nothing here loads a model or knows what it is used for, and no file is fetched
//! unless the caller asks for it. Of a pack of sentences, which is a file among models, the texts are given as they are.

mod address;
mod catalogue;
mod checksum;
mod download;
mod fetch;
mod gguf;
mod hub;
mod lock;
mod mirror;
mod model_file;
mod own;
mod pack;
mod part;
mod progress;
mod room;
mod store;
#[cfg(test)]
mod tests;
mod wanted;

pub use self::address::AddressError;
pub use self::catalogue::{Catalogue, Hub, Kind, Model, Offer, Spotting, UnknownModel};
pub use self::download::SourceError;
pub use self::fetch::FetchError;
pub use self::gguf::{GgufError, GgufFacts, Thinking};
pub use self::hub::HubError;
pub use self::mirror::Mirror;
pub use self::model_file::ModelFile;
pub use self::pack::{Pack, PackError};
pub use self::progress::{Bar, Progress, ProgressSink};
pub use self::store::{Listed, MissingModel, RemoveError, State, Store, VerifyError};
