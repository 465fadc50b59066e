//! Grammars that clients bring are looked at before llama.cpp sees them.

use crate::grammar::Grammar;

fn lines(count: u32, line: impl Fn(u32) -> String) -> String {
    (0..count).map(line).collect::<Vec<_>>().join("\n")
}

fn error(text: &str) -> String {
    Grammar::from_gbnf(text).unwrap_err().to_string()
}

#[test]
fn grammars_in_llama_cpps_style_are_taken() {
    for text in [
        "root ::= \"yes\" | \"no\"",
        "# moves\nroot ::= (move \" \"){1,3} # up to three\nmove ::=\n  [a-h] [1-8]\n  \n",
        "root ::= expr ([-+*/] expr)*\nexpr ::= [0-9]+ | \"(\" root \")\"\r\n",
        "root ::= (\n  \"a\" |\n  \"b\"\n)\n",
        "root ::= [^\\x00-\\x1F\\\"]+ \"\\u00e9\" \"\\U0001F600\" .",
        "root ::= \"a\"{0} \"b\"{2} \"c\"{3,}",
    ] {
        Grammar::from_gbnf(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (text, part) in [
        ("root := \"a\"", "in line 1: `::=` is expected after `root`"),
        ("root ::= \"a\"\n\nword ::= [a-z", "in line 3: it ends too early"),
        ("root ::= (\"a\"", "`)` is expected"),
        ("root ::= <<<", "tokens (`<…>`) are not supported"),
        ("root ::= * \"a\"", "there is nothing before `*` to repeat"),
        ("root ::= \"\\q\"", "`\\q` means nothing"),
        ("root ::= \"\\u12\"", "4 hexadecimal digits"),
        ("root ::= \"a\" ; \"b\"", "the end of the line is expected"),
        ("root ::= []", "`[]` is empty"),
        ("root ::= word", "no rule `word`"),
        ("start ::= \"a\"", "no rule `root`"),
        ("", "no rule `root`"),
        ("root ::= \"a\0b\"", "a zero byte"),
    ] {
        assert!(error(text).contains(part), "{text:?}: {}", error(text));
    }
}

#[test]
fn grammars_that_would_hang_or_exhaust_llama_cpp_are_refused() {
    for (text, part) in [
        ("root ::= \"a\"{5,2}".to_owned(), "at least 5 cannot be of fewer"),
        ("root ::= \"a\"{3000}".to_owned(), "more than 2000"),
        ("root ::= \"a\"{99999999999999999999}".to_owned(), "too large"),
        (
            format!("root ::= \"{}\"{{2000}}", "a".repeat(1000)),
            "more than 500000 elements",
        ),
        (
            format!("root ::= [{}]{{0,2000}}", "a".repeat(1000)),
            "more than 500000 elements",
        ),
        (
            format!("root ::= {}\"a\"{}", "(".repeat(100_000), ")".repeat(100_000)),
            "64 groups",
        ),
        ("a".repeat(300_000), "300000 bytes"),
        (
            "root ::= \"a\"\n".to_owned() + &lines(5000, |n| format!("r{n} ::= \"a\"")),
            "5001 rules",
        ),
    ] {
        assert!(error(&text).contains(part), "{}", error(&text));
    }
}

#[test]
fn left_recursion_is_found_however_well_it_hides() {
    for text in [
        "root ::= root \"a\" | \"a\"",
        "root ::= a\na ::= b \"x\"\nb ::= a \"y\" | \"z\"",
        "root ::= a\na ::= (\"x\")? a \"y\" | \"z\"",
        "root ::= a\na ::= empty a \"z\" | \"y\"\nempty ::= nothing\nnothing ::= | \"n\"",
        "root ::= a\na ::= \"\" a",
    ] {
        assert!(
            error(text).contains("begins with itself"),
            "{text}: {}",
            error(text)
        );
    }
    assert!(error("root ::= \"-\"? x\nx ::= x \"y\" | \"z\"").contains("rule `x` begins"));
}

#[test]
fn right_recursion_and_long_chains_are_fine() {
    Grammar::from_gbnf("root ::= \"a\" root | \"b\"").unwrap();
    let chain = lines(3000, |n| format!("r{n} ::= r{}", n + 1));
    Grammar::from_gbnf(&format!("root ::= r0\n{chain}\nr3000 ::= \"a\"\n")).unwrap();
}
