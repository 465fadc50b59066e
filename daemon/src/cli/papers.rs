//! `loquat papers`: man pages and completions of shells, made of what the command line knows of itself, so that they cannot
//! fall behind it. Never writes outside the folder that it is given.

mod programs;

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;

use super::{Arguments, Exit, Output};

/// Carries out `loquat papers`.
pub(super) fn run(folder: &Path, output: Output) -> Result<Exit> {
    let pages = man_pages(&folder.join("man1"))?;
    let completions = completions(&folder.join("completions"))?;
    output.line(format!(
        "{pages} man pages and {completions} completions are in {}.",
        folder.display()
    ));
    output.value(&json!({"man_pages": pages, "completions": completions}));
    Ok(Exit::Ok)
}

/// Writes one page for `loquat`, one for each command that is shown, and one for each program that `loquat`
/// runs.
fn man_pages(folder: &Path) -> Result<usize> {
    made(folder)?;
    let own = Arguments::command().disable_help_subcommand(true);
    for command in std::iter::once(own).chain(programs::all()) {
        clap_mangen::generate_to(command, folder)
            .with_context(|| format!("failed to write man pages into {}", folder.display()))?;
    }
    Ok(fs::read_dir(folder)?.count())
}

fn completions(folder: &Path) -> Result<usize> {
    made(folder)?;
    let shells = [Shell::Bash, Shell::Zsh, Shell::Fish];
    for shell in shells {
        clap_complete::generate_to(shell, &mut Arguments::command(), "loquat", folder).with_context(
            || {
                format!(
                    "failed to write the completions of {shell} into {}",
                    folder.display()
                )
            },
        )?;
    }
    Ok(shells.len())
}

fn made(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("failed to make the folder {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_is_shown_has_a_page_and_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        run(folder.path(), Output::new(true)).unwrap();
        let bash = fs::read_to_string(folder.path().join("completions/loquat.bash")).unwrap();
        let shown = Arguments::command();
        let shown = shown.get_subcommands().filter(|command| !command.is_hide_set());
        let names: Vec<_> = shown.map(|command| command.get_name().to_owned()).collect();
        assert!(names.iter().any(|name| name == "ask"));
        for name in names {
            let page = folder.path().join(format!("man1/loquat-{name}.1"));
            assert!(
                fs::read_to_string(&page).unwrap().contains("SYNOPSIS"),
                "{}",
                page.display()
            );
            assert!(bash.contains(&name), "{name} is not completed");
        }
        assert!(!folder.path().join("man1/loquat-papers.1").exists());
        for (program, word) in [("bus", "bus"), ("local-brain", "GGUF"), ("confine", "ARGUMENT")] {
            let page = folder.path().join(format!("man1/loquat-{program}.1"));
            let text = fs::read_to_string(&page).unwrap();
            assert!(text.contains("SYNOPSIS") && text.contains(word), "{text}");
        }
    }
}
