//! The command line. Never reads the environment.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;
use clap::error::ErrorKind;
use loquat_kernels::Kernel;

use crate::cores;
use crate::failure::Failure;
use crate::model::Ahead;
use crate::sandbox::Sandbox;

/// Serves one GGUF model in the OpenAI shape on a Unix socket, until its standard input ends or it is told to stop.
#[derive(Debug, Parser)]
#[command(name = "loquat-local-brain", version)]
pub(crate) struct Arguments {
    /// The model, a GGUF file.
    #[arg(long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// Where to listen; made for the owner only and removed at the end.
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: PathBuf,
    /// The window, in tokens; the model's own when that is smaller.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(256..=1_048_576))]
    pub(crate) context: u32,
    /// How many conversations are kept in memory beside the one in the window, so that they need not be read again.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(0..=64))]
    pub(crate) earlier: u16,
    /// A folder in which instructions that were read are kept for the next run; absent: nowhere.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) instructions: Option<PathBuf>,
    /// How far the program gives its rights up before it reads the model.
    #[arg(long, value_enum, default_value_t = Sandbox::BestEffort)]
    pub(crate) sandbox: Sandbox,
    /// Threads that compute [default: the physical cores, at most 4].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=256))]
    threads: Option<i32>,
    /// What computes [default: the fastest kernel that this processor can run].
    #[arg(long, value_name = "NAME")]
    kernel: Option<Kernel>,
    /// Do not read what a request guesses of its reply with the end of the prompt.
    #[arg(long)]
    no_guesses: bool,
    /// Draw each token, also where the schema leaves no choice.
    #[arg(long)]
    no_forced: bool,
}

/// The order of the command line.
#[derive(Debug)]
pub(crate) enum Asked {
    /// The program is to serve.
    Serve(Arguments),
    /// The program is to print this text, such as the help.
    Print(String),
}

impl Arguments {
    /// Reads the command line, the program's name first.
    ///
    /// # Errors
    /// [`Failure::Usage`] when it is wrong.
    pub(crate) fn read(line: impl IntoIterator<Item = OsString>) -> Result<Asked, Failure> {
        match Self::try_parse_from(line) {
            Ok(arguments) => Ok(Asked::Serve(arguments)),
            Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
                Ok(Asked::Print(error.to_string()))
            }
            Err(error) => Err(Failure::Usage(in_one_line(&error.to_string()))),
        }
    }

    /// Threads to compute with.
    ///
    /// Two threads of one core share its arithmetic, and above four cores memory is what a small model waits for.
    pub(crate) fn threads(&self) -> i32 {
        self.threads
            .unwrap_or_else(|| i32::try_from(cores::physical().min(4)).unwrap_or(1))
    }

    pub(crate) fn ahead(&self) -> Ahead {
        Ahead {
            guesses: !self.no_guesses,
            forced: !self.no_forced,
        }
    }

    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel.unwrap_or_else(Kernel::best)
    }
}

/// Brings clap's error into one line, without its heading and usage.
fn in_one_line(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let text = text.split("\n\n").next().unwrap_or(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &[&str]) -> Result<Asked, Failure> {
        Arguments::read(
            std::iter::once("loquat-local-brain")
                .chain(line.iter().copied())
                .map(OsString::from),
        )
    }

    #[test]
    fn the_usual_settings_are_those_of_a_small_machine() {
        let Ok(Asked::Serve(arguments)) = read(&["--model", "m.gguf", "--socket", "s"]) else {
            panic!("it should serve");
        };
        assert_eq!(arguments.context, 4096);
        assert!((1..=4).contains(&arguments.threads()));
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line() {
        for (line, part) in [
            (
                vec![],
                "required arguments were not provided: --model <FILE> --socket <PATH>",
            ),
            (
                vec!["--model", "m", "--socket", "s", "--context", "10"],
                "10 is not in 256..=1048576",
            ),
            (
                vec!["--model", "m", "--socket", "s", "--threads", "0"],
                "0 is not in 1..=256",
            ),
            (
                vec!["--model", "m", "--socket", "s", "--kernel", "abacus"],
                "this processor runs ",
            ),
            (vec!["--modle", "m"], "unexpected argument '--modle' found"),
        ] {
            let text = read(&line).unwrap_err().to_string();
            assert!(text.contains(part), "{text}");
            assert!(!text.contains('\n'), "{text}");
        }
    }

    #[test]
    fn help_is_no_failure() {
        assert!(matches!(read(&["--help"]), Ok(Asked::Print(text)) if text.contains("--socket <PATH>")));
    }
}
