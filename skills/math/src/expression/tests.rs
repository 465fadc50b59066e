//! Expressions as people and models write them, and their mistakes.

use loquat_agent::toolbox::Circumstances;

use super::{Node, Wish, parse_equation, parse_wish};
use crate::error::ExpressionError;
use loquat_kit::calendar::Calendar;

/// With units, dates and times, which leave arithmetic as it is.
fn node(text: &str) -> Result<Node, ExpressionError> {
    let now = "2026-11-21T16:11:12Z".parse().expect("a timestamp");
    match parse_wish(text, &Calendar::of(&Circumstances::default(), now))? {
        Wish::Expression(node) => Ok(node),
        other => panic!("{text} is {other:?}"),
    }
}

fn value(text: &str) -> Result<String, ExpressionError> {
    let number = node(text)?.result(None)?.number()?;
    Ok(number
        .to_json()
        .map_or_else(|| "not finite".to_owned(), |json| json.to_string()))
}

fn check(cases: &[(&str, &str)]) {
    let found = |text: &str| value(text).unwrap_or_else(|error| error.to_string());
    let wrong: Vec<(&str, String, &str)> = cases
        .iter()
        .map(|(text, expected)| (*text, found(text), *expected))
        .filter(|(_, found, expected)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "text, found, expected: {wrong:#?}");
}

#[test]
fn operators_bind_as_in_mathematics() {
    check(&[
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("2 ** 3 ** 2", "512"),
        ("-2 ** 2", "-4"),
        ("2 ** -1", "0.5"),
        ("(-2) ^ 3", "-8"),
        ("10 - 4 - 3", "3"),
        ("100 / 10 / 2", "5"),
        ("7 // 2", "3"),
        ("-7 // 2", "-4"),
        ("7 % 3", "1"),
        ("-7 % 3", "2"),
        ("7 % -3", "-2"),
        ("--5", "5"),
        ("2 - -3", "5"),
        ("3! + 1", "7"),
        ("-3!", "-6"),
        ("2(3 + 4)", "14"),
        ("(1 + 1)(2 + 2)", "8"),
        ("2pi", "6.28318530717959"),
        ("3\u{b2} + 4\u{b2}", "25"),
    ]);
}

#[test]
fn results_are_what_people_expect_in_decimal() {
    check(&[
        ("100*1.15", "115"),
        ("0.1+0.2", "0.3"),
        ("0.1 + 0.2 - 0.3", "0"),
        ("1.1 * 1.1", "1.21"),
        ("1/3", "0.333333333333333"),
        ("10/4", "2.5"),
        ("10/5", "2"),
        ("1 % 0.1", "0"),
        ("floor(100*1.15)", "115"),
        ("round(2.675, 2)", "2.68"),
        ("round(2.5)", "3"),
        ("round(-2.5)", "-3"),
        ("round(1234, -2)", "1200"),
        ("round(17)", "17"),
        ("123456789 * 987654321", "121932631112635269"),
        ("2**63", "9223372036854775808"),
        ("2**64", "1.84467440737096e+19"),
        ("19.99 * 3", "59.97"),
        ("4.35 * 100", "435"),
        ("1e3", "1000"),
        (".5 + 5.", "5.5"),
        ("0xff + 0b11", "258"),
    ]);
}

#[test]
fn percent_means_what_people_mean() {
    check(&[
        ("17% of 3650", "620.5"),
        ("17 percent of 3,650", "620.5"),
        ("17 per cent of 3,650", "620.5"),
        ("17% of 3,650", "620.5"),
        ("3650 * 17%", "620.5"),
        ("17/100*3650", "620.5"),
        ("0.17 * 3650", "620.5"),
        ("17% * 3,650.00", "620.5"),
        ("3650 + 10%", "4015"),
        ("3650 - 10%", "3285"),
        ("100 - 10% - 5", "85"),
        ("100 + 10% + 10%", "121"),
        ("10% + 5%", "0.15"),
        ("20% of 50% of 200", "20"),
        ("20% off 80", "64"),
        ("(3 + 4)% of 100", "7"),
        ("50%", "0.5"),
        ("17 % 5", "2"),
        ("200 + 10% * 2", "200.2"),
        ("what is 17 percent of 3,650?", "620.5"),
        ("17% x 3650", "620.5"),
    ]);
}

#[test]
fn commas_group_digits_unless_they_separate_arguments() {
    check(&[
        ("2,450", "2450"),
        ("1,234,567.89", "1234567.89"),
        ("12,34,567", "1234567"),
        ("2,5 + 1", "3.5"),
        ("1.234,5", "1234.5"),
        ("1.234.567", "1234567"),
        ("1_000_000", "1000000"),
        ("1'000", "1000"),
        ("1\u{202f}000", "1000"),
        ("$2,450 * 2", "4900"),
        ("max(2, 450)", "450"),
        ("max(2,450)", "450"),
        ("min(2,450)", "2"),
        ("min(2,450, 3)", "3"),
        ("sum(1,000, 2,000)", "3000"),
        ("sum(1,000,2,000)", "3000"),
        ("max(2,5, 3)", "5"),
        ("sum(2,450,7, 3)", "2460"),
        ("sum(1,2,3)", "6"),
        ("round(2,450, -2)", "2500"),
        ("round(2.345, 2)", "2.35"),
        ("sqrt(2,500)", "50"),
        ("sqrt(7,056}", "84"),
        ("sqrt(7056)}", "84"),
        ("7,056^{0.5}", "84"),
        ("max(1,5; 2,5)", "2.5"),
        ("max((2,450), 3)", "2450"),
        (
            "1,23,45",
            "at character 2: expected an operator or the end, found ','",
        ),
        (
            "1, 234",
            "at character 2: expected an operator or the end, found ','",
        ),
    ]);
}

#[test]
fn a_closing_parenthesis_too_many_changes_nothing_or_is_refused() {
    check(&[
        ("sqrt(7056))", "84"),
        ("sqrt(7056)}}}{", "84"),
        ("((12 + 15) / 3)))", "9"),
        ("max(1, (2)))", "2"),
        (
            "2 * 3 + (4))",
            "at character 12: expected an operator or the end, found ')'",
        ),
        (
            "(1 + 2) * 3)",
            "at character 12: expected an operator or the end, found ')'",
        ),
        (
            "sqrt(4)) + 1",
            "at character 8: expected an operator or the end, found ')'",
        ),
        (
            ")",
            "at character 1: expected a number, a function or '(', found ')'",
        ),
        (
            "sqrt)",
            "at character 5: expected a number, a function or '(', found ')'",
        ),
    ]);
}

#[test]
fn words_and_signs_of_people_are_read() {
    check(&[
        ("5 x 3", "15"),
        ("5 \u{d7} 3 \u{f7} 5", "3"),
        ("6 \u{2212} 2", "4"),
        ("five", "at character 1: unknown name 'five'"),
        ("12 divided by 4", "3"),
        ("3 times 4 plus 2 minus 1", "13"),
        ("2 to the power of 10", "1024"),
        ("7 squared", "49"),
        ("17 mod 5", "2"),
        ("square root of 16 + 9", "13"),
        ("sqrt of (16 + 9)", "5"),
        ("\u{221a}16", "4"),
        ("calculate 2 + 2 =", "4"),
        ("SQRT(9) + Pi - PI", "3"),
        ("sin(30\u{b0})", "0.5"),
    ]);
}

#[test]
fn functions_have_their_values() {
    check(&[
        ("abs(-3)", "3"),
        ("ceil(1.2) + floor(1.8)", "3"),
        ("sqrt(2) * sqrt(2)", "2"),
        ("cbrt(27)", "3"),
        ("log(e)", "1"),
        ("log(8, 2)", "3"),
        ("ln(e) + log10(1000) + log2(8)", "7"),
        ("exp(0)", "1"),
        ("sin(pi)", "0"),
        ("cos(pi / 2)", "0"),
        ("tan(pi / 4)", "1"),
        ("asin(1) * 2 - pi", "0"),
        ("acos(1) + atan(0)", "0"),
        ("atan2(1, 1) * 4 / pi", "1"),
        ("degrees(pi) + radians(180) - pi", "180"),
        ("factorial(5)", "120"),
        ("factorial(25)", "1.5511210043331e+25"),
        ("gcd(12, 18, 8)", "2"),
        ("lcm(4, 6)", "12"),
        ("gcd(0, 0)", "0"),
        ("isprime(2) + isprime(17) + isprime(9999999967)", "3"),
        (
            "isprime(-7) + isprime(0) + isprime(1) + isprime(91) + isprime(99991 ** 2)",
            "0",
        ),
        ("pow(2, 0.5) ** 2", "2"),
        ("min(3, 1, 2) + max(3, 1, 2) + sum(1, 2) + mean(1, 2, 3)", "9"),
        ("min(inf, 3)", "3"),
        ("tau / pi", "2"),
    ]);
}

#[test]
fn complaints_say_where_and_what() {
    check(&[
        (
            "",
            "at character 1: expected a number, a function or '(', found the end",
        ),
        (
            "2 +",
            "at character 4: expected a number, a function or '(', found the end",
        ),
        (
            "2 + * 3",
            "at character 5: expected a number, a function or '(', found '*'",
        ),
        (
            "(2 + 3",
            "at character 7: expected an operator or ')', found the end",
        ),
        (
            "2 3",
            "at character 3: expected an operator or the end, found '3'",
        ),
        (
            "2 = 3",
            "at character 3: expected an operator (equations are for solve_equation), found '='",
        ),
        (
            "2 & 3",
            "at character 3: expected a number, an operator or a function, found '&'",
        ),
        (
            "sqr(4)",
            "at character 1: unknown name 'sqr'; did you mean sqrt or sin?",
        ),
        ("import os", "at character 1: unknown name 'import'"),
        ("__import__('os')", "at character 1: unknown name '__import__'"),
        ("sqrt(1, 2)", "at character 1: sqrt takes one argument, 2 given"),
        ("atan2(1)", "at character 1: atan2 takes 2 arguments, 1 given"),
        ("max()", "at character 1: max takes at least 1, 0 given"),
        ("1 / 0", "division by zero"),
        ("1 % 0", "division by zero"),
        ("0 ** -1", "division by zero"),
        ("(-8) ** 0.5", "-8 to the power of 0.5 is not a real number"),
        ("sqrt(-1)", "sqrt(-1) is undefined"),
        ("log(0)", "log(0) is undefined"),
        ("log(2, 1)", "log(2) is undefined"),
        ("tan(pi / 2)", "tan(1.5707963267949) is undefined"),
        ("asin(2)", "asin(2) is undefined"),
        ("10 ** 1000", "10 to the power of 1000 is too large"),
        ("9 ** 9 ** 9", "9 to the power of 387420489 is too large"),
        ("1e400", "the number at character 1 is too large"),
        ("exp(1000)", "exp(1000) is too large"),
        (
            "factorial(171)",
            "factorial is limited to 170; factorial(171) is too large",
        ),
        (
            "factorial(200000)",
            "factorial is limited to 170; factorial(200000) is too large",
        ),
        (
            "factorial(-1)",
            "factorial needs a whole number that is not negative",
        ),
        (
            "factorial(2.5)",
            "factorial needs a whole number that is not negative",
        ),
        ("gcd(1.5, 2)", "gcd needs whole numbers"),
        ("isprime(1.5)", "isprime needs a whole number"),
        ("isprime(10**10 + 19)", "isprime is limited to 10000000000"),
        ("lcm(10**30, 10**30 + 1)", "lcm is too large"),
    ]);
}

#[test]
fn comparisons_are_true_or_false() {
    let told = |text: &str| {
        let node = node(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(node.is_truth(), "{text}");
        !node.value(None).unwrap().is_zero()
    };
    for text in [
        "17 > 12",
        "2 + 2 == 4",
        "0.1 + 0.2 == 0.3",
        "3 ≤ 3 and 4 ≥ 4",
        "5 != 6",
        "inf > 1",
        "inf == inf",
        "1 < 2 < 3",
        "4 > 3 > 2 > 1",
        "(2028 % 4 == 0 and 2028 % 100 != 0) or 2028 % 400 == 0",
        "2028 % 4 == 0 && 2028 % 100 != 0 || 2028 % 400 == 0",
        "is_leap_year(2000)",
        "isLeapYear(2028)",
        "1 > 2 or isprime(97)",
        "17 is greater than 12",
    ] {
        assert!(told(text), "{text}");
    }
    for text in [
        "17 < 12",
        "1 < 3 < 2",
        "3 > 2 > 2",
        "1 < 2 < 3 < 3",
        "isleap(1900)",
        "isprime(91)",
        "1 == 1 and 1 == 2",
    ] {
        assert!(!told(text), "{text}");
    }
    assert!(!parse_equation("isprime(2) + 1 = 2").unwrap().0.is_truth());
    for text in ["2 and 3", "2 or 3", "2 > 1 and 3"] {
        let complaint = value(text).map_err(|error| error.to_string());
        assert_eq!(
            complaint,
            Err("'and' and 'or' join comparisons, not numbers".to_owned()),
            "{text}"
        );
    }
    assert_eq!(
        value("isleap(2000.5)").map_err(|e| e.to_string()),
        Err("isleap needs a whole year".to_owned())
    );
}

#[test]
fn infinite_results_are_no_numbers() {
    check(&[
        ("inf", "not finite"),
        ("inf - inf", "not finite"),
        ("1e308 * 10", "not finite"),
    ]);
}

#[test]
fn size_and_depth_are_bounded() {
    assert_eq!(value(&"1".repeat(1001)), Err(ExpressionError::TooLong));
    let deep = format!("{}1{}", "(".repeat(65), ")".repeat(65));
    assert!(matches!(value(&deep), Err(ExpressionError::TooDeep { .. })));
    assert!(matches!(
        value(&"-".repeat(300)),
        Err(ExpressionError::TooDeep { .. })
    ));
    assert_eq!(
        value(&format!("1{}", "+1".repeat(499))),
        Err(ExpressionError::TooMany)
    );
    assert_eq!(value(&format!("1{}", "+1".repeat(199))), Ok("200".to_owned()));
    assert_eq!(value(&format!("1{}", "!".repeat(398))), Ok("1".to_owned()));
}

#[test]
fn an_equation_has_two_sides_and_one_unknown() {
    assert!(parse_equation("2x + 3 = 7").is_ok());
    assert!(parse_equation("solve 2y + 3 = 7 for y").is_ok());
    let complaint = |text| {
        parse_equation(text)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    for text in ["x is less than 3", "x < 3", "x = 2 or 3", "x = 2 && 3"] {
        assert!(parse_equation(text).is_err(), "{text}");
    }
    assert_eq!(
        complaint("x + y = 2"),
        Err("at character 5: unknown name 'y'".to_owned())
    );
    assert_eq!(
        complaint("x = 2 = 3"),
        Err("at character 7: expected an operator or the end, found '='".to_owned())
    );
}
