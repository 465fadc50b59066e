//! The port to what knows the rooms of the home. Moves nothing.

use std::fmt;
use std::ops::Range;

use crate::locale::Locales;

/// Rooms and floors of a home.
pub trait Rooms: fmt::Debug + Send + Sync {
    /// The room of the device, as far as the settings name it.
    fn own_room(&self) -> Option<&str>;

    /// Where in these words a room or a floor is named, each with the word that joins it, and what it is called. What "here" is
    /// called is not always known.
    fn places_in(&self, said: &[&str], locales: &Locales, lang: &str) -> Vec<(Range<usize>, Option<String>)>;

    /// The list that the home keeps under one of these names, as it is called there.
    fn list_called(&self, names: &[String]) -> Option<String> {
        let _ = names;
        None
    }
}
