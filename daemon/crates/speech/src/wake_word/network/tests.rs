//! The arithmetic by hand. Whole models are tried with a real one, in the tests of the ear.

use super::layer::{Channel, Layer, Quantisation, Reach, look_up, table};
use super::*;

fn layer(reach: Reach, weights: &[i8], window: usize, step: usize, channels: &[(i64, f32)]) -> Layer {
    Layer {
        reach,
        weights: weights.to_vec(),
        window,
        step,
        channels: channels
            .iter()
            .map(|(bias, scale)| Channel {
                bias: *bias,
                scale: *scale,
            })
            .collect(),
        zero: 0,
        least: i8::MIN,
    }
}

fn run_layer(layer: &Layer, input: &[i8], output: usize) -> Vec<i8> {
    let mut result = vec![99; output];
    layer.run(input, &mut result);
    result
}

#[test]
fn a_full_layer_sums_each_window_for_each_channel() {
    // Rows of two columns, windows of two rows, every second row.
    let full = layer(
        Reach::Full,
        &[1, 0, 0, 1, 2, 2, 2, 2],
        4,
        4,
        &[(0, 1.0), (10, 0.5)],
    );
    let input = [1, 2, 3, 4, 5, 6, 7, 8];
    assert_eq!(run_layer(&full, &input, 4), [5, 15, 13, 31]);
}

#[test]
fn a_depthwise_layer_keeps_channels_apart() {
    let depthwise = layer(Reach::Depthwise, &[1, 10, 2, 20], 4, 2, &[(0, 1.0), (1, 1.0)]);
    assert_eq!(
        run_layer(&depthwise, &[1, 1, 2, 2, 3, 3], 4),
        [1 + 4, 1 + 10 + 40, 2 + 6, 1 + 20 + 60]
    );
}

#[test]
fn results_are_rounded_to_even_and_cut_to_bytes() {
    let scaled = |bias: i64, scale: f32| {
        let mut layer = layer(Reach::Full, &[0], 1, 1, &[(bias, scale)]);
        layer.least = -3;
        run_layer(&layer, &[0], 1)[0]
    };
    assert_eq!([scaled(5, 0.5), scaled(7, 0.5), scaled(400, 1.0)], [2, 4, 127]);
    assert_eq!(scaled(-400, 1.0), -3, "a rectifier cuts");
    assert_eq!(scaled(i64::MAX, 1e30), 127);
}

#[test]
fn functions_are_looked_up_from_the_least_byte_on() {
    let (input, output) = (
        Quantisation { scale: 0.5, zero: 10 },
        Quantisation { scale: 1.0, zero: -1 },
    );
    let doubled = table(input, output, |value| value * 4.0);
    let mut result = [0; 3];
    look_up(&doubled, &[10, 11, i8::MIN], &mut result);
    assert_eq!(result, [-1, 1, i8::MIN]);
}

#[test]
fn joining_and_parting_go_by_turns() {
    let mut sheets = vec![vec![1, 2, 5, 6], vec![3, 7], vec![0; 6], vec![0; 4], vec![0; 2]];
    let parts = vec![(0, 2), (1, 1)];
    run(&Step::Join { from: parts, to: 2 }, &mut sheets, &mut []);
    assert_eq!(sheets[2], [1, 2, 3, 5, 6, 7]);
    let parts = vec![(3, 2), (4, 1)];
    run(&Step::Part { from: 2, to: parts }, &mut sheets, &mut []);
    assert_eq!((&sheets[3], &sheets[4]), (&vec![1, 2, 5, 6], &vec![3, 7]));
}

#[test]
fn what_is_no_model_is_refused() {
    for bytes in [
        &b""[..],
        b"TFL3",
        b"\x10\0\0\0TFL3",
        &[0xff; 64],
        b"\x08\0\0\0TFL3\0\0\0\0\0\0\0\0",
    ] {
        assert_eq!(Network::read(bytes).unwrap_err(), "it is no TensorFlow Lite file");
    }
}
