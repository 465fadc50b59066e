//! What a layer of a file does with its input: its reach over time, its steps, and what becomes of each channel's sum.
//!
//! Anything but plain convolutions over time and dense layers has no shape here.

use super::file::{Operator, Tensor};
use super::layer::{Channel, Quantisation, Reach};
use super::operators::{CONV_2D, DEPTHWISE_CONV_2D};

/// Says what a layer does with its input, read off its operator.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) reach: Reach,
    pub(super) window: usize,
    pub(super) step: usize,
    pub(super) rectified: bool,
}

impl Shape {
    /// Reads the shape of a convolution over time alone, without padding and gaps, or of a dense layer.
    pub(super) fn of(operator: &Operator<'_>, input: &Tensor<'_>, weights: &Tensor<'_>) -> Option<Self> {
        // Fields of the options: stride, padding, what is done with the result, and what must be 1.
        let (reach, activation, ones) = match operator.code {
            CONV_2D => (Reach::Full, 3, [1, 4, 5]),
            DEPTHWISE_CONV_2D => (Reach::Depthwise, 4, [3, 5, 6]),
            _ => return Self::dense(operator, input, weights),
        };
        let ([1, rows, 1, columns], [_, reached, 1, depth]) =
            (input.dimensions.as_slice(), weights.dimensions.as_slice())
        else {
            return None;
        };
        let stride = usize::try_from(operator.option(2, 1)).ok()?;
        let unpadded = operator.choice(0) == 1 || (*reached == 1 && stride == 1);
        let plain = ones.into_iter().all(|field| operator.option(field, 1) == 1);
        (unpadded && plain && stride > 0 && reached <= rows && depth == columns).then_some(())?;
        Some(Self {
            reach,
            window: reached * columns,
            step: stride.checked_mul(*columns)?,
            rectified: rectified(operator.choice(activation))?,
        })
    }

    fn dense(operator: &Operator<'_>, input: &Tensor<'_>, weights: &Tensor<'_>) -> Option<Self> {
        let window = weights.dimensions.last().copied()?;
        let fits = operator.choice(1) == 0 && window == input.len();
        fits.then_some(())?;
        Some(Self {
            reach: Reach::Full,
            window,
            step: window,
            rectified: rectified(operator.choice(0))?,
        })
    }

    pub(super) fn channels(
        &self,
        bytes: &[i8],
        weights: &Tensor<'_>,
        biases: &[i32],
        [input, output]: [Quantisation; 2],
    ) -> Option<Vec<Channel>> {
        let count = biases.len();
        let expected = match self.reach {
            Reach::Full => count.checked_mul(self.window)?,
            Reach::Depthwise => self.window,
        };
        let columns_fit = self.reach == Reach::Full || Some(&count) == weights.dimensions.last();
        let scales_fit = [1, count].contains(&weights.scales.len()) && weights.zero == 0;
        (bytes.len() == expected && columns_fit && scales_fit).then_some(())?;
        let scales = weights.scales.iter().cycle();
        let kernels = (0..count).map(|at| match self.reach {
            Reach::Full => sum(bytes.iter().skip(at * self.window).take(self.window)),
            Reach::Depthwise => sum(bytes.iter().skip(at).step_by(count)),
        });
        let channel = |((bias, scale), kernel): ((&i32, &f32), i64)| Channel {
            bias: i64::from(*bias) - i64::from(input.zero) * kernel,
            scale: input.scale * scale / output.scale,
        };
        Some(biases.iter().zip(scales).zip(kernels).map(channel).collect())
    }
}

fn sum<'a>(weights: impl Iterator<Item = &'a i8>) -> i64 {
    weights.map(|weight| i64::from(*weight)).sum()
}

/// Tells whether what is below zero is cut off; other functions are unknown here.
fn rectified(activation: u8) -> Option<bool> {
    match activation {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}
