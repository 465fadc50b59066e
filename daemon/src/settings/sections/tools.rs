//! `[skills]`, `[tools]` and `[log]`: what is understood without a model, what others may call, and what is written down.

use crate::settings::form::choice;
use crate::settings::section::section;

choice! {
    /// How log lines look.
    LogFormat {
        /// For people on a terminal, short lines for journald otherwise.
        Auto = "auto",
        /// For people.
        Text = "text",
        /// One JSON object a line.
        Json = "json",
    }
}

choice! {
    /// When sentences are answered without a model.
    Sentences {
        /// Where no other program orchestrates.
        Alone = "alone",
        /// Beside ovos-core too, with which they are registered.
        Always = "always",
        /// Not at all.
        Never = "never",
    }
}

section! {
    /// The skills that Loquat brings.
    "skills" Skills {
        /// Whether what a skill understands is answered without a model: "alone" is where there is no ovos-core,
        /// "always" registers the sentences with it too, "never" leaves all to the personas.
        intents: Sentences = Sentences::Alone;
    }
}

section! {
    /// Tools on the bus.
    "tools" Tools {
        /// Ids of the toolboxes that anybody on the bus may find and call.
        /// The bus knows no rights: offer nothing that may do harm.
        expose: Vec<String> = vec!["ovos-clock-tools".to_owned(), "ovos-math-tools".to_owned(), "loquat-alert-tools".to_owned()];
        /// How long a toolbox elsewhere on the bus is waited for, in seconds.
        bus_timeout_seconds: f64 = 10.0 => 0.1..=3600;
        /// How long a toolbox that did not answer three times in a row is left alone, in seconds.
        outage_seconds: f64 = 30.0 => 0.1..=3600;
    }
}

section! {
    /// The log.
    "log" Log {
        /// What is logged: error, warn, info, debug, trace, or directives such as `info,loquat_bus=debug`.
        /// With trace the log holds what people say.
        filter: String = "info".to_owned();
        /// "auto", "text" or "json".
        format: LogFormat = LogFormat::Auto;
    }
}
