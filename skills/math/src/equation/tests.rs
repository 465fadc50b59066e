//! Equations with all kinds of solutions, and with none.

use super::solve;
use crate::number::Number;

/// Solutions and note, as they are told.
fn solved(equation: &str) -> String {
    let solved = match solve(equation) {
        Ok(solved) => solved,
        Err(error) => return error.to_string(),
    };
    let shown = |root: &f64| Number::Real(*root).to_json().expect("a finite root").to_string();
    let mut told = solved
        .solutions
        .iter()
        .map(shown)
        .collect::<Vec<String>>()
        .join(" ");
    if let Some(note) = solved.note {
        told = format!("{told} ({note})");
    }
    told.trim().to_owned()
}

fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<(&str, String, &str)> = cases
        .iter()
        .map(|(equation, expected)| (*equation, solved(equation), *expected))
        .filter(|(_, found, expected)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "equation, found, expected: {wrong:#?}");
}

#[test]
fn equations_are_solved_by_algebra() {
    check(&[
        ("2x + 3 = 7", "2"),
        ("2*x + 3 - 7", "2"),
        ("3(x - 2) = 2x + 1", "7"),
        ("x/3 = 5", "15"),
        ("20% x = 50", "250"),
        ("x + 10% = 110", "100"),
        ("solve 3y = 12 for y", "4"),
        ("0.1x = 0.3", "3"),
        ("x = 5000000", "5000000"),
        ("x^2 = 4", "-2 2"),
        ("x^2 - 6x + 9 = 0", "3"),
        ("x^2 - 0.2x + 0.01 = 0", "0.1"),
        ("x^2 - 2 = 0", "-1.4142135623731 1.4142135623731"),
        ("x\u{b2} = 10**12", "-1000000 1000000"),
        ("x^2 + 10^8 x + 1 = 0", "-100000000 -1e-8"),
        ("x^2 = 0", "0"),
        ("x^3 = 27", "3"),
        ("x^3 - 6x^2 + 11x - 6 = 0", "1 2 3"),
        ("x^3 - 3x + 2 = 0", "-2 1"),
        ("(x - 1)^3 = 0", "1"),
        ("x^3 - x = 0", "-1 0 1"),
        ("x(x - 1)(x - 2)(x - 3) = 0", "0 1 2 3"),
        ("x^4 - 5x^2 + 4 = 0", "-2 -1 1 2"),
        ("(x - 2)^2 (x + 3)^2 = 0", "-3 2"),
        ("x^16 = 65536", "-2 2"),
        ("1/x = 4", "0.25"),
        ("(x + 1)/(x - 1) = 2", "3"),
        ("(x^2 - 1)/(x - 1) = 0", "-1"),
        ("x^-2 = 4", "-0.5 0.5"),
        ("sqrt(16) x = 8", "2"),
    ]);
}

#[test]
fn what_has_no_single_solutions_says_so() {
    check(&[
        ("x^2 + 1 = 0", "(there is no real solution)"),
        ("1/x = 0", "(no number is a solution)"),
        ("x = x + 1", "(no number is a solution)"),
        ("2x = x + x", "(every number is a solution)"),
        ("0.1x + 0.2x = 0.3x", "(every number is a solution)"),
        (
            "2 + 2 = 4",
            "there is no unknown such as x in it; use evaluate_expression to calculate",
        ),
        ("exp(x) = -1", "(no solution was found between -1e9 and 1e9)"),
    ]);
}

#[test]
fn other_equations_are_searched() {
    check(&[
        ("2^x = 8", "3"),
        ("exp(x) = 5", "1.6094379124341"),
        ("log10(x) = 3", "1000"),
        ("sqrt(x) = 40", "1600"),
        ("sqrt(x - 1.005) = 0", "1.005"),
        ("abs(x - 3) = 2", "1 5"),
        ("abs(x - 3.005) = 0", "3.005"),
        ("x^x = 27", "3"),
        ("x = cos(x)", "0.73908513321516"),
        ("x^2 = 2^x", "-0.76666469596212 2 4"),
    ]);
}

#[test]
fn poles_jumps_and_far_tails_are_no_solutions() {
    check(&[
        ("1/sin(x) = 0", "(no solution was found between -1e9 and 1e9)"),
        ("floor(x) = 2.5", "(no solution was found between -1e9 and 1e9)"),
        (
            "exp(x) = 0",
            "(it holds, or nearly holds, over whole ranges; only single solutions are listed)",
        ),
        (
            "abs(x) = x",
            "(it holds, or nearly holds, over whole ranges; only single solutions are listed)",
        ),
    ]);
}

#[test]
fn endless_solutions_are_cut_short_near_zero() {
    let solved = solve("sin(x) = 0").expect("an equation");
    assert_eq!(
        solved.note,
        Some("there are more solutions; these are the nearest to zero")
    );
    let multiples: Vec<f64> = solved
        .solutions
        .iter()
        .map(|root| root / std::f64::consts::PI)
        .collect();
    assert!(multiples.len() <= 8 && multiples.contains(&0.0), "{multiples:?}");
    for multiple in multiples {
        assert!(
            (multiple - multiple.round()).abs() < 1e-12,
            "{multiple} is no multiple"
        );
    }
    let touching = solve("cos(x) = 1").expect("an equation");
    assert!(
        touching.solutions.contains(&0.0) && touching.solutions.len() > 2,
        "{touching:?}"
    );
}

#[test]
fn text_is_never_a_program() {
    let text = "__import__('os').system('touch evil')";
    assert!(solve(text).is_err());
    assert!(solve("x; x").is_err());
    assert!(solve("eval(x) = 1").is_err());
}
