//! The composition: introduces bus, brains, personas, desk, tools, ear and voice to each other, starts them in an
//! order that loses nothing and ends them in one that leaves no utterance without an end.

mod bus_tools;
#[cfg(any(feature = "hive", feature = "workers"))]
mod commanded;
mod deciding;
mod doors;
#[cfg(feature = "mcp")]
mod for_programs;
#[cfg(feature = "hive")]
mod hive_names;
mod local_brain;
mod neighbours;
mod own_conversation;
mod page;
mod persona_files;
mod place;
mod plans;
mod readers;
mod reload_orders;
mod reloading;
mod roll;
mod senses;
#[cfg(feature = "mcp")]
mod served;
mod sources;
mod status_line;
mod surroundings;
mod timing;
mod town;
mod understanding;
mod watching;
#[cfg(feature = "workers")]
mod workers;

use std::sync::Arc;
use std::time::Duration;

use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::TurnCache;
use loquat_bus::Subscription;
use loquat_models::Catalogue;
use loquat_part::elsewhere::Elsewhere;
use loquat_part::{Context, Start};
use loquat_skills::Resources;
use loquat_skills::intercom::Intercom;
use serde_json::Map;
use tokio::sync::{mpsc, watch};

use self::bus_tools::BusTools;
use self::deciding::DeskMeans;
use self::local_brain::{brains, local_model};
use self::readers::start_readers;
use self::reloading::counts_at_once;
use self::senses::Senses;
use self::surroundings::languages;
use self::timing::Timing;
use self::understanding::Understood;
use crate::background::{self, Background};
use crate::desk::{OwnConversation, OwnersWishes};
use crate::device::Device;
use crate::events::Hub;
use crate::expected_speech::ExpectedSpeech;
use crate::health::Pulse;
use crate::mind::refusals::keep_refusals;
use crate::mind::{Brains, Mind, Recollection};
use crate::models_in_use::ModelsInUse;
use crate::own_station::OwnStation;
use crate::parts;
use crate::preferences::{self, Inbox, Steward, Wishes};
use crate::rest;
use crate::ringer::Ringer;
use crate::settings::{Complaint, Environment, LoadOptions, Settings};
use crate::spoken_tools::CurrentSentences;
use crate::state::{State, StateLock};
use crate::tools::{Host, OvosLoudness, own_toolboxes};
#[cfg(any(feature = "hive", feature = "workers"))]
pub use commanded::offered_to_commands;
pub use local_brain::{local_brain, model_of};
pub use page::{Examine, Examined};
pub use place::Place;
pub use reloading::Reloading;
pub use roll::Roll;
#[cfg(feature = "mcp")]
pub use served::served;
pub use sources::load_personas;
pub(crate) use surroundings::sound_cookies;
pub use surroundings::{addresses, device, weather, with_network};
pub use town::towns_called;
pub use understanding::understood_here;

/// Refusals of model servers that may wait to be written down.
const REFUSALS_WAITING: usize = 64;

/// The settings with which the daemon began, and from what they were read.
#[derive(Debug, Clone, Copy)]
pub struct Began<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The folders and variables of the process are read from it.
    pub environment: &'a Environment,
    /// What the command line says about settings.
    pub options: &'a LoadOptions,
}

/// A running daemon.
#[derive(Debug)]
pub struct App {
    /// The bus, the tasks there, and what turns report to.
    pub place: Place,
    /// Who can answer.
    pub mind: Arc<Mind>,
    /// What was wrong with persona files; those personas were left out.
    pub complaints: Vec<Complaint>,
    /// Reads the personas again; all brains are made there.
    pub reloading: Reloading,
    /// The device has these models.
    pub models: ModelsInUse,
    device: Device,
    state: Option<State>,
    /// Toolboxes share these.
    resources: Resources,
    senses: Senses,
    changes: Changes,
    /// Whose turning the watchdog asks for.
    pulses: Vec<Pulse>,
    /// What parts tell of themselves in the status line.
    told: Vec<watch::Receiver<String>>,
    /// What parts stand on and offer to each other.
    context: Context,
    /// The orders to read settings again that come before they are obeyed.
    reload_orders: Option<Subscription>,
}

/// The ways in which persons have the device changed.
#[derive(Debug)]
struct Changes {
    /// The way to have settings changed, and what waits there until the steward runs.
    wishes: Wishes,
    inbox: Option<Inbox>,
    /// The owner's way to the device's own conversation.
    conversation: OwnConversation,
}

impl App {
    /// Joins the machine's bus, or brings one. Without the lock of the state folder nothing is written, and nothing that
    /// is written gone on with.
    pub async fn start(settings: &Settings, environment: &Environment, lock: Option<&StateLock>) -> Self {
        let state = open_state(settings, lock);
        let place = Place::join(settings).await;
        Self::on_bus(settings, environment, place, state).await
    }

    /// Everything that answers, on a bus that is there: personas, desk and tools. Turns are written to the state.
    pub async fn on_bus(
        settings: &Settings,
        environment: &Environment,
        place: Place,
        state: Option<State>,
    ) -> Self {
        start_readers(settings, &place);
        // Who is told that we are ready may order it at once.
        let reload_orders = reload_orders::subscribe(&place.bus);
        let mut context = place.context(settings, environment);
        let running = parts::start(Start::WithTheEvents, &mut context).await;
        let told = running.into_iter().filter_map(|running| running.status);
        let elsewhere = context.offered::<Arc<dyn Elsewhere>>().cloned();
        let models = ModelsInUse::choose(settings, environment, &Catalogue::embedded());
        let tools = BusTools::start(settings, &place);
        let mut brains = telling_brains(brains(settings, environment, &models), &place, state.as_ref());
        let understood = Understood::load(settings, &models);
        let (wishes, inbox) = preferences::wishes();
        let resources = understood
            .resources(settings, environment, state.as_ref())
            .with_mixer(Arc::new(OvosLoudness::new(place.bus.clone())))
            .with_preferences(Arc::new(wishes.clone()));
        resources.name_to(understood.sentences.now().things());
        understood.foresight.know(own_toolboxes(&resources));
        let mut roll = Roll::call(settings, environment, &mut brains, &resources);
        let (background, worker, notices) = Background::new(Arc::clone(&resources.records));
        let device = device(settings);
        let makings = Makings {
            settings,
            device: &device,
            hub: &place.hub,
            tools: &tools,
            resources: &resources,
            background: &background,
            state: state.as_ref(),
        };
        let mind = makings.mind(&mut roll).with_elsewhere(elsewhere);
        let mind = Arc::new(mind.with_sentences(understood.sentences.clone()));
        let Understood {
            sentences,
            mut complaints,
            ..
        } = understood;
        complaints.extend(roll.complaints.into_iter().chain(roll.skills));
        let known = ExpectedSpeech::new(&sentences, &tools.registered, &mind, &resources);
        let (conversation, owners_wishes) = OwnersWishes::new();
        let mut app = Self {
            reloading: Reloading::new(
                settings,
                environment,
                &mind,
                brains,
                resources.clone(),
                sentences.clone(),
            ),
            senses: Senses::new(settings, environment, &models, Arc::new(known)),
            place,
            mind,
            complaints,
            models,
            device,
            state,
            resources,
            changes: Changes {
                wishes,
                inbox: Some(inbox),
                conversation,
            },
            pulses: Vec::new(),
            told: told.collect(),
            context,
            reload_orders: Some(reload_orders),
        };
        app.start_answering(settings, sentences.clone(), worker);
        // The desk tells that we are ready, so all others listen before it does.
        app.start_desk(
            settings,
            DeskMeans {
                sentences,
                registered: tools.registered,
                background,
                notices,
                wishes: owners_wishes,
            },
        );
        app
    }

    /// Starts all that listens beside the desk.
    fn start_answering(&self, settings: &Settings, sentences: CurrentSentences, worker: background::Worker) {
        self.join_rooms(settings);
        self.start_ringer(settings, sentences);
        self.start_plans();
        self.start_rest();
        self.place.serve("background calls", |token| worker.run(token));
        self.start_neighbours(settings);
        self.start_tools(settings);
    }

    /// Has what is said in other rooms reach this one, and those of the home that nothing else reaches.
    fn join_rooms(&self, settings: &Settings) {
        let resources = &self.resources;
        let room = settings.desk.room.clone();
        let room = room.or_else(|| settings.home_assistant.area.clone());
        let own = OwnStation::new(self.place.bus.clone(), Arc::clone(&resources.rest), room);
        resources.intercom.add(Arc::new(own));
        if let Some(home) = resources.home_assistant.clone() {
            resources.intercom.add_behind(home);
        }
    }

    fn start_tools(&self, settings: &Settings) {
        let exposed = exposed(settings, &self.resources);
        let host = Host::new(self.place.bus.clone(), self.device.clone(), exposed);
        let host = host.with_guests(self.senses.guests.clone(), Arc::clone(&self.mind));
        let frames = host.subscribe();
        self.place.serve("tool host", |token| host.run(frames, token));
    }

    /// Rings what was set before, and what is set from now on.
    fn start_ringer(&self, settings: &Settings, sentences: CurrentSentences) {
        let ringer = Ringer::new(
            self.place.bus.clone(),
            Arc::clone(&self.resources.alerts),
            sentences,
            Arc::clone(&self.resources.rest),
            languages(settings),
            &settings.folders.runtime,
        );
        let resources = &self.resources;
        let understands = resources.understands.clone();
        let ringer = ringer.watching(understands, &resources.messages, resources.mcp.updates());
        let ringer = ringer.finding(Arc::<Intercom>::clone(&resources.intercom));
        self.place.serve("ringer", |token| ringer.run(token));
    }

    /// Keeps what personas do of their own accord.
    fn start_plans(&self) {
        let (mind, resources) = (Arc::clone(&self.mind), self.resources.clone());
        let device = self.device.clone();
        self.place.serve("plans of personas", |token| {
            plans::run(mind, resources, device, token)
        });
    }

    /// Tells the listeners when the device sleeps, and keeps what others tell of it.
    fn start_rest(&self) {
        let (bus, state) = (self.place.bus.clone(), Arc::clone(&self.resources.rest));
        self.place.serve("rest", |token| rest::run(bus, state, token));
    }

    /// Changes settings as persons wish.
    pub fn start_steward(&mut self, environment: &Environment, options: &LoadOptions) {
        let Some(inbox) = self.changes.inbox.take() else {
            return;
        };
        let steward = Steward {
            environment: environment.clone(),
            options: options.clone(),
            reloading: Arc::new(self.reloading.clone()),
            speed: self.reloading.speed(),
        };
        self.place.serve("steward", |token| steward.run(inbox, token));
    }

    /// Lets the model of this device get ready for the first question. Not worth a word when it cannot: the first
    /// question then tells. Then models are timed that were not yet.
    pub fn start_rehearsal(&self, environment: &Environment, options: &LoadOptions) {
        if !self.models.language.is_present() {
            return;
        }
        let mind = Arc::clone(&self.mind);
        let timing = Timing {
            environment: environment.clone(),
            options: options.clone(),
            bus: self.place.bus.clone(),
            hub: self.place.hub.clone(),
            reloading: Arc::new(self.reloading.clone()),
        };
        let prepare = async move {
            mind.rehearse().await;
            timing.run().await;
        };
        self.place.serve_optionally("rehearsal", |cancel| async move {
            cancel.run_until_cancelled(prepare).await;
        });
    }

    /// Ends the front, then the brains, then the back. What the front has settled is on the disk then.
    pub async fn stop(self) {
        let supervisor = &self.place.supervisor;
        supervisor.end_front().await;
        if let Some(state) = &self.state {
            state.flush().await;
        }
        for local in self.reloading.local_brains() {
            local.shutdown().await;
        }
        supervisor.end_back().await;
    }
}

/// What a mind is made of beside its personas.
struct Makings<'a> {
    settings: &'a Settings,
    device: &'a Device,
    hub: &'a Hub,
    tools: &'a BusTools,
    resources: &'a Resources,
    background: &'a Arc<Background>,
    state: Option<&'a State>,
}

impl Makings<'_> {
    /// Makes the mind of the personas that are ready.
    fn mind(self, roll: &mut Roll) -> Mind {
        let (settings, resources) = (self.settings, self.resources);
        let pause = Duration::from_secs_f64(settings.tools.outage_seconds);
        let (ready, default) = (std::mem::take(&mut roll.ready), roll.default_name());
        let remote = Arc::clone(&self.tools.remote);
        Mind::new(ready, default, self.device.clone(), self.hub.clone(), remote)
            .with_turn_cache(TurnCache::pausing(pause))
            .with_skills(Arc::clone(&self.tools.skills))
            .with_toolboxes(own_toolboxes(resources))
            .with_background(Arc::clone(self.background))
            .with_recollection(recollection(settings, resources))
            .with_state(journal(settings, self.state))
    }
}

/// Has what servers refuse written down.
fn telling_brains(brains: Brains, place: &Place, state: Option<&State>) -> Brains {
    let (told, refused) = mpsc::channel(REFUSALS_WAITING);
    if let Some(state) = state.cloned() {
        place.serve("refusals", |token| keep_refusals(state, refused, token));
    }
    brains.telling(told)
}

/// The state file, for turns where the settings want them written down.
fn journal(settings: &Settings, state: Option<&State>) -> Option<State> {
    state.filter(|_| settings.journal.enabled).cloned()
}

/// Makes what persons had remembered known to turns, as far as it comes into them.
fn recollection(settings: &Settings, resources: &Resources) -> Recollection {
    let memory = &settings.memory;
    Recollection::new(
        Arc::clone(&resources.memories),
        memory.brought_tokens,
        memory.notes_conversations,
    )
}

/// Opens the state file. A device that cannot write it answers all the same.
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

/// Lists our toolboxes that the settings offer to everybody.
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
