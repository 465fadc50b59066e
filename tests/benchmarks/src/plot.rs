//! SVG pictures of figures: what all of them share. Their colours follow what the viewer prefers, light or dark.
//!
//! Which figures there are, and where they stand, is each benchmark's own matter.

use std::fmt::Write;

/// So many marks on an axis at most.
const MARKS: f64 = 8.0;

const STYLE: &str = "\
text { font: 13px system-ui, sans-serif; fill: #1f2328 }\n\
.title { font-size: 16px; font-weight: 600 }\n\
.small { font-size: 12px; fill: #59636e }\n\
.ground { fill: #ffffff }\n\
.grid { stroke: #d1d9e0 }\n\
.dashed { stroke: #8c959f; stroke-dasharray: 4 4 }\n\
.blue { fill: #57a0d3 }\n\
.amber { fill: #e3a948 }\n\
.green { fill: #3f8f5f }\n\
.grey { fill: #8c959f }\n\
.violet { fill: #8e6bbf }\n\
@media (prefers-color-scheme: dark) {\n\
text { fill: #f0f6fc }\n\
.small { fill: #9198a1 }\n\
.ground { fill: #0d1117 }\n\
.grid { stroke: #3d444d }\n\
}";

/// Which end of a text stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A picture that is being drawn. Lengths are in pixels, from the upper left corner.
#[derive(Debug)]
pub struct Picture {
    width: f64,
    height: f64,
    body: String,
}

impl Picture {
    /// An empty one.
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            body: String::new(),
        }
    }

    /// Words in a class of the style, or in none.
    pub fn text(&mut self, class: &str, anchor: Anchor, [x, y]: [f64; 2], words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.add(&format!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(words)
        ));
    }

    /// A bar of this colour from one place on the horizontal axis to another.
    pub fn bar(&mut self, colour: &str, [from, to]: [f64; 2], top: f64, thickness: f64) {
        self.add(&format!(
            "<rect class=\"{colour}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{thickness}\"/>",
            to - from
        ));
    }

    /// A line of this class.
    pub fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        self.add(&format!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    /// A point of this colour, with words for who asks what it is.
    pub fn point(&mut self, colour: &str, [x, y]: [f64; 2], words: &str) {
        self.add(&format!(
            "<circle class=\"{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"><title>{}</title></circle>",
            escaped(words)
        ));
    }

    /// What the colours stand for, in one line.
    pub fn legend(&mut self, y: f64, entries: &[(&str, &str)]) {
        let mut x = 16.0;
        for (colour, words) in entries {
            self.bar(colour, [x, x + 12.0], y, 12.0);
            self.text("small", Anchor::Start, [x + 18.0, y + 10.0], words);
            x += 40.0 + words.len() as f64 * 6.6;
        }
    }

    /// A horizontal axis between two heights, whose marks have this unit.
    pub fn axis(&mut self, scale: &Scale, [top, bottom]: [f64; 2], unit: &str) {
        for mark in scale.marks() {
            let x = scale.x(mark);
            self.line("grid", [x, top], [x, bottom]);
            let decimals = usize::from(scale.step < 1.0);
            let words = format!("{mark:.decimals$}{unit}");
            self.text("small", Anchor::Start, [x - 6.0, bottom + 14.0], &words);
        }
    }

    /// The whole picture, with its title above and a remark at this height.
    pub fn svg(self, title: &str, remark: &str, remark_at: f64) -> String {
        let Self { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n\
             <text class=\"title\" x=\"16\" y=\"28\">{title}</text>\n\
             <text class=\"small\" x=\"16\" y=\"{remark_at}\">{}</text>\n{body}</svg>\n",
            escaped(remark),
            title = escaped(title),
        )
    }

    fn add(&mut self, element: &str) {
        // Writing to a text cannot fail.
        writeln!(self.body, "{element}").ok();
    }
}

/// Values from nought on as pixels, with round marks.
#[derive(Debug)]
pub struct Scale {
    longest: f64,
    step: f64,
    ends: [f64; 2],
}

impl Scale {
    /// As far as this value at least, between two places on the horizontal axis.
    pub fn to(longest: f64, ends: [f64; 2]) -> Self {
        let longest = longest.max(0.1);
        let rough = longest / MARKS;
        let power = 10_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| *step >= rough).unwrap_or(rough);
        Self {
            longest: (longest / step).ceil() * step,
            step,
            ends,
        }
    }

    /// Where a value stands.
    pub fn x(&self, value: f64) -> f64 {
        let [left, right] = self.ends;
        left + value / self.longest * (right - left)
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        let count = (self.longest / self.step).round() as u32;
        (0..=count).map(|mark| f64::from(mark) * self.step)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_has_round_marks_and_reaches_the_longest_bar() {
        for longest in [0.05, 0.9, 3.3, 8.0, 47.0, 180.0] {
            let scale = Scale::to(longest, [0.0, 100.0]);
            assert!(scale.x(longest) <= 100.0);
            let marks = scale.marks().count();
            assert!((2..=10).contains(&marks), "{longest}: {marks} marks");
        }
    }

    #[test]
    fn what_is_drawn_is_well_formed() {
        let mut picture = Picture::new(200.0, 100.0);
        picture.text("", Anchor::End, [10.0, 10.0], "ours & <theirs>");
        picture.point("green", [5.0, 5.0], "1 < 2");
        picture.legend(40.0, &[("blue", "ours"), ("grey", "theirs")]);
        picture.axis(&Scale::to(3.0, [10.0, 90.0]), [10.0, 80.0], " s");
        let picture = picture.svg("A & B", "2 cores", 90.0);
        let read = roxmltree::Document::parse(&picture).unwrap();
        let words: Vec<&str> = read.descendants().filter_map(|node| node.text()).collect();
        for word in ["A & B", "2 cores", "ours & <theirs>", "1 < 2", "theirs", "3.0 s"] {
            assert!(words.contains(&word), "{word} in {words:?}");
        }
    }
}
