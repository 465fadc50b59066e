//! The personas that are part of the program, so that there is one to talk to on a bare device.

/// File names and contents, in order.
pub(super) const FILES: [(&str, &str); 3] = [
    ("loquat.json", include_str!("../../../personas/loquat.json")),
    ("scout.json", include_str!("../../../personas/scout.json")),
    ("abacus.json", include_str!("../../../personas/abacus.json")),
];
