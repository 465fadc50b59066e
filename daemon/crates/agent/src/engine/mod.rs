//! The table of engines: the loop strategies a persona can name.

use futures_util::future::BoxFuture;

use crate::turn::{Ending, Turn};

/// A loop strategy.
#[derive(Debug)]
pub struct Engine {
    /// The id persona files name it by.
    pub id: &'static str,
    /// The keys it accepts in a persona file, beside those that name its brain and its toolboxes.
    pub settings: &'static [&'static str],
    pub(crate) run: for<'a> fn(&'a mut Turn) -> BoxFuture<'a, Ending>,
}

/// All engines.
pub static ENGINES: &[Engine] = &[
    Engine {
        id: "ovos-react-loop",
        settings: &["max_iterations"],
        run: plain,
    },
    Engine {
        id: "ovos-native-toolcall-loop",
        settings: &["max_iterations"],
        run: plain,
    },
];

fn plain(turn: &mut Turn) -> BoxFuture<'_, Ending> {
    Box::pin(turn.plain())
}

/// The engine with this id.
pub fn find(id: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.id == id)
}
