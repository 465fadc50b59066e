//! A command as a list of words. Whatever only a shell could do with it is refused by name, so that a brain does not take
//! for done what was not. Runs nothing.

/// In bytes.
const LONGEST: usize = 4000;
const MOST_WORDS: usize = 200;

/// Why a command cannot be taken apart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unreadable {
    #[error("command: write a program and its arguments, such as ls -l")]
    Empty,
    #[error("command: it is too long")]
    TooLong,
    #[error("command: a quotation mark is not closed")]
    Open,
    #[error(
        "command: '{0}' needs a shell, and there is none; run one program at a time, and quote what is meant as it stands"
    )]
    NeedsShell(String),
}

/// Signs that mean something to a shell unless they are quoted.
const SIGNS: &str = ";|&<>()`$*?[\n\r!";

/// Those that mean something even in double quotation marks.
const SIGNS_IN_DOUBLE: &str = "`$";

/// Those that mean something at the beginning of a word.
const SIGNS_IN_FRONT: &str = "~#";

pub(super) fn words(command: &str) -> Result<Vec<String>, Unreadable> {
    if command.len() > LONGEST {
        return Err(Unreadable::TooLong);
    }
    if command.contains('\0') {
        return Err(Unreadable::NeedsShell("\\0".to_owned()));
    }
    let command = command.trim();
    if let Some(sign) = sign_of_a_shell(command) {
        return Err(Unreadable::NeedsShell(sign.escape_default().to_string()));
    }
    let words = shlex::split(command).ok_or(Unreadable::Open)?;
    match words.len() {
        0 => Err(Unreadable::Empty),
        1..=MOST_WORDS => Ok(words),
        _ => Err(Unreadable::TooLong),
    }
}

/// What stands around a sign.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    No,
    Single,
    Double,
}

/// The first sign that a shell would not take as it stands.
fn sign_of_a_shell(command: &str) -> Option<char> {
    let mut quoted = Quoted::No;
    let mut in_front = true;
    let mut signs = command.chars();
    while let Some(sign) = signs.next() {
        let has_meaning = match quoted {
            Quoted::Single => false,
            Quoted::Double => SIGNS_IN_DOUBLE.contains(sign),
            Quoted::No => SIGNS.contains(sign) || (in_front && SIGNS_IN_FRONT.contains(sign)),
        };
        if has_meaning {
            return Some(sign);
        }
        in_front = quoted == Quoted::No && sign.is_ascii_whitespace();
        quoted = match (quoted, sign) {
            (Quoted::No, '\'') => Quoted::Single,
            (Quoted::No, '"') => Quoted::Double,
            (Quoted::Single, '\'') | (Quoted::Double, '"') => Quoted::No,
            (Quoted::No | Quoted::Double, '\\') => {
                // A line that goes on means something only where a shell reads lines.
                if let Some(line_end @ ('\n' | '\r')) = signs.next() {
                    return Some(line_end);
                }
                quoted
            }
            _ => quoted,
        };
    }
    None
}
