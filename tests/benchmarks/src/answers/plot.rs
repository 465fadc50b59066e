//! The medians of each kind as an SVG picture: a bar for us, of the three parts of the request that is the median, and one for
//! the peer.
//!
//! It is read in light and in dark: its colours follow what the viewer prefers.

use std::fmt::Write;

use super::report::Summary;
use super::row::Spans;

/// Lengths are in pixels.
const WIDTH: f64 = 920.0;
const LEFT: f64 = 110.0;
const RIGHT: f64 = 70.0;
const TOP: f64 = 86.0;
const BOTTOM: f64 = 52.0;
const BAR: f64 = 18.0;
const GROUP: f64 = 62.0;

/// So many marks on the axis at most.
const MARKS: f64 = 8.0;

const STYLE: &str = "\
text { font: 13px system-ui, sans-serif; fill: #1f2328 }\n\
.title { font-size: 16px; font-weight: 600 }\n\
.small { font-size: 12px; fill: #59636e }\n\
.ground { fill: #ffffff }\n\
.grid { stroke: #d1d9e0 }\n\
.hearing { fill: #57a0d3 }\n\
.byte { fill: #e3a948 }\n\
.speaking { fill: #3f8f5f }\n\
.peer { fill: #8c959f }\n\
@media (prefers-color-scheme: dark) {\n\
text { fill: #f0f6fc }\n\
.small { fill: #9198a1 }\n\
.ground { fill: #0d1117 }\n\
.grid { stroke: #3d444d }\n\
}";

/// The parts of the bars, as the style and the legend name them.
const LEGEND: [(&str, &str); 4] = [
    ("hearing", "end of speech to utterance"),
    ("byte", "to the brain's first byte"),
    ("speaking", "to speak"),
    ("peer", "peer: utterance to answer"),
];

/// The picture.
pub fn svg(title: &str, remark: &str, kinds: &[Summary]) -> String {
    let height = TOP + GROUP * kinds.len() as f64 + BOTTOM;
    let longest = kinds.iter().flat_map(ends).fold(0.0, f64::max);
    let scale = Scale::to(longest);
    let mut body = String::new();
    legend(&mut body);
    axis(&mut body, &scale, height);
    for (place, kind) in kinds.iter().enumerate() {
        bars(&mut body, &scale, TOP + GROUP * place as f64, kind);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"16\" y=\"28\">{title}</text>\n\
         <text class=\"small\" x=\"16\" y=\"{}\">{}</text>\n{body}</svg>\n",
        height - 10.0,
        escaped(remark),
        title = escaped(title),
    )
}

/// Seconds as pixels.
struct Scale {
    longest: f64,
    step: f64,
}

impl Scale {
    fn to(longest: f64) -> Self {
        let longest = longest.max(0.1);
        let rough = longest / MARKS;
        let power = 10_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| *step >= rough).unwrap_or(rough);
        Self {
            longest: (longest / step).ceil() * step,
            step,
        }
    }

    fn x(&self, seconds: f64) -> f64 {
        LEFT + seconds / self.longest * (WIDTH - LEFT - RIGHT)
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        let count = (self.longest / self.step).round() as u32;
        (0..=count).map(|mark| f64::from(mark) * self.step)
    }
}

/// The three parts of our bar, by their names in the style.
fn parts(kind: &Summary) -> [(&'static str, f64); 3] {
    let Spans {
        hearing,
        first_byte,
        speaking,
        ..
    } = kind.middle;
    [("hearing", hearing), ("byte", first_byte), ("speaking", speaking)]
        .map(|(class, seconds)| (class, seconds.unwrap_or_default()))
}

/// Where the bars of a kind end, in seconds.
fn ends(kind: &Summary) -> impl Iterator<Item = f64> + use<> {
    let ours = parts(kind).iter().map(|(_, seconds)| seconds).sum();
    [ours].into_iter().chain(kind.peer().map(|peer| peer.median))
}

fn bars(body: &mut String, scale: &Scale, top: f64, kind: &Summary) {
    text(body, "", 16.0, top + BAR, kind.name());
    let mut begin = 0.0;
    for (class, seconds) in parts(kind) {
        bar(body, class, [scale.x(begin), scale.x(begin + seconds)], top);
        begin += seconds;
    }
    label(body, scale.x(begin), top, begin);
    if let Some(peer) = kind.peer() {
        let below = top + BAR + 4.0;
        bar(body, "peer", [scale.x(0.0), scale.x(peer.median)], below);
        label(body, scale.x(peer.median), below, peer.median);
    }
}

fn bar(body: &mut String, class: &str, [from, to]: [f64; 2], top: f64) {
    // Writing to a text cannot fail, here and below.
    writeln!(
        body,
        "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{BAR}\"/>",
        to - from
    )
    .ok();
}

fn label(body: &mut String, end: f64, top: f64, seconds: f64) {
    text(body, "", end + 6.0, top + BAR - 4.0, &format!("{seconds:.2} s"));
}

fn axis(body: &mut String, scale: &Scale, height: f64) {
    let bottom = height - BOTTOM + 4.0;
    for mark in scale.marks() {
        let x = scale.x(mark);
        writeln!(
            body,
            "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\"/>",
            TOP - 8.0
        )
        .ok();
        let decimals = usize::from(scale.step < 1.0);
        text(
            body,
            "small",
            x - 6.0,
            bottom + 14.0,
            &format!("{mark:.decimals$} s"),
        );
    }
}

fn legend(body: &mut String) {
    let mut x = 16.0;
    for (class, words) in LEGEND {
        writeln!(
            body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"44\" width=\"12\" height=\"12\"/>"
        )
        .ok();
        text(body, "small", x + 18.0, 54.0, words);
        x += 40.0 + words.len() as f64 * 6.6;
    }
}

fn text(body: &mut String, class: &str, x: f64, y: f64, words: &str) {
    writeln!(
        body,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
        escaped(words)
    )
    .ok();
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
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
        let count = |peer: Option<f64>, class: &str| {
            let picture = drawn(peer);
            let read = roxmltree::Document::parse(&picture).unwrap();
            let bars: Vec<[f64; 2]> = read
                .descendants()
                .filter(|node| {
                    node.attribute("class") == Some(class) && node.attribute("height") == Some("18")
                })
                .map(|node| ["x", "width"].map(|key| node.attribute(key).unwrap().parse().unwrap()))
                .collect();
            assert!(bars.iter().all(|[x, width]| *width >= 0.0 && x + width <= WIDTH));
            bars.len()
        };
        assert_eq!((count(Some(12.0), "peer"), count(Some(12.0), "speaking")), (2, 2));
        assert_eq!((count(None, "peer"), count(None, "speaking")), (0, 2));
    }

    #[test]
    fn the_axis_has_round_marks_and_reaches_the_longest_bar() {
        for longest in [0.05, 0.9, 3.3, 8.0, 47.0, 180.0] {
            let scale = Scale::to(longest);
            assert!(scale.longest >= longest);
            let marks = scale.marks().count();
            assert!((2..=10).contains(&marks), "{longest}: {marks} marks");
        }
    }
}
