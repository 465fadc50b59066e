//! Points and the line on which they would lie where nothing cost anything, as an SVG picture.

use crate::plot::{Anchor, Picture};

/// Lengths are in pixels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 70.0;
const RIGHT: f64 = 30.0;
const BOTTOM: f64 = 50.0;

/// The picture of points whose axes begin at nought and have the same scale in whole numbers.
pub fn svg(title: &str, remark: &str, points: &[(f64, f64)]) -> String {
    let most = points
        .iter()
        .fold(1.0_f64, |most, (x, y)| most.max(*x).max(*y))
        .ceil();
    let at = |x: f64, y: f64| {
        [
            LEFT + (WIDTH - LEFT - RIGHT) * x / most,
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / most,
        ]
    };
    let mut picture = Picture::new(WIDTH, HEIGHT);
    for mark in 0..=most as usize {
        let value = mark as f64;
        let [left, y] = at(0.0, value);
        picture.line("grid", [left, y], at(most, value));
        picture.text("small", Anchor::End, [left - 8.0, y + 4.0], &mark.to_string());
        let [x, bottom] = at(value, 0.0);
        picture.text("small", Anchor::Middle, [x, bottom + 20.0], &mark.to_string());
    }
    picture.line("dashed", at(0.0, 0.0), at(most, most));
    for (x, y) in points {
        picture.point("green", at(*x, *y), &format!("{x}: {y:.2}"));
    }
    picture.svg(title, remark, 50.0)
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
