//! A second reader of GBNF, for tests: says whether a text follows a grammar. Slow and simple on purpose.

use std::collections::{BTreeSet, HashMap};

#[derive(Debug, Clone)]
enum Part {
    Literal(String),
    Class(bool, Vec<(char, char)>),
    Rule(String),
    Group(Vec<Vec<Self>>),
    Repeat(Box<Self>, usize, usize),
}

/// Whether the whole text follows the grammar.
pub(super) fn follows(grammar: &str, text: &str) -> bool {
    let rules: HashMap<String, Vec<Vec<Part>>> = grammar
        .lines()
        .filter_map(|line| line.split_once("::="))
        .map(|(name, body)| {
            (
                name.trim().to_owned(),
                choices(&mut body.trim().chars().peekable()),
            )
        })
        .collect();
    let letters: Vec<char> = text.chars().collect();
    let ends = from_rule(&rules, "root", &letters, 0);
    ends.contains(&letters.len())
}

type Letters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn choices(text: &mut Letters<'_>) -> Vec<Vec<Part>> {
    let mut all = vec![Vec::new()];
    while let Some(&letter) = text.peek() {
        match letter {
            ' ' => drop(text.next()),
            '|' => {
                text.next();
                all.push(Vec::new());
            }
            ')' => break,
            _ => {
                let part = part(text);
                let part = repeated(text, part);
                all.last_mut().unwrap().push(part);
            }
        }
    }
    all
}

fn part(text: &mut Letters<'_>) -> Part {
    match text.next().unwrap() {
        '"' => {
            let mut literal = String::new();
            while text.peek() != Some(&'"') {
                literal.push(letter(text));
            }
            text.next();
            Part::Literal(literal)
        }
        '[' => {
            let negated = text.next_if_eq(&'^').is_some();
            let mut ranges = Vec::new();
            while text.peek() != Some(&']') {
                let low = letter(text);
                let is_range = text.clone().next() == Some('-') && text.clone().nth(1) != Some(']');
                let high = if is_range {
                    text.next();
                    letter(text)
                } else {
                    low
                };
                ranges.push((low, high));
            }
            text.next();
            Part::Class(negated, ranges)
        }
        '(' => {
            let inner = choices(text);
            assert_eq!(text.next(), Some(')'));
            Part::Group(inner)
        }
        first => {
            let mut name = String::from(first);
            while let Some(next) = text.next_if(|next| next.is_ascii_alphanumeric() || *next == '-') {
                name.push(next);
            }
            Part::Rule(name)
        }
    }
}

fn letter(text: &mut Letters<'_>) -> char {
    match text.next().unwrap() {
        '\\' => match text.next().unwrap() {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'x' => {
                let digits: String = text.by_ref().take(2).collect();
                char::from(u8::from_str_radix(&digits, 16).unwrap())
            }
            other => other,
        },
        other => other,
    }
}

fn repeated(text: &mut Letters<'_>, part: Part) -> Part {
    let (least, most) = match text.peek() {
        Some('*') => (0, usize::MAX),
        Some('+') => (1, usize::MAX),
        Some('?') => (0, 1),
        Some('{') => {
            let bounds: String = text.by_ref().skip(1).take_while(|next| *next != '}').collect();
            return match bounds.split_once(',') {
                None => Part::Repeat(Box::new(part), bounds.parse().unwrap(), bounds.parse().unwrap()),
                Some((least, "")) => Part::Repeat(Box::new(part), least.parse().unwrap(), usize::MAX),
                Some((least, most)) => {
                    Part::Repeat(Box::new(part), least.parse().unwrap(), most.parse().unwrap())
                }
            };
        }
        _ => return part,
    };
    text.next();
    Part::Repeat(Box::new(part), least, most)
}

type Rules = HashMap<String, Vec<Vec<Part>>>;

fn from_rule(rules: &Rules, name: &str, text: &[char], at: usize) -> BTreeSet<usize> {
    from_choices(rules, &rules[name], text, at)
}

fn from_choices(rules: &Rules, choices: &[Vec<Part>], text: &[char], at: usize) -> BTreeSet<usize> {
    choices
        .iter()
        .flat_map(|sequence| {
            sequence.iter().fold(BTreeSet::from([at]), |starts, part| {
                starts
                    .iter()
                    .flat_map(|start| from_part(rules, part, text, *start))
                    .collect()
            })
        })
        .collect()
}

fn from_part(rules: &Rules, part: &Part, text: &[char], at: usize) -> BTreeSet<usize> {
    match part {
        Part::Literal(literal) => {
            let wanted: Vec<char> = literal.chars().collect();
            let found = text[at..].starts_with(&wanted);
            found.then_some(at + wanted.len()).into_iter().collect()
        }
        Part::Class(negated, ranges) => {
            let found = text.get(at).is_some_and(|letter| {
                ranges.iter().any(|(low, high)| (low..=high).contains(&letter)) != *negated
            });
            found.then_some(at + 1).into_iter().collect()
        }
        Part::Rule(name) => from_rule(rules, name, text, at),
        Part::Group(choices) => from_choices(rules, choices, text, at),
        Part::Repeat(inner, least, most) => {
            let mut ends = BTreeSet::new();
            let mut starts = BTreeSet::from([at]);
            for round in 0..=*most {
                if round >= *least {
                    if starts.is_subset(&ends) {
                        break;
                    }
                    ends.extend(&starts);
                }
                if starts.is_empty() || round == *most {
                    break;
                }
                starts = starts
                    .iter()
                    .flat_map(|start| from_part(rules, inner, text, *start))
                    .collect();
            }
            ends
        }
    }
}
