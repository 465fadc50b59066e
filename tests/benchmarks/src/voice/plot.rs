//! The request in the middle of each kind as an SVG picture: a bar of its five parts,
//! and below it one of the peer.

use super::parts::Parts;
use super::table::{PEER, Summary};
use crate::plot::{Anchor, Picture, Scale};

/// Lengths are in pixels.
const WIDTH: f64 = 920.0;
const LEFT: f64 = 110.0;
const RIGHT: f64 = 70.0;
const TOP: f64 = 86.0;
const BOTTOM: f64 = 52.0;
const BAR: f64 = 18.0;
const GROUP: f64 = 46.0;

/// The colours of the parts.
const COLOURS: [&str; 5] = ["grey", "blue", "violet", "amber", "green"];

/// The picture.
pub fn svg(title: &str, remark: &str, kinds: &[Summary]) -> String {
    let height = TOP + GROUP * kinds.len() as f64 + BOTTOM;
    let sides = kinds
        .iter()
        .flat_map(|kind| [Some(&kind.side), kind.peer.as_ref()]);
    let longest = sides.flatten().map(|side| side.middle().whole());
    let scale = Scale::to(longest.fold(0.0, f64::max), [LEFT, WIDTH - RIGHT]);
    let mut picture = Picture::new(WIDTH, height);
    let legend: Vec<(&str, &str)> = COLOURS.into_iter().zip(Parts::NAMES).collect();
    picture.legend(44.0, &legend);
    picture.axis(&scale, [TOP - 8.0, height - BOTTOM + 4.0], " s");
    for (place, kind) in kinds.iter().enumerate() {
        let top = TOP + GROUP * place as f64;
        picture.text("", Anchor::Start, [16.0, top + BAR - 4.0], kind.kind.name());
        bar(&mut picture, &scale, top, &kind.side.middle());
        if let Some(peer) = kind.peer.as_ref().filter(|peer| peer.whole().is_some()) {
            picture.text("", Anchor::Start, [28.0, top + 2.0 * BAR - 4.0], PEER.trim());
            bar(&mut picture, &scale, top + BAR, &peer.middle());
        }
    }
    picture.svg(title, remark, height - 10.0)
}

fn bar(picture: &mut Picture, scale: &Scale, top: f64, parts: &Parts) {
    let mut begin = 0.0;
    for (colour, seconds) in COLOURS.into_iter().zip(parts.each()) {
        picture.bar(colour, [scale.x(begin), scale.x(begin + seconds)], top, BAR);
        begin += seconds;
    }
    let at = [scale.x(begin) + 6.0, top + BAR - 4.0];
    picture.text("", Anchor::Start, at, &format!("{begin:.2} s"));
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::table::tests::row;
    use super::*;

    #[test]
    fn each_kind_has_a_bar_of_all_its_parts_within_the_picture() {
        let rows = [row(Kind::Intent, 0.0), row(Kind::LongAnswer, 2.0)];
        let picture = svg("Until & <it>", "2 cores", &Summary::by_kind(&rows));
        let read = roxmltree::Document::parse(&picture).unwrap();
        let words: Vec<&str> = read.descendants().filter_map(|node| node.text()).collect();
        for word in [
            "Until & <it>",
            "intent",
            "long-answer",
            "0.75 s",
            "2.75 s",
            "end-point",
        ] {
            assert!(words.contains(&word), "{word} in {words:?}");
        }
        let bars = read
            .descendants()
            .filter(|node| node.attribute("height") == Some("18"));
        let widths: Vec<f64> = bars
            .map(|node| node.attribute("width").unwrap().parse().unwrap())
            .collect();
        assert_eq!(widths.len(), 2 * COLOURS.len());
        assert!(widths.iter().all(|width| (0.0..=WIDTH).contains(width)));
    }
}
