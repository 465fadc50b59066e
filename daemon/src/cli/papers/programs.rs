//! What the man pages of the programs beside `loquat` are made of. That of `loquat-bus` is the page of `loquat bus`.
//!
//! They read no arguments: each program does that by itself, and the tests see to it that both know the same ones.

use clap::{Arg, ArgAction, Command};

/// Describes all programs that have a page of their own.
pub(super) fn all() -> [Command; 2] {
    [local_brain(), confine()]
}

fn program(name: &'static str) -> Command {
    Command::new(name).version(env!("CARGO_PKG_VERSION"))
}

fn local_brain() -> Command {
    program("loquat-local-brain")
        .about(
            "Serve one GGUF model in the OpenAI shape on a Unix socket, until its standard input ends or it is told to stop",
        )
        .long_about(
            "Loquat starts it with what local_brain of loquat.toml says, so nothing has to be run by hand. Before it reads \
             the model it leaves itself the model, its socket and its folder of instructions.",
        )
        .arg(option("model", "FILE", "The model, a GGUF file").required(true))
        .arg(option("socket", "PATH", "Where to listen; made for the owner only").required(true))
        .arg(option("context", "N", "The window, in tokens"))
        .arg(option("earlier", "N", "Conversations that are kept in memory beside the one in the window"))
        .arg(option("instructions", "FOLDER", "Where instructions that were read are kept for the next run"))
        .arg(option("sandbox", "HOW", "How far it gives its rights up: required, best-effort or off"))
        .arg(option("threads", "N", "Threads that compute"))
        .arg(option("kernel", "NAME", "What computes; else the fastest that this processor can run"))
        .arg(switch("no-guesses", "Do not read what a request guesses of its reply with the end of the prompt"))
        .arg(switch("no-forced", "Draw each token, also where the schema leaves no choice"))
}

fn confine() -> Command {
    program("loquat-confine")
        .about("Run one command that opens the system's programs and the files beneath a folder, without a network")
        .long_about(
            "Loquat runs commands of its shell tools through it. It gives its rights up for good (Landlock, seccomp, limits) \
             and becomes the command. Where the kernel does not take them entirely, nothing is run and the exit code is 125.",
        )
        .arg(operand("root", "ROOT", "The folder beneath which files can be opened"))
        .arg(operand("access", "read|write", "Whether files there can be written, too"))
        .arg(operand("folder", "FOLDER", "Where the command begins, beneath ROOT"))
        .arg(operand("seconds", "SECONDS", "How long it may compute"))
        .arg(operand("program", "PROGRAM", "The command"))
        .arg(
            Arg::new("argument")
                .value_name("ARGUMENT")
                .help("What it is given")
                .num_args(0..)
                .trailing_var_arg(true),
        )
}

fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

fn operand(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).value_name(value).help(help).required(true)
}

#[cfg(test)]
mod tests {
    use clap::builder::Str;

    use super::*;

    /// The command line of the local brain, which is a program of its own.
    const LOCAL_BRAIN: &str = include_str!("../../../crates/local-brain/src/arguments.rs");

    /// The usage of the confining program.
    const CONFINE: &str = include_str!("../../../../skills/src/bin/loquat-confine/main.rs");

    #[test]
    fn the_page_of_the_local_brain_has_the_options_of_the_program() {
        let lines: Vec<&str> = LOCAL_BRAIN.lines().map(str::trim).collect();
        let fields = lines
            .windows(2)
            .filter(|pair| pair[0].starts_with("#[arg(long"))
            .filter_map(|pair| pair[1].trim_start_matches("pub(crate) ").split(':').next());
        let options: Vec<String> = fields.map(|field| field.replace('_', "-")).collect();
        assert!(options.contains(&"model".to_owned()), "{options:?}");
        let command = local_brain();
        let told: Vec<&str> = command.get_arguments().filter_map(Arg::get_long).collect();
        assert_eq!(told, options);
    }

    #[test]
    fn the_page_of_the_confining_program_has_its_operands() {
        let command = confine();
        let names = command.get_arguments().filter_map(Arg::get_value_names);
        let told: Vec<&str> = names.flatten().map(Str::as_str).collect();
        let (last, needed) = told.split_last().unwrap();
        let usage = format!("usage: loquat-confine {} [{last}...]", needed.join(" "));
        assert!(CONFINE.contains(&usage), "{usage}");
    }
}
