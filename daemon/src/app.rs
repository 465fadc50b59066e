//! The composition: introduces bus, brains, personas, desk, tools, ear and voice to each other, starts them in an
//! order that loses nothing and ends them in one that leaves no utterance without an end.

#[cfg(any(feature = "hive", feature = "workers"))]
mod commanded;
mod doors;
mod hearing;
#[cfg(feature = "hive")]
mod hive_names;
mod local_brain;
mod neighbours;
mod page;
mod readers;
mod reloading;
mod roll;
#[cfg(feature = "mcp")]
mod served;
mod sources;
mod status_line;
#[cfg(feature = "workers")]
mod workers;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use loquat_agent::engine::ENGINES;
use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::TurnCache;
use loquat_bus::{Bus, BusAddress};
use loquat_models::Catalogue;
use loquat_part::owners_word::OwnersWord;
use loquat_part::reload::Reload as _;
use loquat_part::{Context, EarNews, Ground};
use loquat_skills::mcp::Servers;
use loquat_skills::rest::Rest;
use loquat_skills::weather::{Home, WeatherSettings};
use loquat_skills::{DeviceAddresses, Locales, Resources, WebSettings};
use loquat_speech::playback::{FarEndReader, far_end};
use loquat_speech::{EarHandle, Player};
use loquat_wire::Languages;
use serde_json::Map;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use self::local_brain::local_model;
use self::readers::{start_first_parts, start_readers};
use self::reloading::counts_at_once;
use self::sources::sources;
use self::status_line::StatusLine;
use crate::background::{self, Background, Notice};
use crate::desk::presence::{Mode, Presence};
use crate::desk::{Attendance, ConsentRules, Desk, DeskSettings, Forgetter, Forgetting};
use crate::device::Device;
use crate::disk_alarm;
use crate::ear::HalfHeard;
use crate::events::Hub;
use crate::expected_speech::ExpectedSpeech;
use crate::guests::Guests;
use crate::health::{self, Health, Pulse};
use crate::home_assistant;
use crate::link::{self, Joined};
use crate::mcp;
use crate::mind::refusals::keep_refusals;
use crate::mind::{Brains, Mind, Recollection};
use crate::models_in_use::ModelsInUse;
use crate::ovos_loudness::OvosLoudness;
use crate::persona::{Known, PERSONA_TOOLS, Persona, Personas, SKILL_TOOLS};
use crate::preferences::{self, Inbox, Steward, Wishes};
use crate::rest;
use crate::ringer::Ringer;
use crate::sentence_pack;
use crate::settings::{
    self, Complaint, EchoCancellation, Environment, LoadOptions, QuietHours, Reports, Settings, Switch,
    bus_address,
};
use crate::skill_files;
use crate::spoken_tools::{CurrentSentences, SpokenTools};
use crate::state::{Condition, State, StateLock};
use crate::stillness::Stillness;
use crate::supervisor::Supervisor;
use crate::terminal;
use crate::tools::{Host, InstalledSkills, Registered, RemoteToolboxes};
use crate::transcription::{Ladder, Whisper};
use crate::voice::{Choice, NamedSounds, Voice};
#[cfg(any(feature = "hive", feature = "workers"))]
pub use commanded::offered_to_commands;
pub use hearing::{ladder_of, playback_settings, speech_settings};
pub use local_brain::local_brain;
pub use reloading::Reloading;
pub use roll::Roll;
#[cfg(feature = "mcp")]
pub use served::served;

/// How often a core is looked for.
const CORE_LOOKUP: Duration = Duration::from_secs(10);

/// Another listener on the bus answers at once if it is there.
const LISTENER_PATIENCE: Duration = Duration::from_secs(1);

/// Refusals of model servers that may wait to be written down.
const REFUSALS_WAITING: usize = 64;

/// A running daemon.
#[derive(Debug)]
pub struct App {
    /// Owns all tasks.
    pub supervisor: Supervisor,
    /// The bus.
    pub bus: Bus,
    /// Where it is.
    pub address: BusAddress,
    /// How we came to it.
    pub joined: Joined,
    /// What turns report to.
    pub hub: Hub,
    /// Who can answer.
    pub mind: Arc<Mind>,
    /// What was wrong with persona files; those personas were left out.
    pub complaints: Vec<Complaint>,
    /// Reads the personas again; all brains are made there.
    pub reloading: Reloading,
    /// The models of this device.
    pub models: ModelsInUse,
    pulses: Vec<Pulse>,
    device: Device,
    state: Option<State>,
    /// Whether the device sleeps or is to be quiet.
    rest: Arc<Rest>,
    mcp: Servers,
    /// Whether a person can speak or type to this process.
    attendance: watch::Sender<Attendance>,
    /// Who comes in by the doors of this process.
    guests: Guests,
    /// Who turns speech into text, once something is to be heard.
    ladder: Ladder,
    /// The ear, once it is open.
    ear: OnceLock<EarHandle>,
    /// What is understood while it listens.
    half_heard: HalfHeard,
    stillness: Stillness,
    /// What toolboxes share.
    resources: Resources,
    /// The way to have settings changed, and what waits there until the steward runs.
    wishes: Wishes,
    inbox: Option<Inbox>,
    /// The way to have the device's own conversation forgotten.
    forgetter: Forgetter,
    /// What parts tell of themselves in the status line.
    told: Vec<watch::Receiver<String>>,
}

impl App {
    /// Joins the machine's bus, or brings one. Without the lock of the state folder nothing is written, and nothing that
    /// is written gone on with.
    pub async fn start(settings: &Settings, environment: &Environment, lock: Option<&StateLock>) -> Self {
        let supervisor = Supervisor::new();
        let state = open_state(settings, lock);
        let (bus, address, joined) = link::join(&settings.bus, bus_address(settings), &supervisor).await;
        Self::on_bus(settings, environment, supervisor, (bus, address, joined), state)
    }

    /// Everything that answers, on a bus that is there: personas, desk and tools. Turns are written to the state.
    pub fn on_bus(
        settings: &Settings,
        environment: &Environment,
        supervisor: Supervisor,
        (bus, address, joined): (Bus, BusAddress, Joined),
        state: Option<State>,
    ) -> Self {
        let hub = Hub::new().hearing_answers(settings.bus.reports == Reports::Events);
        start_readers(settings, &hub, (&supervisor, &bus));
        let ground = Ground::of(settings, environment);
        let place = (bus.clone(), address.clone());
        let context = Context::new(
            ground,
            supervisor.clone(),
            hub.clone(),
            place,
            settings.bus.compat,
        );
        let (elsewhere, shown) = start_first_parts(context);
        let device = device(settings);
        let models = ModelsInUse::choose(settings, environment, &Catalogue::embedded());
        let timeout = Duration::from_secs_f64(settings.tools.bus_timeout_seconds);
        let remote = Arc::new(RemoteToolboxes::new(bus.clone(), timeout));
        let registered = Registered::default();
        let (skills, caller) = InstalledSkills::new(bus.clone(), registered.clone(), timeout);
        let front = &supervisor.front;
        supervisor.spawn(front, "skill caller", caller.run(front.token()));
        let (told, refused) = mpsc::channel(REFUSALS_WAITING);
        let mut brains = brains(settings, environment, &models).telling(told);
        if let Some(state) = state.clone() {
            supervisor.spawn(front, "refusals", keep_refusals(state, refused, front.token()));
        }
        let (wishes, inbox) = preferences::wishes();
        let (forgetter, forgetting) = Forgetting::new();
        let home = home_assistant::of(settings);
        let (spoken, mut complaints) = SpokenTools::load(settings, home.clone());
        let spoken = spoken.with_pack(sentence_pack::of(&models), settings, home.clone());
        let things = spoken.things().clone();
        let hours = settings.rest.quiet_hours.map(|QuietHours(hours)| hours);
        let spoken = CurrentSentences::new(spoken);
        let locales = Arc::clone(spoken.now().locales());
        let resources = with_network(resources(&locales, state.as_ref()), settings)
            .with_understanding(Arc::new(spoken.clone()))
            .with_answers(Arc::new(spoken.clone()))
            .with_quiet_hours(hours, device.time_zone.as_deref())
            .with_home_assistant(home)
            .with_services(settings.services.allowed.0.clone())
            .with_skill_folders(skill_files::folders(settings, environment))
            .with_device(&addresses(environment))
            .with_mixer(Arc::new(OvosLoudness::new(bus.clone())))
            .with_mcp(mcp::rules(settings, environment))
            .with_preferences(Arc::new(wishes.clone()));
        resources.name_to(&things);
        let roll = Roll::call(settings, environment, &mut brains, &resources);
        let default = roll.default_name();
        complaints.extend(roll.complaints.into_iter().chain(roll.skills));
        let (background, worker, notices) = Background::new(Arc::clone(&resources.records));
        let pause = Duration::from_secs_f64(settings.tools.outage_seconds);
        let mind = Mind::new(roll.ready, default, device.clone(), hub.clone(), remote)
            .with_turn_cache(TurnCache::pausing(pause))
            .with_skills(skills)
            .with_toolboxes(own_toolboxes(&resources))
            .with_background(Arc::clone(&background))
            .with_recollection(recollection(settings, &resources))
            .with_elsewhere(elsewhere)
            .with_state(journal(settings, state.as_ref()));
        let mind = Arc::new(mind);
        let known = ExpectedSpeech::new(&spoken, &registered, &mind, &resources);
        let whisper = Whisper::new(speech_settings(settings, &models)).expecting(Arc::new(known));
        let reloaded = (resources.clone(), spoken.clone());
        let reloading = Reloading::new(settings, environment, &mind, brains, reloaded);
        let mut app = Self {
            supervisor,
            bus,
            address,
            joined,
            hub,
            mind,
            complaints,
            reloading,
            models,
            pulses: Vec::new(),
            device,
            state,
            rest: Arc::clone(&resources.rest),
            mcp: resources.mcp.clone(),
            attendance: watch::Sender::new(attendance(settings)),
            guests: Guests::default(),
            ladder: Ladder::new(&ladder_of(settings, environment), Arc::new(whisper)),
            ear: OnceLock::new(),
            half_heard: HalfHeard::default(),
            stillness: Stillness::default(),
            resources: resources.clone(),
            wishes,
            inbox: Some(inbox),
            forgetter,
            told: shown,
        };
        app.start_ringer(settings, &resources, spoken.clone());
        app.start_rest();
        app.start_background(worker);
        app.start_neighbours(settings, &resources);
        // The desk tells that we are ready, so all others listen before it does.
        app.start_tools(settings, &resources);
        app.start_desk(settings, spoken, (background, notices), registered, forgetting);
        app
    }

    fn start_desk(
        &mut self,
        settings: &Settings,
        spoken: CurrentSentences,
        (background, notices): (Arc<Background>, mpsc::Receiver<Notice>),
        registered: Registered,
        forgetting: Forgetting,
    ) {
        let front = &self.supervisor.front;
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
        };
        let mode = self.watch_for_core(settings);
        let mind = Arc::clone(&self.mind);
        let desk = Desk::new(self.bus.clone(), mind, spoken, desk_settings, mode)
            .with_background(background, notices)
            .with_state(journal(settings, self.state.as_ref()))
            .with_rest(Arc::clone(&self.rest))
            .with_registered(registered)
            .with_guests(self.guests.clone())
            .with_stillness(self.stillness.clone())
            .with_forgetting(forgetting);
        self.pulses.push(desk.pulse());
        let (frames, status) = (desk.subscribe(), desk.status());
        let questions = status.subscribe();
        let answers = status.run(questions, front.token());
        self.supervisor.spawn(front, "status questions", answers);
        self.supervisor
            .spawn(front, "desk", desk.run(frames, front.token()));
    }

    fn consent_rules(&self, settings: &Settings) -> ConsentRules {
        let words = self.models.wake_words.words.iter();
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
            attendance: self.attendance.subscribe(),
            names: names.chain(["Loquat".to_owned()]).collect(),
        }
    }

    /// A person can speak or type to this process from now on, so that their yes can be asked for.
    pub fn attend(&self) {
        self.attendance.send_replace(Attendance::Here);
    }

    /// All that could hear the owner here has started. Where nothing has, another listener speaks for them.
    pub fn all_have_come(&self) {
        self.attendance.send_if_modified(|attendance| {
            let is_elsewhere = *attendance == Attendance::Unknown;
            if is_elsewhere {
                *attendance = Attendance::Elsewhere;
            }
            is_elsewhere
        });
    }

    /// Follows who answers on this bus, unless the settings say it once and for all.
    fn watch_for_core(&self, settings: &Settings) -> watch::Receiver<Mode> {
        let (initial, fixed) = match (settings.desk.mode, self.joined) {
            (settings::Mode::Solo, _) => (Mode::Solo, true),
            (settings::Mode::Guest, _) => (Mode::Guest, true),
            // No other program is on a bus that we have only just brought.
            (settings::Mode::Auto, Joined::Ours) => (Mode::Solo, false),
            (settings::Mode::Auto, Joined::Theirs) => (Mode::Unknown, false),
        };
        let patience = Duration::from_secs_f64(settings.desk.core_probe_seconds);
        let (presence, mode) = Presence::new(self.bus.clone(), initial, patience, CORE_LOOKUP);
        let front = &self.supervisor.front;
        if fixed {
            self.supervisor
                .spawn_optional(front, "presence", presence.hold(front.token()));
        } else {
            self.supervisor
                .spawn(front, "presence", presence.run(front.token()));
        }
        mode
    }

    fn start_tools(&self, settings: &Settings, resources: &Resources) {
        let host = Host::new(
            self.bus.clone(),
            self.device.clone(),
            exposed(settings, resources),
        );
        let host = host.with_guests(self.guests.clone(), Arc::clone(&self.mind));
        let frames = host.subscribe();
        let front = &self.supervisor.front;
        self.supervisor
            .spawn(front, "tool host", host.run(frames, front.token()));
    }

    /// Rings what was set before, and what is set from now on.
    fn start_ringer(&self, settings: &Settings, resources: &Resources, sentences: CurrentSentences) {
        let shared = (
            Arc::clone(&resources.alerts),
            sentences,
            Arc::clone(&resources.rest),
        );
        let folder = &settings.folders.runtime;
        let ringer = Ringer::new(self.bus.clone(), shared, languages(settings), folder);
        let front = &self.supervisor.front;
        self.supervisor.spawn(front, "ringer", ringer.run(front.token()));
    }

    fn start_background(&self, worker: background::Worker) {
        let front = &self.supervisor.front;
        let calls = worker.run(front.token());
        self.supervisor.spawn(front, "background calls", calls);
    }

    /// Tells the listeners when the device sleeps, and keeps what others tell of it.
    fn start_rest(&self) {
        let front = &self.supervisor.front;
        let task = rest::run(self.bus.clone(), Arc::clone(&self.rest), front.token());
        self.supervisor.spawn(front, "rest", task);
    }

    /// Changes settings as persons wish.
    pub fn start_steward(&mut self, environment: &Environment, options: &LoadOptions) {
        let Some(inbox) = self.inbox.take() else {
            return;
        };
        let steward = Steward {
            environment: environment.clone(),
            options: options.clone(),
            reloading: self.reloading.clone(),
            speed: self.reloading.speed(),
        };
        let front = &self.supervisor.front;
        self.supervisor
            .spawn(front, "steward", steward.run(inbox, front.token()));
    }

    /// Speaks where no audio service does. Gives what tells the ear what is played, if that is to be taken out of what is heard.
    pub fn start_voice(&self, settings: &Settings, environment: &Environment) -> Option<FarEndReader> {
        if !Choice::may_speak(&settings.voice) {
            return None;
        }
        let is_cancelled = settings.speech.echo_cancellation == EchoCancellation::Auto;
        let (writer, reader) = is_cancelled.then(far_end).unzip();
        let (player, speed) = (
            Player::new(playback_settings(settings), writer),
            self.reloading.speed(),
        );
        let voice = Voice::new(self.bus.clone(), &settings.mycroft.lang, speed.clone(), player)
            .naming_sounds(NamedSounds::of(environment))
            .keeping_still(self.stillness.clone());
        let (settings, environment) = (settings.clone(), environment.clone());
        let choice = async move {
            let speaks = (&settings.voice, settings.mycroft.lang.as_str());
            Choice::of(speaks, (&settings.folders, &environment), &speed).await
        };
        let front = &self.supervisor.front;
        self.supervisor
            .spawn(front, "voice", voice.run(choice, front.token()));
        reader
    }

    /// Lets the model of this device get ready for the first question. Not worth a word when it cannot: the first
    /// question then tells.
    pub fn start_rehearsal(&self) {
        if !self.models.language.is_present() {
            return;
        }
        let mind = Arc::clone(&self.mind);
        let front = &self.supervisor.front;
        let cancel = front.token();
        let rehearsal = async move {
            cancel.run_until_cancelled(mind.rehearse()).await;
        };
        self.supervisor.spawn_optional(front, "rehearsal", rehearsal);
    }

    /// Tells systemd that everything stands, and keeps telling it that it turns.
    /// The status line comes back.
    pub fn report_health(&self, ear: watch::Receiver<EarNews>) -> watch::Receiver<String> {
        let (status, receiver) = watch::channel(String::new());
        let mut pulses = self.pulses.clone();
        pulses.push(Pulse::of(self.bus.pulse()));
        pulses.extend(self.state.as_ref().map(|state| Pulse::of(state.beats())));
        let health = Health::new(pulses, receiver.clone());
        let back = &self.supervisor.back;
        self.supervisor.spawn(back, "health", health.run(back.token()));
        let condition = match &self.state {
            Some(state) => state.condition(),
            None => watch::channel(Condition::default()).1,
        };
        let line = StatusLine {
            bus: self.bus.state(),
            condition,
            ear,
            mcp: (self.mcp.clone(), self.mcp.changes()),
            settings: self.reloading.standing(),
            personas: (Arc::clone(&self.mind), self.mind.replacements()),
            parts: self.told.clone(),
        };
        self.supervisor
            .spawn(back, "status", line.keep(status, back.token()));
        self.watch_state();
        health::ready();
        receiver
    }

    /// Keeps the thread of the state turning, and tells the person when nothing can be written.
    fn watch_state(&self) {
        let Some(state) = self.state.clone() else {
            return;
        };
        let (front, back) = (&self.supervisor.front, &self.supervisor.back);
        let alarm = disk_alarm::run(
            self.bus.clone(),
            self.device.lang.clone(),
            state.condition(),
            Arc::clone(&self.rest),
            front.token(),
        );
        self.supervisor.spawn(front, "disk alarm", alarm);
        self.supervisor
            .spawn(back, "state pulse", prod(state, back.token()));
    }

    /// Ends the front, then the brains, then the back. What the front has settled is on the disk then.
    pub async fn stop(self) {
        self.supervisor.end_front().await;
        if let Some(state) = &self.state {
            state.flush().await;
        }
        for local in self.reloading.local_brains() {
            local.shutdown().await;
        }
        self.supervisor.end_back().await;
    }
}

/// Has the thread of the state turn also when there is nothing to write.
async fn prod(state: State, cancel: CancellationToken) {
    let mut tick = tokio::time::interval(health::PULSE_INTERVAL);
    while cancel.run_until_cancelled(tick.tick()).await.is_some() {
        state.prod();
    }
}

/// The state file, for turns where the settings want them written down.
fn journal(settings: &Settings, state: Option<&State>) -> Option<State> {
    state.filter(|_| settings.journal.enabled).cloned()
}

/// What the toolboxes of this process share.
fn resources(locales: &Arc<Locales>, state: Option<&State>) -> Resources {
    match state {
        Some(state) => Resources::new(Arc::clone(locales), Arc::new(state.clone())),
        None => Resources::volatile(Arc::clone(locales)),
    }
}

/// With the services outside of the device, and what the owner has said of them.
pub fn with_network(resources: Resources, settings: &Settings) -> Resources {
    resources
        .with_permissions(settings.network.rules())
        .with_weather(weather(settings))
        .with_web(web(settings))
}

/// What persons had remembered, as far as it comes into turns.
fn recollection(settings: &Settings, resources: &Resources) -> Recollection {
    let memory = &settings.memory;
    Recollection::new(
        Arc::clone(&resources.memories),
        memory.brought_tokens,
        memory.notes_conversations,
    )
}

/// Where the services of this device are reached.
pub fn addresses(environment: &Environment) -> DeviceAddresses {
    DeviceAddresses {
        session_bus: environment.session_bus(),
        system_bus: system_bus(environment),
        sound_server: sound_server(environment),
        sound_cookies: sound_cookies(environment),
        alsa_mixer: Some("default".to_owned()),
    }
}

/// As all programs look for it.
fn system_bus(environment: &Environment) -> Option<String> {
    const SOCKET: &str = "/run/dbus/system_bus_socket";
    let named = environment.variable("DBUS_SYSTEM_BUS_ADDRESS").map(str::to_owned);
    named.or_else(|| Path::new(SOCKET).exists().then(|| format!("unix:path={SOCKET}")))
}

/// As PulseAudio's own clients look for it.
fn sound_server(environment: &Environment) -> Option<PathBuf> {
    let named = environment.variable("PULSE_SERVER").and_then(|server| {
        let path = server.strip_prefix("unix:").unwrap_or(server);
        path.starts_with('/').then(|| PathBuf::from(path))
    });
    let own = environment
        .path("PULSE_RUNTIME_PATH")
        .map(|folder| folder.join("native"));
    let of_session = environment
        .path("XDG_RUNTIME_DIR")
        .map(|folder| folder.join("pulse/native"));
    named.or_else(|| own.into_iter().chain(of_session).find(|socket| socket.exists()))
}

/// The files that may hold what the sound server knows its clients by; the first that is there counts.
pub(crate) fn sound_cookies(environment: &Environment) -> Vec<PathBuf> {
    let home = |file: &str| environment.path("HOME").map(|home| home.join(file));
    let places = [
        environment.path("PULSE_COOKIE"),
        home(".config/pulse/cookie"),
        home(".pulse-cookie"),
    ];
    places.into_iter().flatten().collect()
}

/// The weather service, and where the device is.
fn weather(settings: &Settings) -> WeatherSettings {
    let location = &settings.mycroft.location;
    let home = |(latitude, longitude)| Home {
        latitude,
        longitude,
        name: location.city.clone().unwrap_or_default(),
        time_zone: location.time_zone.clone(),
    };
    WeatherSettings {
        url: settings.weather.url.clone(),
        geocoding_url: settings.weather.geocoding_url.clone(),
        home: location.latitude.zip(location.longitude).map(home),
    }
}

/// What is searched and looked up.
fn web(settings: &Settings) -> WebSettings {
    let web = &settings.web;
    WebSettings {
        search_url: web.search_url.clone(),
        wikipedia_url: web.wikipedia_url.clone(),
        wiktionary_url: web.wiktionary_url.clone(),
        wikidata_url: web.wikidata_url.clone(),
        contact: web.contact.clone(),
    }
}

/// The state file. A device that cannot write it answers all the same.
fn open_state(settings: &Settings, lock: Option<&StateLock>) -> Option<State> {
    let opened = match lock {
        Some(_) => State::open(&settings.folders.state, settings.journal.keep_turns),
        None => State::without_lock(),
    };
    match opened {
        Ok(state) => Some(state),
        Err(error) => {
            tracing::warn!(%error, "failed to start the thread of the state file; nothing is written down");
            None
        }
    }
}

/// Language, units and place of this device.
pub fn device(settings: &Settings) -> Device {
    let mycroft = &settings.mycroft;
    Device {
        lang: loquat_wire::language::standard(&mycroft.lang).unwrap_or_else(|| mycroft.lang.clone()),
        units: Some(mycroft.system_unit.clone()),
        time_zone: mycroft.location.time_zone.clone(),
        place: place(&mycroft.location),
        time_format: mycroft.time_format.clone(),
        date_format: mycroft.date_format.clone(),
    }
}

/// The languages that `mycroft.conf` enables: all of them where it names none beside the device's own.
fn languages(settings: &Settings) -> Languages {
    let mycroft = &settings.mycroft;
    if mycroft.secondary_langs.is_empty() {
        return Languages::any(&mycroft.lang);
    }
    Languages::only(&mycroft.lang, mycroft.secondary_langs.iter().map(String::as_str))
}

/// Where the device is, as a brain is told.
fn place(location: &settings::mycroft::Location) -> Option<String> {
    let names = [&location.city, &location.region, &location.country];
    let names: Vec<&str> = names.into_iter().flatten().map(String::as_str).collect();
    let names = names.join(", ");
    let at = location.latitude.zip(location.longitude);
    let at = at.map(|(latitude, longitude)| format!("latitude {latitude}, longitude {longitude}"));
    match (names.is_empty(), at) {
        (true, None) => None,
        (true, Some(at)) => Some(at),
        (false, None) => Some(names),
        (false, Some(at)) => Some(format!("{names} ({at})")),
    }
}

/// Where the owner can speak or type, as far as that is known before the microphone is tried.
fn attendance(settings: &Settings) -> Attendance {
    match settings.speech.enabled {
        _ if terminal::is_attended() => Attendance::Here,
        Switch::Off => Attendance::Elsewhere,
        Switch::Auto | Switch::On => Attendance::Unknown,
    }
}

/// Our toolboxes that the settings offer to everybody.
pub fn exposed(settings: &Settings, resources: &Resources) -> Vec<Arc<dyn Toolbox>> {
    let find = |id: &String| {
        let found = loquat_skills::find(id, &Map::new(), resources).and_then(Result::ok);
        if found.is_none() {
            tracing::warn!(
                toolbox = id,
                "tools.expose names a toolbox that is not part of Loquat"
            );
        }
        found
    };
    settings.tools.expose.iter().filter_map(find).collect()
}

/// All toolboxes of this process, as they are without settings.
pub fn own_toolboxes(resources: &Resources) -> Vec<Arc<dyn Toolbox>> {
    let ids = loquat_skills::TOOLBOXES.iter();
    ids.filter_map(|id| loquat_skills::find(id, &Map::new(), resources)?.ok())
        .collect()
}

/// Reads all persona files; what is wrong with them comes along.
pub fn load_personas(settings: &Settings, environment: &Environment) -> (Personas, Vec<Complaint>) {
    let engines: Vec<&str> = ENGINES.iter().map(|engine| engine.id).collect();
    let toolboxes = loquat_skills::TOOLBOXES.iter().copied();
    let of_mcp = mcp::toolbox_ids(settings);
    let toolboxes = toolboxes.chain(of_mcp.iter().map(String::as_str));
    let toolboxes: Vec<&str> = toolboxes.chain([SKILL_TOOLS, PERSONA_TOOLS]).collect();
    let known = Known::new(&engines, loquat_agent::gate::SETTINGS, &toolboxes)
        .with_lookups(&loquat_skills::lookup_ids());
    let (personas, mut complaints) = Personas::load(&sources(settings, environment), &known);
    complaints.extend(unaskable(&personas));
    (personas, complaints)
}

/// No brain yet, and the model of this device for the first persona that asks for it.
fn brains(settings: &Settings, environment: &Environment, models: &ModelsInUse) -> Brains {
    Brains::new(
        settings.folders.clone(),
        local_model(settings, environment, models),
    )
}

/// Personas that a persona may ask and that are not there, or are itself.
fn unaskable(personas: &Personas) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for persona in personas {
        let boxes = persona.handlers.iter().flat_map(|handler| &handler.toolboxes);
        let asked = boxes.filter_map(|toolbox| toolbox.personas.as_ref());
        for name in asked.flat_map(|choice| &choice.personas) {
            let is_it = |known: &Persona| {
                [&known.id, &known.name]
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(name.trim()))
            };
            let why = if is_it(persona) {
                "a persona cannot ask itself"
            } else if personas.into_iter().any(is_it) {
                continue;
            } else {
                "there is no persona of this name"
            };
            let text = format!("{PERSONA_TOOLS}.personas names {name}: {why}");
            complaints.push(Complaint::warning(persona.origin.clone(), text));
        }
    }
    complaints
}
