//! The sum of the parts of a number, as long as they make one: `two hundred and five`, not `five twenty`.

#![expect(clippy::float_cmp, reason = "whole numbers of this size are exact")]

use super::Atom;
use crate::reading::language::Order;

/// What has been added up.
#[derive(Debug)]
pub(super) struct Sum {
    order: Order,
    /// It counts thousands and more.
    total: f64,
    /// What is below a thousand.
    group: Option<f64>,
    /// The last scale; the next one has to be smaller.
    scale: f64,
    last: f64,
    has_and: bool,
    is_figures: bool,
}

impl Sum {
    pub(super) fn new(order: Order) -> Self {
        Self {
            order,
            total: 0.0,
            group: None,
            scale: f64::INFINITY,
            last: 0.0,
            has_and: false,
            is_figures: false,
        }
    }

    /// The number so far; none behind an "and".
    pub(super) fn value(&self) -> Option<f64> {
        let is_some = self.group.is_some() || self.total > 0.0;
        (is_some && !self.has_and).then(|| self.total + self.group.unwrap_or_default())
    }

    /// Whether the part belongs to the number, to which it is added then.
    pub(super) fn add(&mut self, atom: Atom) -> bool {
        let (number, is_figures) = match atom {
            Atom::And => return !std::mem::replace(&mut self.has_and, true),
            Atom::Number(number) => (number, false),
            Atom::Figures(number) => (number, true),
        };
        let group = match number {
            _ if is_figures => self.first(number),
            1000.0.. => return self.scale(number),
            100.0 => self.hundred(),
            _ => self.small(number),
        };
        let Some(group) = group else { return false };
        self.group = Some(group);
        self.is_figures = is_figures;
        self.last = number;
        self.has_and = false;
        true
    }

    /// A number that no part of the group stands in front of.
    fn first(&self, number: f64) -> Option<f64> {
        let is_first = self.group.is_none() && (!self.has_and || self.total > 0.0);
        let fits = self.total == 0.0 || number < self.scale;
        (is_first && fits).then_some(number)
    }

    fn scale(&mut self, scale: f64) -> bool {
        let fits = scale < self.scale && !self.has_and;
        if fits {
            self.total += self.group.take().unwrap_or(1.0) * scale;
            self.scale = scale;
            self.last = scale;
            self.is_figures = false;
        }
        fits
    }

    fn hundred(&self) -> Option<f64> {
        match self.group {
            None => self.first(100.0),
            Some(group) => ((1.0..100.0).contains(&group) && !self.has_and).then_some(group * 100.0),
        }
    }

    fn small(&self, number: f64) -> Option<f64> {
        let Some(group) = self.group else {
            return self.first(number);
        };
        if self.is_figures || number == 0.0 {
            return None;
        }
        let below = group % 100.0;
        let is_joined = !self.has_and || self.last >= 100.0 || self.and_fits(number);
        let scores = self.order.by_scores;
        match number {
            // `einhalb`.
            0.0..1.0 => (group.fract() == 0.0).then_some(group + number),
            20.0 if scores && below == 4.0 && !self.has_and => Some(group + 76.0),
            20.0..100.0 if self.order.units_first && self.has_and && (1.0..10.0).contains(&below) => {
                Some(group + number)
            }
            10.0..20.0 if scores && (below == 60.0 || below == 80.0) => Some(group + number),
            10.0..1000.0 => (below == 0.0 && is_joined && number.fract() == 0.0).then_some(group + number),
            _ if scores && self.last == 10.0 && number >= 7.0 => Some(group + number),
            _ => (below % 10.0 == 0.0 && below != 10.0 && is_joined).then_some(group + number),
        }
    }

    /// Whether "and" may stand between tens and what follows.
    fn and_fits(&self, number: f64) -> bool {
        let is_tens = (20.0..100.0).contains(&self.last);
        self.order.and_behind_tens && is_tens && (number < 10.0 || number == 11.0)
    }
}
