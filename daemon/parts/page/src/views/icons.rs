//! The icons of navigation and buttons, drawn by us in lines of one width on a square of 24. Each stands beside words and is hidden
//! from those who hear the page; none carries a meaning alone.

use maud::{Markup, html};

/// What an icon stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Icon {
    Now,
    Timers,
    Lists,
    Memory,
    Routines,
    Settings,
    Personas,
    Models,
    Sound,
    Check,
    Turns,
    Tools,
    Log,
    Search,
    Menu,
    Show,
    Hide,
    Leave,
    Send,
    Stop,
    Listen,
    Begin,
    GoOn,
    Add,
    Edit,
    Delete,
    Fetch,
    Again,
}

impl Icon {
    /// Its lines.
    fn lines(self) -> &'static [&'static str] {
        match self {
            Self::Now => &["M4 5h16v11h-9l-5 4v-4H4z", "M8 9h8", "M8 12h5"],
            Self::Timers => &["M5 13a7 7 0 1 0 14 0a7 7 0 1 0-14 0", "M12 9v4l3 2", "M10 3h4"],
            Self::Lists => &["M9 6h11", "M9 12h11", "M9 18h11", "M4 6h1", "M4 12h1", "M4 18h1"],
            Self::Memory => &["M6 4h12v17l-6-4.5L6 21z", "M10 8.5h4"],
            Self::Routines => &[
                "M5 11a7 7 0 0 1 12.5-3.5L20 10",
                "M20 5v5h-5",
                "M19 13a7 7 0 0 1-12.5 3.5L4 14",
                "M4 19v-5h5",
            ],
            Self::Settings => &[
                "M4 7h9",
                "M17 7h3",
                "M13 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
                "M4 17h3",
                "M11 17h9",
                "M7 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
            ],
            Self::Personas => &[
                "M8 8a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
                "M4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6",
            ],
            Self::Models => &["M12 3l8 4.5v9L12 21l-8-4.5v-9z", "M4 7.5l8 4.5l8-4.5", "M12 12v9"],
            Self::Sound => &[
                "M4 9.5h4l5-4v13l-5-4H4z",
                "M16.5 9a4.5 4.5 0 0 1 0 6",
                "M19 6.5a8 8 0 0 1 0 11",
            ],
            Self::Check => &["M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0", "M8.5 12.2l2.5 2.5l4.5-5"],
            Self::Turns => &["M4 6h7", "M8 12h9", "M14 18h6"],
            Self::Tools => &[
                "M14.5 9.5L5 19l-1.5-1.5L13 8",
                "M13 8a5 5 0 0 1 6-4.5l-2.5 3l1.5 1.5l3-2.5A5 5 0 0 1 14.5 9.5",
            ],
            Self::Log => &["M6 3h8l5 5v13H6z", "M14 3v5h5", "M9 13h7", "M9 17h5"],
            Self::Search => &[
                "M4 10.5a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0",
                "M15.5 15.5L21 21",
            ],
            Self::Menu => &["M4 6h16", "M4 12h16", "M4 18h16"],
            Self::Show => &[
                "M2.5 12c2-4 5.5-6.5 9.5-6.5s7.5 2.5 9.5 6.5c-2 4-5.5 6.5-9.5 6.5s-7.5-2.5-9.5-6.5z",
                "M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
            ],
            Self::Hide => &[
                "M2.5 12c2-4 5.5-6.5 9.5-6.5s7.5 2.5 9.5 6.5c-2 4-5.5 6.5-9.5 6.5s-7.5-2.5-9.5-6.5z",
                "M4.5 19.5l15-15",
            ],
            Self::Leave => &["M13 4H5v16h8", "M10 12h11", "M17 8l4 4l-4 4"],
            Self::Send => &["M4 12h15", "M13 6l6 6l-6 6"],
            Self::Stop => &["M6 6h12v12H6z"],
            Self::Listen => &[
                "M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-6 0z",
                "M5.5 11a6.5 6.5 0 0 0 13 0",
                "M12 17.5V21",
            ],
            Self::Begin => &["M4 5h16v11h-9l-5 4v-4H4z", "M12 8v5", "M9.5 10.5h5"],
            Self::GoOn => &["M9 6L4 11l5 5", "M4 11h9a6 6 0 0 1 6 6v2"],
            Self::Add => &["M12 5v14", "M5 12h14"],
            Self::Edit => &["M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19z", "M13.5 7l3.5 3.5"],
            Self::Delete => &[
                "M5 7h14",
                "M9 7V4h6v3",
                "M7 7l1 13h8l1-13",
                "M10.5 11v5",
                "M13.5 11v5",
            ],
            Self::Fetch => &["M12 4v11", "M7 10.5l5 5l5-5", "M5 20h14"],
            Self::Again => &["M19 12a7 7 0 1 1-2-5l2.5 2.5", "M19.5 4v5.5H14"],
        }
    }
}

/// Draws it in the colour of the words that it stands beside.
pub(super) fn icon(what: Icon) -> Markup {
    html! {
        svg.icon viewBox="0 0 24 24" aria-hidden="true" focusable="false" {
            @for line in what.lines() { path d=(line) {} }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_icon_is_hidden_from_those_who_hear_the_page_and_has_no_style_of_its_own() {
        for what in [Icon::Now, Icon::Search, Icon::Stop] {
            let drawn = icon(what).into_string();
            assert!(
                drawn.contains("aria-hidden=\"true\"") && drawn.contains("<path d=\"M"),
                "{drawn}"
            );
            assert!(!drawn.contains("style") && !drawn.contains("fill="), "{drawn}");
        }
    }
}
