//! Circles among the top modules of a crate, read from the paths that its files name. Knows no crate, and compiles nothing.

use std::collections::{BTreeMap, BTreeSet};

/// What the root of a crate is called here.
const ROOT: &str = "lib";

/// The files of a crate by their paths below `src`, without tests.
pub(crate) type Files = BTreeMap<String, String>;

/// A path as it is written, from where it begins.
type Written = Vec<String>;

/// Who names whom, each top module and the root.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The groups of top modules that name each other, in a circle or in several.
pub(crate) fn circles(files: &Files) -> Vec<BTreeSet<String>> {
    let arrows = arrows(files);
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for module in arrows.keys() {
        let behind = reachable(module, &arrows);
        if !behind.contains(module) || found.iter().any(|circle| circle.contains(module)) {
            continue;
        }
        let leads_back = |other: &&String| reachable(other, &arrows).contains(module);
        found.push(behind.iter().filter(leads_back).cloned().collect());
    }
    found
}

fn reachable(module: &str, arrows: &Arrows) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![module];
    while let Some(next) = open.pop() {
        for named in arrows.get(next).into_iter().flatten() {
            if found.insert(named.clone()) {
                open.push(named);
            }
        }
    }
    found
}

fn arrows(files: &Files) -> Arrows {
    let code: BTreeMap<&String, String> = files.iter().map(|(file, text)| (file, code_of(text))).collect();
    let tops: BTreeSet<String> = files
        .keys()
        .filter_map(|file| module(file).first().cloned())
        .collect();
    let root = code.iter().find(|(file, _)| module(file).is_empty());
    let root = root.map(|(_, code)| code.as_str()).unwrap_or_default();
    let exports = exports(root, &tops);
    let mut arrows = Arrows::new();
    for (file, code) in &code {
        let own = module(file);
        let top = own.first().map_or(ROOT, String::as_str);
        let mut named: BTreeSet<String> = paths(code)
            .into_iter()
            .filter_map(|path| named(path, &own, (&tops, &exports)))
            .collect();
        if own.is_empty() {
            named.extend(used_by_root(code, &tops));
        }
        named.remove(top);
        arrows.entry(top.to_owned()).or_default().extend(named);
    }
    arrows
}

/// The module that a file is: `a/b.rs` is `a::b`, and the root is none.
fn module(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let parts = path.split('/').filter(|part| ![ROOT, "main"].contains(part));
    parts.map(str::to_owned).collect()
}

/// The top module that a path leads to: its own name, the module that the root has the item from, or the root.
fn named(
    path: Written,
    own: &[String],
    (tops, exports): (&BTreeSet<String>, &BTreeMap<String, String>),
) -> Option<String> {
    let mut place: Vec<String> = own.to_vec();
    let mut rest = path.into_iter().peekable();
    while let Some(part) = rest.peek() {
        match part.as_str() {
            "crate" => place.clear(),
            "super" => drop(place.pop()?),
            "self" => {}
            _ => break,
        }
        rest.next();
    }
    place.extend(rest);
    let first = place.first()?;
    if tops.contains(first) {
        return Some(first.clone());
    }
    let from = exports.get(first).cloned();
    Some(from.unwrap_or_else(|| ROOT.to_owned()))
}

/// The items that the root has from its modules.
fn exports(root: &str, tops: &BTreeSet<String>) -> BTreeMap<String, String> {
    let uses = statements(root).flat_map(|(_, tree)| expanded(tree));
    let items = uses.filter_map(|path| {
        let path: Vec<String> = path
            .into_iter()
            .filter(|part| part != "crate" && part != "self")
            .collect();
        let top = path.first().filter(|top| tops.contains(*top))?.clone();
        Some((path.last()?.clone(), top))
    });
    items.filter(|(item, top)| item != top).collect()
}

/// The modules that the root uses for items of its own: all that it names but to pass it on.
fn used_by_root(root: &str, tops: &BTreeSet<String>) -> Vec<String> {
    let mut own = root.to_owned();
    for (statement, _) in statements(root).filter(|(statement, _)| statement.starts_with("pub")) {
        own = own.replace(statement, "");
    }
    let is_used = |top: &&String| {
        let path = format!("{top}::");
        let mut begins = own.match_indices(&path);
        begins.any(|(at, _)| !own[..at].ends_with(|c: char| is_of_name(c) || c == ':'))
    };
    tops.iter().filter(is_used).cloned().collect()
}

/// The `use` statements, each with its visibility, and what each uses.
fn statements(code: &str) -> impl Iterator<Item = (&str, &str)> {
    code.split_inclusive([';', '}'])
        .scan(0, |at, piece| {
            let begin = *at;
            *at += piece.len();
            Some((begin, piece))
        })
        .filter_map(move |(begin, piece)| {
            let indent = piece.len() - piece.trim_start().len();
            let statement = &code[begin + indent..];
            let behind =
                statement
                    .strip_prefix("pub")
                    .map_or(statement, |rest| match rest.strip_prefix('(') {
                        Some(narrow) => narrow.split_once(')').map_or(rest, |(_, rest)| rest),
                        None => rest,
                    });
            let tree = behind.trim_start().strip_prefix("use ")?;
            let end = tree.find(';')?;
            let whole = statement.len() - tree.len() + end + 1;
            Some((&statement[..whole], &tree[..end]))
        })
}

/// All paths of a text that begin at the crate, at the module above or at their own module.
fn paths(code: &str) -> Vec<Written> {
    let mut found = Vec::new();
    for begin in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(begin) {
            let is_inside = code[..at].ends_with(|c: char| is_of_name(c) || c == ':');
            if !is_inside {
                found.extend(expanded(&code[at..]));
            }
        }
    }
    found
}

/// The paths of a tree such as `a::{b, c::d}`, which ends where no path goes on.
fn expanded(tree: &str) -> Vec<Written> {
    let tree = tree.trim_start();
    let end = tree.find(|c: char| !is_of_name(c)).unwrap_or(tree.len());
    let (name, rest) = tree.split_at(end);
    let behind = match rest.strip_prefix("::") {
        Some(group) if group.starts_with('{') => {
            branches(&group[1..]).into_iter().flat_map(expanded).collect()
        }
        Some(more) => expanded(more),
        None => vec![Vec::new()],
    };
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    behind
        .into_iter()
        .map(|path| name.clone().into_iter().chain(path).collect())
        .collect()
}

/// What stands between the commas of a group, up to its end.
fn branches(group: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut found) = (0_usize, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                found.push(&group[begin..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&group[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A text without comments and without the module of its tests, which stands last.
fn code_of(text: &str) -> String {
    let tests = text.find("#[cfg(test)]\nmod tests {");
    let text = &text[..tests.unwrap_or(text.len())];
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{Files, circles};

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let files: Files = files
            .iter()
            .map(|(file, text)| ((*file).to_owned(), (*text).to_owned()))
            .collect();
        let circles = circles(&files).into_iter();
        circles.map(|circle| circle.into_iter().collect()).collect()
    }

    #[test]
    fn a_circle_through_super_is_found() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
            ("a.rs", "use super::b::Thing;\n"),
            ("b.rs", "mod inner;\n"),
            ("b/inner.rs", "use super::super::a::Other;\n"),
            ("c.rs", "use crate::{a::Other, b};\n"),
        ];
        assert_eq!(found(&files), [["a", "b"]]);
    }

    #[test]
    fn a_circle_through_what_the_root_passes_on_is_found() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\npub use a::{One, deep::Two};\n"),
            ("a.rs", "fn f() { crate::b::g() }\n"),
            ("b.rs", "use crate::Two;\n"),
        ];
        assert_eq!(found(&files), [["a", "b"]]);
    }

    #[test]
    fn a_circle_through_items_of_the_root_is_found() {
        let files = [
            ("lib.rs", "mod a;\nuse a::One;\npub struct Own(One);\n"),
            ("a.rs", "use super::{Own, self as root};\n"),
        ];
        assert_eq!(found(&files), [["a", "lib"]]);
    }

    #[test]
    fn where_all_arrows_go_down_there_is_none() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\npub use a::One;\n"),
            (
                "a.rs",
                "// crate::b would be wrong.\nuse self::inner::X;\nmod inner;\n",
            ),
            ("a/inner.rs", "use super::One;\n"),
            (
                "b.rs",
                "use crate::One;\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n",
            ),
        ];
        assert_eq!(found(&files), Vec::<Vec<String>>::new());
    }
}
