//! Colours of light by the names that tools and lists have for them, and which lights can have them. Calls nothing.

use serde_json::{Value, json};

use super::house::Entity;

/// A colour of light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Shade {
    Named(&'static str),
    Kelvin(u32),
    /// Red, green and blue.
    Rgb([u8; 3]),
}

/// Colours by their names. Home Assistant knows all of them by the same words.
const SHADES: [(&str, Shade); 15] = [
    ("red", Shade::Named("red")),
    ("green", Shade::Named("green")),
    ("blue", Shade::Named("blue")),
    ("yellow", Shade::Named("yellow")),
    ("orange", Shade::Named("orange")),
    ("purple", Shade::Named("purple")),
    ("pink", Shade::Named("pink")),
    ("white", Shade::Named("white")),
    ("turquoise", Shade::Named("turquoise")),
    ("cyan", Shade::Named("cyan")),
    ("magenta", Shade::Named("magenta")),
    ("brown", Shade::Named("brown")),
    ("black", Shade::Named("black")),
    ("warm white", Shade::Kelvin(2700)),
    ("cold white", Shade::Kelvin(5500)),
];

impl Shade {
    pub(crate) fn named(name: &str) -> Option<Self> {
        let name = loquat_kit::folded(name);
        let found = SHADES.iter().find(|(known, _)| *known == name);
        found.map(|(_, shade)| *shade)
    }

    /// The names that are known.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        SHADES.iter().map(|(name, _)| *name)
    }

    /// What a light is told.
    pub(super) fn data(self) -> Value {
        match self {
            Self::Named(name) => json!({"color_name": name}),
            Self::Kelvin(kelvin) => json!({"color_temp_kelvin": kelvin}),
            Self::Rgb(parts) => json!({"rgb_color": parts}),
        }
    }

    /// Whether a light can have this colour. Home Assistant drops one that it cannot have without a word.
    pub(super) fn suits(self, entity: &Entity) -> bool {
        if entity.domain() != "light" {
            return false;
        }
        let is_coloured = |mode: &str| matches!(mode, "hs" | "xy" | "rgb" | "rgbw" | "rgbww");
        let mut modes = entity.texts("supported_color_modes");
        match self {
            Self::Named(_) | Self::Rgb(_) => modes.any(is_coloured),
            Self::Kelvin(_) => modes.any(|mode| mode == "color_temp" || is_coloured(mode)),
        }
    }
}
