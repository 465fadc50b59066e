//! `[skills]`, `[tools]` and `[log]`: what is understood without a model, what others may call, and what is written down.

use loquat_settings::{choice, section};

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

/// Of ours, those whose tools do no harm, whatever program calls them; a tool that asks first is never offered.
const EXPOSED: [&str; 10] = [
    "ovos-clock-tools",
    "ovos-math-tools",
    "loquat-alert-tools",
    "loquat-list-tools",
    "loquat-memory-tools",
    "loquat-weather-tools",
    "ovos-web-search-tools",
    "ovos-wikipedia-tools",
    "ovos-wiktionary-tools",
    "ovos-wikidata-tools",
];

section! {
    /// What persons have had remembered.
    "memory" Memory {
        /// Of what is remembered, what shares a word with a question stands before the brain, in no more than so many
        /// tokens; 0 is nothing.
        brought_tokens: u32 = 120 => 0..=4000;
        /// Whether the device, looking back on a conversation while all are silent, also notes what is likely to last.
        notes_conversations: bool = true;
    }
}

section! {
    /// The weather service. Where the device is, mycroft.conf says.
    "weather" Weather {
        /// The server of forecasts: Open-Meteo, or one of your own that answers as it does.
        /// It is told the place that is asked about, rounded to a kilometre.
        url: String = "https://api.open-meteo.com".to_owned();
        /// The server that knows where places are.
        geocoding_url: String = "https://geocoding-api.open-meteo.com".to_owned();
    }
}

section! {
    /// Where the web is searched, and what is known is looked up.
    "web" Web {
        /// The address of a `SearXNG` server that answers in JSON (`search.formats`).
        /// Absent: Wikipedia alone is searched.
        search_url: Option<String> = None, eg "https://search.example.org";
        /// Wikipedia, or a mirror; {lang} is the language.
        wikipedia_url: String = "https://{lang}.wikipedia.org".to_owned();
        /// Wiktionary, or a mirror; {lang} is the language.
        wiktionary_url: String = "https://{lang}.wiktionary.org".to_owned();
        /// Wikidata, or a mirror.
        wikidata_url: String = "https://www.wikidata.org".to_owned();
        /// How the owner of this device can be reached, for the servers that are asked: most wish to know.
        /// Absent: nothing is told.
        contact: Option<String> = None, eg "me@example.org";
    }
}

section! {
    /// The media players of this device.
    "players" Players {
        /// Whether they pause while the device listens or speaks. Those that paused play again afterwards.
        give_way: bool = true;
    }
}

section! {
    /// The notifications that programs of the desktop show.
    "notifications" Notifications {
        /// Whether they are heard and kept in memory, the last 32, to be read aloud when a person asks. All who speak to the
        /// device can have them read.
        keep: bool = false;
    }
}

section! {
    /// Tools on the bus.
    "tools" Tools {
        /// Ids of the toolboxes that anybody on the bus may find and call.
        /// The bus knows no rights: offer nothing that may do harm.
        expose: Vec<String> = EXPOSED.map(str::to_owned).to_vec();
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
