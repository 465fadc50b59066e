//! The medians of each kind as an SVG picture: a bar for us, of the three parts of the request that is the median, and one for
//! the peer.

use super::report::Summary;
use super::row::Spans;
use crate::plot::{Anchor, Picture, Scale};

/// Lengths are in pixels.
const WIDTH: f64 = 920.0;
const LEFT: f64 = 110.0;
const RIGHT: f64 = 70.0;
const TOP: f64 = 86.0;
const BOTTOM: f64 = 52.0;
const BAR: f64 = 18.0;
const GROUP: f64 = 62.0;

/// The peer's colour.
const PEER: &str = "grey";

/// What the colours stand for.
const LEGEND: [(&str, &str); 4] = [
    ("blue", "end of speech to utterance"),
    ("amber", "to the brain's first byte"),
    ("green", "to speak"),
    (PEER, "peer: utterance to answer"),
];

/// The picture.
pub fn svg(title: &str, remark: &str, kinds: &[Summary]) -> String {
    let height = TOP + GROUP * kinds.len() as f64 + BOTTOM;
    let longest = kinds.iter().flat_map(ends).fold(0.0, f64::max);
    let scale = Scale::to(longest, [LEFT, WIDTH - RIGHT]);
    let mut picture = Picture::new(WIDTH, height);
    picture.legend(44.0, &LEGEND);
    picture.axis(&scale, [TOP - 8.0, height - BOTTOM + 4.0], " s");
    for (place, kind) in kinds.iter().enumerate() {
        bars(&mut picture, &scale, TOP + GROUP * place as f64, kind);
    }
    picture.svg(title, remark, height - 10.0)
}

/// The three parts of our bar, by their colours.
fn parts(kind: &Summary) -> [(&'static str, f64); 3] {
    let Spans {
        hearing,
        first_byte,
        speaking,
        ..
    } = kind.middle;
    [("blue", hearing), ("amber", first_byte), ("green", speaking)]
        .map(|(colour, seconds)| (colour, seconds.unwrap_or_default()))
}

/// Where the bars of a kind end, in seconds.
fn ends(kind: &Summary) -> impl Iterator<Item = f64> + use<> {
    let ours = parts(kind).iter().map(|(_, seconds)| seconds).sum();
    [ours].into_iter().chain(kind.peer().map(|peer| peer.median))
}

fn bars(picture: &mut Picture, scale: &Scale, top: f64, kind: &Summary) {
    picture.text("", Anchor::Start, [16.0, top + BAR], kind.name());
    let mut begin = 0.0;
    for (colour, seconds) in parts(kind) {
        picture.bar(colour, [scale.x(begin), scale.x(begin + seconds)], top, BAR);
        begin += seconds;
    }
    label(picture, scale, top, begin);
    if let Some(peer) = kind.peer() {
        let below = top + BAR + 4.0;
        picture.bar(PEER, [scale.x(0.0), scale.x(peer.median)], below, BAR);
        label(picture, scale, below, peer.median);
    }
}

fn label(picture: &mut Picture, scale: &Scale, top: f64, seconds: f64) {
    let at = [scale.x(seconds) + 6.0, top + BAR - 4.0];
    picture.text("", Anchor::Start, at, &format!("{seconds:.2} s"));
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::report::tests::row;
    use super::*;

    fn drawn(peer: Option<f64>) -> String {
        let rows = [row(Kind::Intent, 0.5, peer), row(Kind::TwoHops, 7.25, peer)];
        svg("Ours & <theirs>", "2 cores", &Summary::by_kind(&rows))
    }

    #[test]
    fn the_picture_is_well_formed_and_says_what_was_given() {
        let picture = drawn(Some(12.0));
        let read = roxmltree::Document::parse(&picture).unwrap();
        let words: Vec<&str> = read.descendants().filter_map(|node| node.text()).collect();
        for word in ["Ours & <theirs>", "intent", "two-hops", "8.25 s", "12.00 s"] {
            assert!(words.contains(&word), "{word} in {words:?}");
        }
    }

    #[test]
    fn every_bar_lies_within_the_picture_and_belongs_to_a_side() {
        let count = |peer: Option<f64>, colour: &str| {
            let picture = drawn(peer);
            let read = roxmltree::Document::parse(&picture).unwrap();
            let bars: Vec<[f64; 2]> = read
                .descendants()
                .filter(|node| {
                    node.attribute("class") == Some(colour) && node.attribute("height") == Some("18")
                })
                .map(|node| ["x", "width"].map(|key| node.attribute(key).unwrap().parse().unwrap()))
                .collect();
            assert!(bars.iter().all(|[x, width]| *width >= 0.0 && x + width <= WIDTH));
            bars.len()
        };
        assert_eq!((count(Some(12.0), PEER), count(Some(12.0), "green")), (2, 2));
        assert_eq!((count(None, PEER), count(None, "green")), (0, 2));
    }
}
