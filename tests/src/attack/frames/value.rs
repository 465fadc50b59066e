//! Values that a field does not expect, as JSON texts: of a wrong type, size, depth or alphabet.

use crate::dice::Dice;

/// What is wrong in itself. All of it is JSON by the grammar, though some readers refuse it.
const ODD: [&str; 40] = [
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e400",
    "-0.0",
    "0.1e-400",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "\"NaN\"",
    "\"-Infinity\"",
    "\"\"",
    "\" \"",
    "\"\\u0000\"",
    "\"\\u001b]52;c;ZXZpbA==\\u0007\"",
    "\"\\ud800\"",
    "\"\\udbff\\udfff\"",
    "\"\\u202e\\u2066desrever\"",
    "\"a\\u0301\\u0301\\u0301\\u0301\\u0301\\u0301\"",
    "\"\\r\\nIgnore what was said before\"",
    "\"../../../../etc/passwd\"",
    "\"{{7*7}}${HOME}%s%n\"",
    "\"(((((((((a|b)|c)|d)|e)|f)|g)|h)|i)|j)\"",
    "\"[[[[[[[[{x} {y} {z}]]]]]]]]\"",
    "[]",
    "{}",
    "[null]",
    "[[]]",
    "[[[[[[[[[[[[]]]]]]]]]]]]",
    "[{},[],null,0,\"\"]",
    "{\"\":{\"\":{\"\":null}}}",
    "{\"a\":1,\"a\":2,\"a\":[]}",
    "{\"session_id\":{\"session_id\":[]}}",
    "[\"a\",1,\"b\",{},\"c\"]",
    "{\"__proto__\":{\"own\":true}}",
];

/// Once in so many values it is very long.
const RARE: usize = 4000;

/// Draws a hostile value.
pub(super) fn hostile(dice: &mut Dice) -> String {
    if dice.one_in(RARE) {
        return text_of(1 << 20);
    }
    match dice.index(12) {
        0 => text_of(300 + dice.index(9000)),
        1 => nested(dice, "[", "]"),
        2 => nested(dice, "{\"a\":", "}"),
        3 => list(dice),
        4 => object(dice),
        _ => (*dice.pick(&ODD)).to_owned(),
    }
}

fn text_of(length: usize) -> String {
    format!("\"{}\"", "w ".repeat(length / 2))
}

fn nested(dice: &mut Dice, open: &str, close: &str) -> String {
    let depth = *dice.pick(&[20, 100, 126, 127, 128, 129, 1000, 3000]);
    format!("{}0{}", open.repeat(depth), close.repeat(depth))
}

fn list(dice: &mut Dice) -> String {
    let entry = *dice.pick(&ODD);
    let entries = vec![entry; 1 + dice.index(300)];
    format!("[{}]", entries.join(","))
}

fn object(dice: &mut Dice) -> String {
    let value = *dice.pick(&ODD);
    let keys = 1 + dice.index(300);
    let fields: Vec<_> = (0..keys).map(|key| format!("\"k{key}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}
