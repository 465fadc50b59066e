//! `[desk]`: who answers an utterance. `[rest]` stands beside it.

mod awaited;
mod rest;

use loquat_phrases::pin::PinHash;
use loquat_settings::mycroft::PersonaService;
use loquat_settings::{choice, section};

pub use self::awaited::AwaitedMessages;
pub use self::rest::{QuietHours, Rest};

choice! {
    /// Whether we orchestrate or answer beside ovos-core.
    Mode {
        /// Guest when ovos-core is on the bus, solo when not; follows it coming and going.
        Auto = "auto",
        /// Answer every utterance.
        Solo = "solo",
        /// Answer only what ovos-core asks.
        Guest = "guest",
    }
}

choice! {
    /// Who may say yes to a tool that may do harm.
    ConsentFrom {
        /// The microphone and the terminal of this daemon.
        Own = "own",
        /// Whatever client of the bus.
        Bus = "bus",
    }
}

section! {
    /// Who answers an utterance, and what is remembered of a conversation.
    "desk" Desk {
        /// "auto" (guest beside ovos-core, else solo), "solo" (answer every utterance) or "guest".
        /// With "solo" beside a running ovos-core every utterance is answered twice.
        mode: Mode = Mode::Auto;
        /// Name or id of the persona that answers where no other was asked for.
        /// Absent: `intents.persona.default_persona` of mycroft.conf, else Loquat.
        persona: Option<String> = None, eg "Loquat";
        /// What the room of this device is called, for what is said in other rooms.
        /// Absent: as home_assistant.area says.
        room: Option<String> = None, eg "living room";
        /// Priority as a fallback handler of ovos-core: up to 5 is asked before all others, up to 90 in the middle,
        /// up to 100 last.
        fallback_priority: u16 = 95 => 1..=100;
        /// The most earlier utterances and answers of a session that the brain is shown, in pairs; of more, the older half
        /// goes. More costs time on small models; 0 forgets at once.
        history_turns: u16 = 10 => 0..=200;
        /// After so many turns of a session the brain is asked, while no person speaks, for notes on what leaves the
        /// history. 0 is never.
        reflection_turns: u16 = 30 => 0..=200;
        /// How long a spoken yes or no is waited for before a tool that may do harm is not run, in seconds.
        consent_seconds: u16 = 30 => 1..=600;
        /// Who may say that yes or no: "own" is this daemon's microphone and terminal, in the device's own session; in all
        /// other sessions a tool that may do harm is not run. "bus" is any client of the bus in the device's own session,
        /// and in others the one that asked: needed for satellites, for `loquat ask` and beside the listener of OVOS.
        /// With "bus" every program that reaches the bus can say yes in your place.
        consent_from: ConsentFrom = ConsentFrom::Own;
        /// The hash of the PIN that tools with `"confirm": "pin"` want, as `loquat pin` prints it.
        /// Absent: such tools are not run. A short PIN can be found from its hash by trying, so no other user should read
        /// this file: chmod 600.
        pin: Option<PinHash> = None, eg "$argon2id$v=19$m=8192,t=3,p=1$sOxKAwGfSr6CGUfGp/P1yw$le6c9doHx3eKog1IlbG7VONpRzrkuqhMY8LPu3RC3+c";
        /// Whether a wake word ends the answer that is being thought or spoken.
        /// It does not while a yes or no is waited for, and cannot be heard while the device speaks if
        /// `listener.mute_during_output` of mycroft.conf is set.
        barge_in: bool = true;
        /// How long after a spoken answer what is said is heard without the wake word, in seconds; an answer that ends in a
        /// question opens the microphone in any case, also that of OVOS's listener, and what is said next goes to the
        /// persona that asked. What else is said near the device in that time is heard too. 0: neither of both.
        follow_up_seconds: u16 = 5 => 0..=60;
        /// How long who has asked aloud hears nothing before the device says that it is still at it, such as "One moment.", in
        /// seconds; a tool that has words for what it does has those said. Once a turn, and never for what is typed. 0: never.
        silence_seconds: f64 = 2.5 => 0..=60;
        /// Whether the brain reads what may have been said in whole while the microphone still waits for more, so that its answer
        /// begins sooner. When more is said, it was for nothing: false saves that work.
        reads_ahead: bool = true;
        /// Whether the asking program may say how that one answer is drawn, with `loquat_sampling` in the context of
        /// the message: an object of `temperature`, `top_p` and `max_tokens`, of which the last never exceeds the
        /// brain's own.
        sampling_by_asker: bool = true;
        /// Messages of the bus that may be waited for, each by the words that people say for it, its topic, and perhaps a
        /// member of its data with its value: "the laundry is done = laundry.state state=done" is for "tell me when the
        /// laundry is done". No other message has anything done. Any program on the bus can send one.
        awaited: AwaitedMessages = AwaitedMessages::default();
        /// How long an answer of ovos-core is waited for when it is looked for, in seconds.
        core_probe_seconds: f64 = 2.0 => 0.1..=60;
    }
}

impl Desk {
    /// The persona that answers where no other was asked for, if one was named: here, else in `mycroft.conf`.
    pub fn default_persona<'a>(&'a self, ovos: &'a PersonaService) -> Option<&'a str> {
        let ours = self.persona.as_deref();
        ours.or(ovos.default_persona.as_deref())
    }
}
