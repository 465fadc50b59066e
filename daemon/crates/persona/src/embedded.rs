//! The personas that are part of the program, so that there is one to talk to on a bare device.

/// File names and contents, in order.
pub(super) const FILES: [(&str, &str); 8] = [
    ("loquat.json", include_str!("../../../../personas/loquat.json")),
    ("kitchen.json", include_str!("../../../../personas/kitchen.json")),
    ("desk.json", include_str!("../../../../personas/desk.json")),
    ("house.json", include_str!("../../../../personas/house.json")),
    ("steward.json", include_str!("../../../../personas/steward.json")),
    (
        "research.json",
        include_str!("../../../../personas/research.json"),
    ),
    ("scout.json", include_str!("../../../../personas/scout.json")),
    ("abacus.json", include_str!("../../../../personas/abacus.json")),
];

/// Gives the text of one of them, by the name of its file.
pub fn text_of(name: &str) -> Option<&'static str> {
    let (_, text) = FILES.iter().find(|(known, _)| *known == name)?;
    Some(text)
}
