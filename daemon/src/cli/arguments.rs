//! What may be typed behind `loquat`. Holds no logic.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use loquat_part::question::Addressee;
use loquat_skills::permission::Service;

use super::of_part::Typed;

/// A private voice assistant for OpenVoiceOS devices and any Linux machine.
#[derive(Debug, Parser)]
#[command(name = "loquat", version, about, arg_required_else_help = true)]
pub struct Arguments {
    /// Print JSON instead of text for people.
    #[arg(long, global = true)]
    pub json: bool,
    /// Override a setting, as in --set bus.port=8182; may be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE", global = true)]
    pub overrides: Vec<String>,
    /// What to do.
    #[command(subcommand)]
    pub command: Typed,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the daemon: join the bus or bring one, listen, answer.
    Run,
    /// Ask for language, place, units, persona, wake word and Home Assistant, try loudspeaker and microphone, and write the
    /// answers into loquat.toml.
    Setup,
    /// Ask one question and print the answer, or chat line by line.
    Ask(Ask),
    /// Turn speech into a question and print the answer.
    Listen(Listen),
    /// List the sentences that this device understands without a language model.
    Sentences {
        /// Show all forms of what one of these words is in: a skill, an intent, or a sentence. Without one, a form of each.
        words: Vec<String>,
        /// Language of the sentences, as in de-DE; the device's own if absent.
        #[arg(long)]
        lang: Option<String>,
    },
    /// Say a text through whatever speaks on this device.
    Say {
        /// The text.
        #[arg(required = true, num_args = 1..)]
        text: Vec<String>,
    },
    /// Check settings, place, bus, personas, models, voice and microphone; say what is missing and how to mend it.
    Check,
    /// Have the running daemon read settings, personas and sentences again.
    Reload,
    /// List the personas.
    Personas,
    /// List, fetch, time, verify or remove models.
    Models {
        /// What to do with them.
        #[command(subcommand)]
        command: Option<Models>,
    },
    /// List the services outside of this device, and whether it may ask them; or change that.
    Network {
        /// What to change.
        #[command(subcommand)]
        command: Option<NetworkCommand>,
    },
    /// List, search or forget what you had it remember.
    Memory {
        /// What to do with it.
        #[command(subcommand)]
        command: Option<Memories>,
    },
    /// List the latest answers, or show how one came about; no model and no tool runs again.
    Replay(Replay),
    /// List the tools, or call one.
    Tools {
        /// What to do with them.
        #[command(subcommand)]
        command: Option<Tools>,
    },
    /// Show, set or clear the emergency stop of the running daemon.
    EmergencyStop {
        /// What to do with it.
        #[arg(value_enum)]
        order: Option<EmergencyStop>,
    },
    /// Make a PIN for the most dangerous tools: reads it twice and prints the line for loquat.toml.
    Pin,
    /// Show what a persona's model is sent for a question, or list the prompts.
    Prompts {
        /// What to do with them.
        #[command(subcommand)]
        command: Option<Prompts>,
    },
    /// Serve the tools and personas of the running daemon to an MCP client, over standard input and output.
    Mcp {
        /// What else to do about MCP.
        #[command(subcommand)]
        command: Option<Mcp>,
    },
    /// Run a message bus and nothing else, in the place of ovos-messagebus.
    Bus,
    /// Write the man pages and the completions of shells into a folder, for those who package Loquat.
    #[command(hide = true)]
    Papers {
        /// The folder; `man1` and `completions` are made in it.
        folder: PathBuf,
    },
}

/// What to change about a service outside of this device.
#[derive(Debug, Clone, Copy, Subcommand)]
pub enum NetworkCommand {
    /// Allow a service from now on.
    Allow {
        /// The service, as in wikipedia.
        service: Service,
    },
    /// Refuse a service, without asking you again.
    Deny {
        /// The service, as in wikipedia.
        service: Service,
    },
    /// Ask you before a service is asked the next time.
    Ask {
        /// The service, as in wikipedia.
        service: Service,
    },
}

/// What to do about MCP.
#[derive(Debug, Subcommand)]
pub enum Mcp {
    /// Serve MCP clients; without a port one, over standard input and output.
    Serve {
        /// Serve over HTTP at this port of 127.0.0.1 instead.
        #[arg(long, requires = "token_file")]
        port: Option<u16>,
        /// The file whose first line is the token that clients have to send.
        #[arg(long, requires = "port")]
        token_file: Option<PathBuf>,
    },
    /// Allow the tools of a server as they are now, after they have changed. Counts from the daemon's next start.
    Accept {
        /// The server, as in [mcp.servers.NAME].
        server: String,
    },
}

/// What a script can tell by the exit code of `loquat ask`.
const ASK_EXITS: &str = "\
Exit codes:
  0   somebody answered
  1   nobody had an answer: no such persona, a model that is missing or failed, or it was stopped
  64  the command line is wrong
  69  nobody is there to be asked, or the bus went away
  75  it took too long
  77  it was not allowed: you said no, or the emergency stop is set
  78  the settings are wrong";

/// `loquat ask`.
#[derive(Debug, Args)]
#[command(after_help = ASK_EXITS)]
pub struct Ask {
    /// The question; without one, each line that is typed is a question, until Ctrl-D.
    #[arg(num_args = 0..)]
    pub question: Vec<String>,
    /// To whom.
    #[command(flatten)]
    pub addressee: Addressee,
}

/// `loquat listen`.
#[derive(Debug, Args)]
pub struct Listen {
    /// A WAV file; the microphone if absent.
    pub file: Option<PathBuf>,
    /// Print what was heard and ask no persona.
    #[arg(long)]
    pub transcribe_only: bool,
    /// List the microphones and how each stands, and listen to none.
    #[arg(long, conflicts_with_all = ["file", "transcribe_only", "watch"])]
    pub devices: bool,
    /// Show what the microphone hears, its speech, wake word and text, until stopped; ask no persona.
    #[arg(long, conflicts_with_all = ["file", "transcribe_only"])]
    pub watch: bool,
    /// To whom.
    #[command(flatten)]
    pub addressee: Addressee,
}

/// `loquat replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// The beginning of the turn's id, or "last"; the newest turns are listed if absent.
    pub turn: Option<String>,
    /// How many turns are listed.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub most: u32,
}

/// `loquat tools`.
#[derive(Debug, Subcommand)]
pub enum Tools {
    /// List our tools and those that the bus offers.
    List,
    /// Call a tool.
    Call {
        /// The tool, as NAME or TOOLBOX/NAME.
        tool: String,
        /// The arguments, a JSON object.
        #[arg(default_value = "{}")]
        arguments: String,
    },
}

/// `loquat prompts`.
#[derive(Debug, Subcommand)]
pub enum Prompts {
    /// List the prompts that a persona may have words of its own for.
    List,
    /// Print a prompt, or exactly what the persona's model is sent first for a question.
    Show {
        /// The name of a prompt, or a question.
        #[arg(required = true, num_args = 1..)]
        what: Vec<String>,
        /// Whose prompt, or whose model; the default persona if absent.
        #[arg(long)]
        persona: Option<String>,
        /// Language of the question, as in de-DE.
        #[arg(long)]
        lang: Option<String>,
    },
}

/// `loquat memory`.
#[derive(Debug, Subcommand)]
pub enum Memories {
    /// List everything.
    List,
    /// List what holds one of these words.
    Search {
        /// The words.
        #[arg(required = true, num_args = 1..)]
        words: Vec<String>,
    },
    /// Forget some of it, or everything.
    Forget {
        /// The ids, as `loquat memory` lists them.
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        ids: Vec<String>,
        /// Everything, and what was said last in each session; the daemon must not run.
        #[arg(long)]
        all: bool,
    },
}

/// `loquat emergency-stop`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EmergencyStop {
    /// Think nothing and run no tool until it is cleared.
    Set,
    /// Let everything go on.
    Clear,
}

/// `loquat models`.
#[derive(Debug, Subcommand)]
pub enum Models {
    /// List the catalogue, what is installed, and what is offered on the model hub.
    List,
    /// Fetch models; those that `loquat run` needs on this machine if none is named.
    Fetch {
        /// Names from the list; addresses on the model hub as hf:OWNER/REPO/FILE.gguf, with @REVISION behind if it is not the
        /// newest; GGUF files, or folders of them.
        names: Vec<String>,
        /// A licence that forbids commercial use, and that you have read and may use; may be given several times.
        #[arg(long, value_name = "LICENCE")]
        accept_licence: Vec<String>,
    },
    /// Time language models on this machine: tokens read and written in a second.
    Time {
        /// Names from the list, or paths; all installed ones if absent.
        names: Vec<String>,
    },
    /// Compare installed models with their checksums.
    Verify {
        /// Names from the list; all installed ones if absent.
        names: Vec<String>,
    },
    /// Remove models.
    Remove {
        /// Names from the list.
        #[arg(required = true)]
        names: Vec<String>,
    },
}
