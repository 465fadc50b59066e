//! Which microphone or loudspeaker the settings mean: one of this id, one whose id or name fits a pattern, or one whose name
//! holds it.

/// Matches what `device` of the settings says.
#[derive(Debug)]
pub(crate) struct Wanted {
    written: String,
    /// The pattern in lower-case letters, cut at each `*`; absent where the text has none.
    pattern: Option<Vec<Vec<char>>>,
}

impl Wanted {
    pub(crate) fn new(written: &str) -> Self {
        let cut = |text: &str| text.split('*').map(|piece| piece.chars().collect()).collect();
        let is_pattern = written.contains(['*', '?']);
        Self {
            pattern: is_pattern.then(|| cut(&written.to_lowercase())),
            written: written.to_owned(),
        }
    }

    /// Tells whether it is this one.
    pub(crate) fn is(&self, id: &str, name: &str) -> bool {
        self.names(id) || self.fits(id, name)
    }

    /// Tells whether it is this one by its id.
    pub(crate) fn names(&self, id: &str) -> bool {
        let bare = self.written.split_once(':').map_or("", |(_, bare)| bare);
        id == self.written || id == bare
    }

    /// Tells whether this one fits the pattern, or its name holds what is written.
    pub(crate) fn fits(&self, id: &str, name: &str) -> bool {
        let (id, name) = (id.to_lowercase(), name.to_lowercase());
        match &self.pattern {
            Some(pieces) => fits(pieces, &id) || fits(pieces, &name),
            None => name.contains(&self.written.to_lowercase()),
        }
    }
}

/// Tells whether a text is these pieces with anything between them; `?` in a piece is any one letter.
fn fits(pieces: &[Vec<char>], text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let is_piece = |piece: &[char], text: &[char]| {
        piece
            .iter()
            .zip(text)
            .all(|(wanted, sign)| *wanted == '?' || wanted == sign)
    };
    let Some((first, rest)) = pieces.split_first() else {
        return false;
    };
    if text.len() < first.len() || !is_piece(first, &text) {
        return false;
    }
    let Some((last, middle)) = rest.split_last() else {
        return text.len() == first.len();
    };
    let mut at = first.len();
    for piece in middle {
        let later = text.get(at..).unwrap_or_default();
        let Some(found) = (0..=later.len()).find(|from| {
            let rest = later.get(*from..).unwrap_or_default();
            rest.len() >= piece.len() && is_piece(piece, rest)
        }) else {
            return false;
        };
        at += found + piece.len();
    }
    let end = text.get(at..).unwrap_or_default();
    end.len() >= last.len() && is_piece(last, end.get(end.len() - last.len()..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "alsa_input.usb-Seeed_ReSpeaker_4_Mic-00.mono";
    const NAME: &str = "ReSpeaker 4 Mic Array (UAC1.0)";

    #[test]
    fn a_microphone_is_meant_by_id_pattern_or_part_of_its_name() {
        for written in [
            ID,
            "pulseaudio:alsa_input.usb-Seeed_ReSpeaker_4_Mic-00.mono",
            "respeaker",
            "alsa_input.usb-*",
            "*respeaker_?_mic*",
            "ReSpeaker*",
            "*",
            "*usb*seeed*mono",
        ] {
            assert!(Wanted::new(written).is(ID, NAME), "{written}");
        }
    }

    #[test]
    fn another_one_is_not_meant() {
        for written in [
            "alsa_input.usb",
            "webcam",
            "alsa_input.pci-*",
            "*usb*webcam*",
            "alsa_input.usb-?",
            "*.stereo",
            "*mono*mono",
        ] {
            assert!(!Wanted::new(written).is(ID, NAME), "{written}");
        }
    }
}
