//! The arithmetic of a quantised network: sheets of bytes whose rows are time and whose columns are channels.
//!
//! Whole numbers of 8 bits in and out, 32 bits between (Jacob et al. 2018, "Quantization and Training of Neural Networks
//! for Efficient Integer-Arithmetic-Only Inference"). Lengths are the planner's business: what does not fit is left out.

/// Says how bytes stand for numbers: `scale * (byte - zero)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quantisation {
    pub(super) scale: f32,
    pub(super) zero: i32,
}

impl Quantisation {
    /// Gives the byte that is nearest to a number.
    pub(super) fn byte(self, value: f32) -> i8 {
        let whole = (value / self.scale).round_ties_even() as i32;
        clamp(whole.saturating_add(self.zero), i8::MIN)
    }

    /// Gives the number that a byte stands for.
    pub(super) fn value(self, byte: i8) -> f32 {
        self.scale * (i32::from(byte) - self.zero) as f32
    }
}

fn clamp(value: i32, least: i8) -> i8 {
    value.clamp(least.into(), i8::MAX.into()) as i8
}

/// Says what becomes of the sum of one channel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Channel {
    /// This is added to the sum of bytes times weights, and makes up for the bytes' zero too.
    pub(super) bias: i64,
    pub(super) scale: f32,
}

/// Says which weights an input meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Each channel out has weights for all channels in.
    Full,
    /// Each channel has weights for itself.
    Depthwise,
}

/// A convolution over time. With one window it is a dense layer.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) reach: Reach,
    pub(super) weights: Vec<i8>,
    /// A window takes this many bytes; at least one.
    pub(super) window: usize,
    /// The bytes from one window to the next; at least one.
    pub(super) step: usize,
    pub(super) channels: Vec<Channel>,
    /// The byte for zero in what comes out.
    pub(super) zero: i32,
    /// The least byte that comes out; a rectifier cuts at zero.
    pub(super) least: i8,
}

impl Layer {
    pub(super) fn run(&self, input: &[i8], output: &mut [i8]) {
        let windows = input.windows(self.window).step_by(self.step);
        for (window, row) in windows.zip(output.chunks_exact_mut(self.channels.len())) {
            match self.reach {
                Reach::Full => self.full(window, row),
                Reach::Depthwise => self.depthwise(window, row),
            }
        }
    }

    fn full(&self, window: &[i8], row: &mut [i8]) {
        let kernels = self.weights.chunks_exact(self.window);
        for ((out, channel), kernel) in row.iter_mut().zip(&self.channels).zip(kernels) {
            *out = self.finish(channel, dot(window.iter().zip(kernel)));
        }
    }

    fn depthwise(&self, window: &[i8], row: &mut [i8]) {
        let columns = self.channels.len();
        for (at, (out, channel)) in row.iter_mut().zip(&self.channels).enumerate() {
            let column = window.iter().skip(at).step_by(columns);
            let kernel = self.weights.iter().skip(at).step_by(columns);
            *out = self.finish(channel, dot(column.zip(kernel)));
        }
    }

    fn finish(&self, channel: &Channel, sum: i32) -> i8 {
        let scaled = (i64::from(sum) + channel.bias) as f32 * channel.scale;
        clamp(
            (scaled.round_ties_even() as i32).saturating_add(self.zero),
            self.least,
        )
    }
}

fn dot<'a>(pairs: impl Iterator<Item = (&'a i8, &'a i8)>) -> i32 {
    pairs
        .map(|(one, other)| i32::from(*one) * i32::from(*other))
        .sum()
}

/// Gives what a function makes of each byte, from the least to the greatest.
pub(super) fn table(input: Quantisation, output: Quantisation, function: fn(f32) -> f32) -> Vec<i8> {
    let bytes = i8::MIN..=i8::MAX;
    bytes
        .map(|byte| output.byte(function(input.value(byte))))
        .collect()
}

/// Looks each byte up in a [`table`].
pub(super) fn look_up(table: &[i8], input: &[i8], output: &mut [i8]) {
    for (out, byte) in output.iter_mut().zip(input) {
        let place = usize::from(byte.wrapping_sub(i8::MIN).cast_unsigned());
        *out = table.get(place).copied().unwrap_or_default();
    }
}
