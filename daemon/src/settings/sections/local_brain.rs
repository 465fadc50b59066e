//! `[local_brain]` and `[models]`: the model that runs on this machine, and where models are kept.

use std::path::PathBuf;

use loquat_settings::{choice, section};

choice! {
    /// How far the process of the model gives its rights up.
    Sandbox {
        /// Entirely, or it does not start.
        Required = "required",
        /// As far as the kernel can.
        BestEffort = "best-effort",
        /// Not at all.
        Off = "off",
    }
}

section! {
    /// The language model that runs on this machine, in a process of its own.
    "local_brain" LocalBrain {
        /// The model: "auto", a name that `loquat models` lists, or the path of a GGUF file. With "auto" it is, of those that
        /// are installed and that memory allows, the largest that answers a request with one tool within `answer_seconds` on
        /// this machine, which is measured once; `loquat check` says which and why.
        model: String = "auto".to_owned();
        /// How long a request that one tool answers may take with a model that "auto" chooses.
        answer_seconds: f64 = 3.0 => 0.5..=120.0;
        /// The program that runs it.
        /// Absent: loquat-local-brain beside loquat, else the one on the search path.
        program: Option<PathBuf> = None, eg "/usr/libexec/loquat-local-brain";
        /// Tokens of prompt and reply that the model can hold at once.
        /// More costs memory: about 12 KiB a token for the smallest model.
        context_tokens: u32 = 4096 => 512..=131_072;
        /// How many conversations are kept in memory beside the one that the model is in, so that turning back to one
        /// costs no reading: those of other personas, languages and sessions, and an engine's several ways to ask.
        /// Each costs as much memory as its tokens in the window, and all together no more than two windows.
        earlier_conversations: u16 = 3 => 0..=64;
        /// Whether instructions that the model has read are kept in the state folder, in as many files of some 10 to 50 MB.
        /// Without them the first question after each start waits until they are read: on a small board for a minute.
        keep_instructions: bool = true;
        /// Threads of the model.
        /// Absent: the number of processors, four at most.
        threads: Option<u16> = None => 1..=64, eg 2;
        /// Whether what a request guesses of its reply is read with the end of the prompt: quicker, and checked.
        guessed_tokens: bool = true;
        /// Whether tokens that the form of a reply leaves no choice of are read together instead of one after the other.
        forced_tokens: bool = true;
        /// How far the process of the model gives its rights up before it reads the model: then it can open no file but the
        /// model and the kept instructions, no network connection and no program.
        /// "best-effort" (as far as the kernel can, with a warning), "required" (else it does not start) or "off". With
        /// "off" a model file that is made to attack llama.cpp has all rights that Loquat has.
        sandbox: Sandbox = Sandbox::BestEffort;
        /// After how many seconds without a question the model leaves the memory; 0 keeps it.
        /// The next question then waits until it is loaded again.
        idle_stop_seconds: u32 = 600 => 0..=604_800;
    }
}

section! {
    /// Models for hearing and thinking.
    "models" Models {
        /// The folder they are kept in.
        /// Absent: loquat/models in the XDG data folder, else models in the state folder.
        folder: Option<PathBuf> = None, eg "/var/lib/loquat/models";
        /// A mirror of the model hub, which `loquat models fetch` asks before the hub itself: a folder, or the address of a
        /// web server, with files at OWNER/REPO/resolve/REVISION/FILE as on huggingface.co.
        /// Absent: the hub alone.
        mirror: Option<String> = None, eg "/media/usb/models";
        /// A file with a token of the model hub, for models that are given to those who are logged in. It is told the hub alone.
        /// Absent: the credential of `token_credential`, if systemd passes it.
        token_file: Option<PathBuf> = None, eg "/etc/loquat/hub.token";
        /// The systemd credential that holds that token.
        token_credential: String = "model_hub".to_owned();
    }
}
