//! The desk is started here, with what the settings say of it: who may say yes, and who orchestrates.

use std::sync::Arc;
use std::time::Duration;

use loquat_part::owners_word::OwnersWord;
use tokio::sync::{mpsc, watch};

use super::surroundings::languages;
use super::{App, journal};
use crate::background::{Background, Notice};
use crate::desk::presence::{Mode, Presence};
use crate::desk::{Attendance, ConsentRules, Desk, DeskSettings, OwnersWishes};
use crate::link::Joined;
use crate::settings::{self, Reports, Settings};
use crate::spoken_tools::CurrentSentences;
use crate::tools::Registered;

/// How often a core is looked for.
const CORE_LOOKUP: Duration = Duration::from_secs(10);

/// What the desk shares with others.
pub(super) struct DeskMeans {
    /// Our tools understand these sentences.
    pub(super) sentences: CurrentSentences,
    /// What skills have registered.
    pub(super) registered: Registered,
    /// What goes on after its turn, and what came of it.
    pub(super) background: Arc<Background>,
    pub(super) notices: mpsc::Receiver<Notice>,
    /// What the owner wishes of the device's own conversation.
    pub(super) wishes: OwnersWishes,
}

impl App {
    /// The desk tells that we are ready.
    pub(super) fn start_desk(&mut self, settings: &Settings, given: DeskMeans) {
        let DeskMeans {
            sentences,
            registered,
            background,
            notices,
            wishes,
        } = given;
        let desk_settings = DeskSettings {
            languages: languages(settings),
            lang: self.device.lang.clone(),
            secondary_langs: settings.mycroft.secondary_langs.clone(),
            handles_fallback: settings.mycroft.persona.handle_fallback.unwrap_or(true),
            history_turns: settings.desk.history_turns.into(),
            fallback_priority: settings.desk.fallback_priority.into(),
            reflection_turns: settings.desk.reflection_turns.into(),
            sampling_by_asker: settings.desk.sampling_by_asker,
            consent: self.consent_rules(settings),
            resume_within: Duration::from_secs(settings.journal.resume_within_seconds.into()),
            tells_results: settings.bus.reports != Reports::Nothing,
            barge_in: settings.desk.barge_in,
            owners_word: OwnersWord::in_folder(&settings.folders.state),
            follow_up: Duration::from_secs(settings.desk.follow_up_seconds.into()),
            silence: Duration::from_secs_f64(settings.desk.silence_seconds),
        };
        let mode = self.watch_for_core(settings);
        let mind = Arc::clone(&self.mind);
        let reads_ahead = settings.desk.reads_ahead;
        let half_heard = reads_ahead.then(|| self.senses.half_heard.whole());
        let desk = Desk::new(self.place.bus.clone(), mind, sentences, desk_settings, mode)
            .with_background(background, notices)
            .with_state(journal(settings, self.state.as_ref()))
            .with_rest(Arc::clone(&self.resources.rest))
            .with_registered(registered)
            .with_guests(self.senses.guests.clone())
            .with_stillness(self.senses.stillness.clone())
            .with_news(self.place.hub.subscribe())
            .with_voice(&self.place.hub)
            .with_half_heard(half_heard)
            .with_wishes(wishes);
        self.pulses.push(desk.pulse());
        let (frames, status) = (desk.subscribe(), desk.status());
        let questions = status.subscribe();
        self.place
            .serve("status questions", |token| status.run(questions, token));
        self.place.serve("desk", |token| desk.run(frames, token));
    }

    fn consent_rules(&self, settings: &Settings) -> ConsentRules {
        let words = self.models.hearing.wake_words.words.iter();
        let calling = words.filter(|word| word.effect.opens_capture());
        let wake_words = calling
            .map(|word| word.name.as_str())
            .chain(settings.mycroft.listener.wake_word.as_deref());
        // Of "hey_mycroft" the last word is the name.
        let names = wake_words.flat_map(|word| [Some(word), word.rsplit('_').next()]);
        let names = names.flatten().map(|name| name.replace('_', " "));
        ConsentRules {
            from: settings.desk.consent_from,
            patience: Duration::from_secs(settings.desk.consent_seconds.into()),
            pin: settings.desk.pin.clone(),
            attendance: self.senses.attendance.subscribe(),
            names: names.chain(["Loquat".to_owned()]).collect(),
        }
    }

    /// A person can speak or type to this process from now on, so that their yes can be asked for.
    pub fn attend(&self) {
        self.senses.attendance.send_replace(Attendance::Here);
    }

    /// All that could hear the owner here has started. Where nothing has, another listener speaks for them.
    pub fn all_have_come(&self) {
        self.senses.attendance.send_if_modified(|attendance| {
            let is_elsewhere = *attendance == Attendance::Unknown;
            if is_elsewhere {
                *attendance = Attendance::Elsewhere;
            }
            is_elsewhere
        });
    }

    /// Follows who answers on this bus, unless the settings say it once and for all.
    fn watch_for_core(&self, settings: &Settings) -> watch::Receiver<Mode> {
        let (initial, fixed) = match (settings.desk.mode, self.place.joined) {
            (settings::Mode::Solo, _) => (Mode::Solo, true),
            (settings::Mode::Guest, _) => (Mode::Guest, true),
            // No other program is on a bus that we have only just brought.
            (settings::Mode::Auto, Joined::Ours) => (Mode::Solo, false),
            (settings::Mode::Auto, Joined::Theirs) => (Mode::Unknown, false),
        };
        let patience = Duration::from_secs_f64(settings.desk.core_probe_seconds);
        let (presence, mode) = Presence::new(self.place.bus.clone(), initial, patience, CORE_LOOKUP);
        if fixed {
            self.place
                .serve_optionally("presence", |token| presence.hold(token));
        } else {
            self.place.serve("presence", |token| presence.run(token));
        }
        mode
    }
}
