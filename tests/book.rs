//! The book and the pages beside it: every chapter is listed, every link leads somewhere, and every `make` target that is
//! named exists. Needs no mdbook, and never asks the network.
#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the pages of the repository are on the web; in the book they are linked so, since it lies elsewhere.
const ON_THE_WEB: [&str; 2] = [
    "https://github.com/loquat-voice/loquat/blob/main/",
    "https://github.com/loquat-voice/loquat/tree/main/",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

fn book() -> PathBuf {
    root().join("daemon/book/src")
}

/// Every Markdown page that people read: the book, and the pages beside the code.
fn pages() -> Vec<PathBuf> {
    let mut found = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
        .map(|name| root().join(name))
        .to_vec();
    for folder in ["daemon", "skills", "personas", "systemd", "tests"] {
        gather(&root().join(folder), &mut found);
    }
    assert!(found.len() > 20, "only {found:?}");
    found
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                gather(&path, found);
            }
        } else if name == "README.md" || path.starts_with(book()) || name.chars().all(|c| !c.is_lowercase()) {
            found.extend(
                path.extension()
                    .is_some_and(|extension| extension == "md")
                    .then_some(path),
            );
        }
    }
}

/// A page without what stands in fences of code.
fn prose(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let mut is_code = false;
    let kept = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// What stands between `](` and `)`.
fn links(text: &str) -> Vec<String> {
    let after = text.split("](").skip(1);
    after
        .filter_map(|rest| rest.split(')').next())
        .map(|link| link.trim_matches(['<', '>']).to_owned())
        .collect()
}

/// The anchors of a page's headings, as GitHub and mdbook make them.
fn anchors(path: &Path) -> BTreeSet<String> {
    let text = prose(path);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let said = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = said
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// Why a link leads nowhere.
fn complaint(page: &Path, link: &str) -> Option<String> {
    let inside = ON_THE_WEB.iter().find_map(|web| link.strip_prefix(web));
    let (link, from) = match inside {
        Some(inside) => (inside, root()),
        None if link.contains("://") || link.starts_with("mailto:") => return None,
        None => (link, page.parent()?.to_owned()),
    };
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        page.to_owned()
    } else {
        from.join(file)
    };
    if !target.exists() {
        return Some(format!("{} links to {file}, which is not there", page.display()));
    }
    let is_missing = !anchor.is_empty() && target.is_file() && !anchors(&target).contains(anchor);
    is_missing.then(|| format!("{} links to #{anchor} of {file}, which has none", page.display()))
}

#[test]
fn every_link_leads_somewhere() {
    let mut complaints = Vec::new();
    let mut count = 0;
    for page in pages() {
        for link in links(&prose(&page)) {
            count += 1;
            complaints.extend(complaint(&page, &link));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(count > 50, "only {count} links");
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let page = book().join("introduction.md");
    for link in [
        "nowhere.md",
        "privacy.md#nothing-such",
        "https://github.com/loquat-voice/loquat/blob/main/nowhere.md",
    ] {
        assert!(complaint(&page, link).is_some(), "{link}");
    }
    assert_eq!(complaint(&page, "privacy.md#keys"), None);
}

/// The fences that name a file behind their language, with what stands in them.
fn shown_files(text: &str) -> Vec<(String, String)> {
    let mut shown: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if let Some(fence) = line.strip_prefix("```") {
            let file = fence.split_once(' ').map(|(_, file)| file.to_owned());
            is_open = file.is_some();
            shown.extend(file.map(|file| (file, String::new())));
        } else if let Some((_, code)) = shown.last_mut().filter(|_| is_open) {
            code.push_str(line);
            code.push('\n');
        }
    }
    shown
}

#[test]
fn code_that_the_book_shows_whole_is_that_of_its_file() {
    let mut count = 0;
    for page in pages() {
        for (file, code) in shown_files(&fs::read_to_string(&page).unwrap()) {
            let there = fs::read_to_string(root().join(&file)).unwrap_or_default();
            assert_eq!(there, code, "{} shows another {file}", page.display());
            count += 1;
        }
    }
    assert!(count >= 3, "only {count} files are shown");
}

#[test]
fn the_summary_lists_every_chapter_once() {
    let listed = links(&fs::read_to_string(book().join("SUMMARY.md")).unwrap());
    let there = fs::read_dir(book())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "SUMMARY.md" && name != "pictures");
    let there: BTreeSet<String> = there.collect();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), there);
    assert_eq!(listed.len(), there.len(), "a chapter is listed twice: {listed:?}");
}

#[test]
fn every_make_target_that_is_named_exists() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let targets: BTreeSet<&str> = makefile
        .lines()
        .filter(|line| !line.starts_with(['\t', '#', ' ']) && !line.contains(":="))
        .filter_map(|line| line.split_once(':').map(|(name, _)| name))
        .collect();
    let mut count = 0;
    // What can be said may begin with that word, too.
    let is_said = |page: &PathBuf| {
        page.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("say-"))
    };
    for page in pages().into_iter().filter(|page| !is_said(page)) {
        let text = fs::read_to_string(&page).unwrap();
        for named in text.split("`make ").skip(1) {
            let is_name = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
            let name: String = named.chars().take_while(is_name).collect();
            // "`make bench-*`" stands for several.
            let is_known = targets.contains(name.as_str())
                || (name.ends_with('-') && targets.iter().any(|target| target.starts_with(&name)));
            assert!(
                name.is_empty() || is_known,
                "{}: there is no `make {name}`",
                page.display()
            );
            count += 1;
        }
    }
    assert!(count > 20, "only {count} targets are named");
}
