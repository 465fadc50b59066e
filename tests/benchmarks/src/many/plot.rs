//! Points and the line on which they would lie where nothing cost anything, as an SVG picture. Its colours follow what the
//! viewer prefers.

use std::fmt::Write;

/// Lengths are in pixels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 70.0;
const RIGHT: f64 = 30.0;
const BOTTOM: f64 = 50.0;

const STYLE: &str = "\
text { font: 13px system-ui, sans-serif; fill: #1f2328 }\n\
.title { font-size: 16px; font-weight: 600 }\n\
.small { font-size: 12px; fill: #59636e }\n\
.ground { fill: #ffffff }\n\
.grid { stroke: #d1d9e0 }\n\
.line { stroke: #8c959f; stroke-dasharray: 4 4 }\n\
.point { fill: #3f8f5f }\n\
@media (prefers-color-scheme: dark) {\n\
text { fill: #f0f6fc }\n\
.small { fill: #9198a1 }\n\
.ground { fill: #0d1117 }\n\
.grid { stroke: #3d444d }\n\
}";

/// The picture of points whose axes begin at nought and have the same scale in whole numbers.
pub fn svg(title: &str, remark: &str, points: &[(f64, f64)]) -> String {
    let most = points
        .iter()
        .fold(1.0_f64, |most, (x, y)| most.max(*x).max(*y))
        .ceil();
    let at = |x: f64, y: f64| {
        (
            LEFT + (WIDTH - LEFT - RIGHT) * x / most,
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / most,
        )
    };
    let mut body = String::new();
    let mut add = |line: String| writeln!(body, "{line}").unwrap_or_default();
    for mark in 0..=most as usize {
        let ((left, y), (right, _)) = (at(0.0, mark as f64), at(most, 0.0));
        add(format!(
            "<line class=\"grid\" x1=\"{left:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\"/>"
        ));
        add(format!(
            "<text class=\"small\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{mark}</text>",
            left - 8.0,
            y + 4.0
        ));
        let (x, bottom) = at(mark as f64, 0.0);
        add(format!(
            "<text class=\"small\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{mark}</text>",
            bottom + 20.0
        ));
    }
    let ((x1, y1), (x2, y2)) = (at(0.0, 0.0), at(most, most));
    add(format!(
        "<line class=\"line\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    ));
    for (x, y) in points {
        let (left, top) = at(*x, *y);
        add(format!(
            "<circle class=\"point\" cx=\"{left:.1}\" cy=\"{top:.1}\" r=\"5\"><title>{x}: {y:.2}</title></circle>"
        ));
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"title\" x=\"16\" y=\"28\">{title}</text>\n<text class=\"small\" x=\"16\" y=\"50\">{remark}</text>\n\
         {body}</svg>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_point_stands_where_its_numbers_say() {
        let picture = svg("Rates", "2 cores", &[(1.0, 1.0), (2.0, 2.0)]);
        let picture = roxmltree::Document::parse(&picture).unwrap();
        let points = picture.descendants().filter(|node| node.has_tag_name("circle"));
        let places: Vec<_> = points
            .map(|point| (point.attribute("cx").unwrap(), point.attribute("cy").unwrap()))
            .collect();
        assert_eq!(places, [("335.0", "220.0"), ("610.0", "70.0")]);
    }
}
