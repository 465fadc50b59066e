//! The ways in which a model gets a call wrong, one at a time.

use super::spelling::{Quotes, Spelling};

/// Where a code fence stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fence {
    /// Nowhere.
    #[default]
    None,
    /// Around the JSON, behind the label or inside the marks.
    Inside,
    /// Around the whole reply, before the label.
    Around,
}

/// How labels are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Label {
    /// `Action: `
    #[default]
    Plain,
    /// `action: `
    Lower,
    /// `**Action:** `
    Bold,
    /// `Action : `
    Spaced,
}

impl Label {
    /// Writes a label.
    pub fn write(self, name: &str) -> String {
        match self {
            Self::Plain => format!("{name}: "),
            Self::Lower => format!("{}: ", name.to_lowercase()),
            Self::Bold => format!("**{name}:** "),
            Self::Spaced => format!("  {name} :  "),
        }
    }
}

/// One way of getting a call wrong; the default is none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Damage {
    /// What it is called in the table.
    pub name: &'static str,
    /// How the JSON is spelled.
    pub spelling: Spelling,
    /// How many closing brackets are missing at the end.
    pub missing: usize,
    /// Where a fence stands.
    pub fence: Fence,
    /// How labels are written; anything but plain says nothing about a grammar without labels.
    pub label: Label,
    /// Stands before everything.
    pub before: &'static str,
    /// Follows the JSON on its line.
    pub behind: &'static str,
    /// Follows everything.
    pub after: &'static str,
    /// What the peers recover of their own grammar, in the order of [`PEERS`].
    pub peers: Option<[&'static str; 4]>,
}

/// The peers with known figures.
pub const PEERS: [&str; 4] = ["neuro 0.1", "neuro 2.0", "seed rules", "json_repair"];

/// Thinking that holds a call and letters whose length changes with their case.
const THINKING: &str = "<think>Straße, ﬁn, İ.\nAction: nothing\nAction Input: {}\nFINAL_ANSWER: no</think>\n";

/// All of them.
pub fn all() -> Vec<Damage> {
    let mut all = spelled();
    all.extend(cut());
    all.extend(framed());
    all
}

const fn plain(name: &'static str) -> Damage {
    Damage {
        name,
        spelling: Spelling {
            quotes: Quotes::Double,
            indented: false,
            trailing_commas: false,
            bare_keys: false,
            python: false,
            comments: false,
        },
        missing: 0,
        fence: Fence::None,
        label: Label::Plain,
        before: "",
        behind: "",
        after: "",
        peers: None,
    }
}

fn spelled() -> Vec<Damage> {
    let spelled = |name, spelling, peers| Damage {
        spelling,
        peers: Some(peers),
        ..plain(name)
    };
    let usual = Spelling::default();
    let quotes = |quotes| Spelling { quotes, ..usual };
    vec![
        spelled("none, one line", usual, ["100.0", "100.0", "98.8", "100.0"]),
        spelled(
            "none, indented",
            Spelling {
                indented: true,
                ..usual
            },
            ["99.8", "100.0", "98.8", "100.0"],
        ),
        spelled(
            "trailing commas",
            Spelling {
                trailing_commas: true,
                ..usual
            },
            ["100.0", "0.0", "0.0", "100.0"],
        ),
        spelled(
            "single quotes",
            quotes(Quotes::Single),
            ["0.0", "0.0", "0.0", "100.0"],
        ),
        spelled(
            "comments",
            Spelling {
                comments: true,
                ..usual
            },
            ["0.0", "0.0", "0.0", "99.8–100"],
        ),
        spelled(
            "bare keys",
            Spelling {
                bare_keys: true,
                ..usual
            },
            ["0.0", "0.0", "0.0", "99.8–100"],
        ),
        spelled(
            "Python literals",
            Spelling {
                python: true,
                ..usual
            },
            ["0.0", "0.0", "0.0", "99.8–100"],
        ),
        spelled(
            "curly quotes",
            quotes(Quotes::Curly),
            ["0.0", "0.0", "0.0", "99.8–100"],
        ),
        Damage {
            peers: None,
            ..spelled(
                "a Python dictionary",
                Spelling {
                    quotes: Quotes::Single,
                    python: true,
                    trailing_commas: true,
                    ..usual
                },
                [""; 4],
            )
        },
    ]
}

fn cut() -> Vec<Damage> {
    vec![
        Damage {
            missing: 1,
            peers: Some(["100.0", "0.0", "0.0", "100.0"]),
            ..plain("last closer missing")
        },
        Damage {
            missing: 2,
            peers: Some(["0.5", "0.0", "0.0", "100.0"]),
            ..plain("last two closers missing")
        },
    ]
}

fn framed() -> Vec<Damage> {
    let label = |name, label| Damage { label, ..plain(name) };
    vec![
        Damage {
            fence: Fence::Inside,
            peers: Some(["0.0", "100.0", "0.0", "100.0"]),
            ..plain("fence after the label")
        },
        Damage {
            fence: Fence::Around,
            ..plain("fence before the label")
        },
        Damage {
            behind: " as you asked.",
            peers: Some(["0.0", "100.0", "98.8", "100.0"]),
            ..plain("prose behind the JSON")
        },
        Damage {
            after: "\nObservation: {\"result\": \"42\"}\nThought: I know.\nFINAL_ANSWER: 42",
            peers: Some(["100.0", "100.0", "98.8", "100.0"]),
            ..plain("invented observation")
        },
        label("lower-case labels", Label::Lower),
        label("bold labels", Label::Bold),
        label("spaced labels", Label::Spaced),
        Damage {
            before: THINKING,
            ..plain("thinking before it")
        },
        Damage {
            before: "Straße, ﬁn, İ: let me see.\n",
            ..plain("prose before it")
        },
    ]
}
