//! Word errors by set as an SVG picture: a bar for each contestant, for one model.

use super::contestant::Who;
use super::recordings::Set;
use super::table::Column;
use crate::plot::{Anchor, Picture, Scale};

/// Lengths are in pixels.
const WIDTH: f64 = 820.0;
const LEFT: f64 = 130.0;
const RIGHT: f64 = 70.0;
const TOP: f64 = 86.0;
const BOTTOM: f64 = 52.0;
const BAR: f64 = 11.0;
const GROUP: f64 = 48.0;

fn colour(who: Who) -> &'static str {
    match who {
        Who::Loquat => "green",
        Who::WhisperCpp => "blue",
        Who::FasterWhisper => "amber",
    }
}

/// The picture of the columns with this model.
pub fn svg(columns: &[Column], model: &str, remark: &str) -> String {
    let columns: Vec<&Column> = columns.iter().filter(|column| column.model == model).collect();
    let heard = |set: &Set| columns.iter().any(|column| column.errors(*set).is_some());
    let sets: Vec<Set> = Set::ALL.into_iter().filter(heard).collect();
    let percent = |column: &Column, set: Set| column.errors(set).map(super::words::Errors::percent);
    let all = columns
        .iter()
        .flat_map(|column| sets.iter().filter_map(|set| percent(column, *set)));
    let scale = Scale::to(all.fold(1.0, f64::max), [LEFT, WIDTH - RIGHT]);
    let height = TOP + GROUP * sets.len() as f64 + BOTTOM;
    let mut picture = Picture::new(WIDTH, height);
    picture.legend(44.0, &Who::ALL.map(|who| (colour(who), who.name())));
    picture.axis(&scale, [TOP - 8.0, height - BOTTOM + 4.0], " %");
    for (place, set) in sets.iter().enumerate() {
        let top = TOP + GROUP * place as f64;
        picture.text("", Anchor::Start, [16.0, top + 2.0 * BAR], &set.to_string());
        for (number, column) in columns.iter().enumerate() {
            let Some(percent) = percent(column, *set) else {
                continue;
            };
            let top = top + (BAR + 1.0) * number as f64;
            picture.bar(colour(column.who), [scale.x(0.0), scale.x(percent)], top, BAR);
            let at = [scale.x(percent) + 6.0, top + BAR - 1.0];
            picture.text("small", Anchor::Start, at, &format!("{percent:.1} %"));
        }
    }
    let title = format!("Words heard wrongly, {model}");
    picture.svg(&title, remark, height - 10.0)
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::column;
    use super::*;

    #[test]
    fn each_contestant_has_a_bar_for_each_set_that_it_heard() {
        let columns = [
            column(Who::Loquat, Set::Clean, 3, 1),
            column(Who::WhisperCpp, Set::Clean, 6, 1),
        ];
        let picture = svg(&columns, "base", "2 cores");
        let read = roxmltree::Document::parse(&picture).unwrap();
        let widths: Vec<f64> = read
            .descendants()
            .filter(|node| node.attribute("height") == Some("11"))
            .map(|node| node.attribute("width").unwrap().parse().unwrap())
            .collect();
        assert_eq!(widths.len(), 2);
        assert!((widths[1] / widths[0] - 2.0).abs() < 0.01, "{widths:?}");
        assert!(!svg(&columns, "tiny.en", "2 cores").contains("height=\"11\""));
    }
}
