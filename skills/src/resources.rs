//! What the toolboxes of one process share: their sentences, and what they keep.
//!
//! Made once at the start; nothing here belongs to a single persona.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;

use crate::pack::{self, Answers};
use loquat_device::media::Players;
use loquat_device::notifications::Notifications;
use loquat_device::power::Inhibitor;
use loquat_device::preferences::{Asking, Preferences};
use loquat_device::services::AllowedServices;
use loquat_device::volume::{Mixer, Mixers, mixers};
use loquat_device::{DeviceAddresses, DeviceBus};
use loquat_files::skill_md::SkillFolder;
use loquat_home::HomeAssistant;
use loquat_household::intercom::Intercom;
use loquat_household::people::{Doors, Residents};
use loquat_kit::people::{People, Presence};
use loquat_kit::permission::{Permissions, Rules};
use loquat_kit::records::{Records, Volatile};
use loquat_kit::wording::{self, Wording};
use loquat_kit::{Locales, Rooms, Things};
use loquat_mcp_client::{ServerRules, Servers};
use loquat_notes::lists::Lists;
use loquat_notes::memory::Memories;
use loquat_online::knowledge::Knowledge;
use loquat_online::weather::{Forecaster, WeatherSettings};
use loquat_online::web::{Pages, Searching, WebSettings};
use loquat_time::alerts::{Alerts, Messages, Neighbours, Understands};
use loquat_time::rest::{Hours, Rest};

/// What toolboxes are made with. Clones share it.
#[derive(Debug, Clone)]
pub struct Resources {
    /// The sentences of all skills are read from here.
    pub locales: Arc<Locales>,
    /// What must not be lost.
    pub records: Arc<dyn Records>,
    /// Timers, alarms and reminders are kept here.
    pub alerts: Arc<Alerts>,
    /// Tells which sentences can be kept for later, where a daemon hears sentences.
    pub understands: Option<Arc<dyn Understands>>,
    /// The messages of the bus that may be waited for.
    pub messages: Arc<Messages>,
    /// Answers of others, where a daemon has some.
    answers: Option<Arc<dyn wording::Answers>>,
    /// All lists.
    pub lists: Arc<Lists>,
    /// What persons had remembered.
    pub memories: Arc<Memories>,
    /// Who has been named in which conversation.
    pub residents: Arc<Residents>,
    /// The rooms in which something can be said.
    pub intercom: Arc<Intercom>,
    /// Whether the device sleeps or is to be quiet.
    pub rest: Arc<Rest>,
    /// Which weather service is asked, and from where; read when the first toolbox of weather is made.
    pub weather: WeatherSettings,
    /// This program confines commands.
    pub(crate) confine: PathBuf,
    /// One for all personas, so that what was asked for one serves the others.
    weather_service: Arc<OnceLock<Arc<Forecaster>>>,
    /// Which servers are asked for what is known; read when the first of them is needed.
    pub web: WebSettings,
    /// Where skills in `SKILL.md` files are, the strongest first.
    pub skill_folders: Vec<SkillFolder>,
    knowledge: Arc<OnceLock<Arc<Knowledge>>>,
    pages: Arc<OnceLock<Arc<Pages>>>,
    /// The media players of the device are found through it.
    pub players: Arc<Players>,
    /// What the desktop shows.
    pub notifications: Arc<Notifications>,
    /// The loudness of the device is set through the first of these that works.
    pub(crate) mixers: Mixers,
    /// The owner has named these MCP servers.
    pub mcp: Servers,
    /// The Home Assistant of the home, where one is set.
    pub home_assistant: Option<Arc<HomeAssistant>>,
    /// The services of the machine are reached through it.
    pub(crate) system_bus: DeviceBus,
    /// Those of the system that may be started and stopped.
    pub(crate) services: AllowedServices,
    /// Where its rest is put off.
    pub inhibitor: Arc<Inhibitor>,
    /// What may be asked outside of the device.
    pub permissions: Arc<Permissions>,
    /// What changes settings of the owner, where a daemon does.
    pub(crate) preferences: Option<Arc<dyn Preferences>>,
}

impl Resources {
    /// With these sentences, and this place to keep records.
    pub fn new(locales: Arc<Locales>, records: Arc<dyn Records>) -> Self {
        let residents = Arc::new(Residents::new(Arc::clone(&records), |_| None));
        Self {
            intercom: Arc::new(Intercom::new(Arc::clone(&locales), Arc::clone(&residents))),
            residents,
            memories: Arc::new(Memories::new(Arc::clone(&records), Arc::clone(&locales))),
            locales,
            alerts: Arc::new(Alerts::new(Arc::clone(&records))),
            understands: None,
            messages: Arc::default(),
            answers: None,
            lists: Arc::new(Lists::new(Arc::clone(&records))),
            rest: Arc::new(Rest::new(Arc::clone(&records))),
            records,
            weather: WeatherSettings::default(),
            confine: beside_this_program("loquat-confine"),
            weather_service: Arc::default(),
            web: WebSettings::default(),
            skill_folders: Vec::new(),
            knowledge: Arc::default(),
            pages: Arc::default(),
            players: Arc::new(Players::new(DeviceBus::at(None))),
            notifications: Arc::new(Notifications::new(DeviceBus::at(None))),
            mixers: Arc::new([]),
            mcp: Servers::default(),
            home_assistant: None,
            system_bus: DeviceBus::of_system(None),
            services: AllowedServices::default(),
            inhibitor: Arc::new(Inhibitor::new(None)),
            permissions: Arc::default(),
            preferences: None,
        }
    }

    /// With what tells which sentences are understood; without it none is kept for later.
    #[must_use]
    pub fn with_understanding(self, understands: Arc<dyn Understands>) -> Self {
        Self {
            understands: Some(understands),
            ..self
        }
    }

    /// With the messages of the bus that may be waited for.
    #[must_use]
    pub fn with_messages(self, messages: Messages) -> Self {
        let messages = Arc::new(messages);
        Self { messages, ..self }
    }

    /// With answers of others for languages in which tools have no words.
    #[must_use]
    pub fn with_answers(self, answers: Arc<dyn Answers>) -> Self {
        Self {
            answers: Some(Arc::new(pack::Telling(answers))),
            ..self
        }
    }

    /// With the Home Assistant of the home; nothing is connected to before it is run.
    #[must_use]
    pub fn with_home_assistant(self, home_assistant: Option<Arc<HomeAssistant>>) -> Self {
        Self {
            home_assistant,
            ..self
        }
    }

    /// With these MCP servers, which remember their tools among the records.
    #[must_use]
    pub fn with_mcp(self, rules: Vec<ServerRules>) -> Self {
        let mcp = Servers::new(rules, &self.records);
        Self { mcp, ..self }
    }

    /// With the services of this device; without this none of them is reached.
    #[must_use]
    pub fn with_device(self, addresses: &DeviceAddresses) -> Self {
        let session = DeviceBus::at(addresses.session_bus.clone());
        Self {
            players: Arc::new(Players::new(session.clone())),
            notifications: Arc::new(Notifications::new(session)),
            mixers: mixers(addresses),
            system_bus: DeviceBus::of_system(addresses.system_bus.clone()),
            inhibitor: Arc::new(Inhibitor::new(addresses.system_bus.clone())),
            ..self
        }
    }

    /// With a way to the loudness that is tried before all others.
    #[must_use]
    pub fn with_mixer(self, first: Arc<dyn Mixer>) -> Self {
        let mixers = [first].into_iter().chain(self.mixers.iter().map(Arc::clone));
        let mixers = mixers.collect();
        Self { mixers, ..self }
    }

    /// With these services that may be started and stopped.
    #[must_use]
    pub fn with_services(self, services: AllowedServices) -> Self {
        Self { services, ..self }
    }

    /// With hours of every day in which nothing is said unasked, in the zone of this name.
    #[must_use]
    pub fn with_quiet_hours(self, hours: Option<Hours>, zone: Option<&str>) -> Self {
        let rest = Rest::new(Arc::clone(&self.records)).with_hours(hours, zone);
        let intercom = Intercom::new(Arc::clone(&self.locales), Arc::clone(&self.residents));
        Self {
            rest: Arc::new(rest),
            intercom: Arc::new(intercom.with_hours(hours, zone)),
            ..self
        }
    }

    /// With what tells guests apart; before this is set, each conversation is a door of its own. The quiet hours come after it.
    #[must_use]
    pub fn with_doors(self, doors: Doors) -> Self {
        let residents = Arc::new(Residents::new(Arc::clone(&self.records), doors));
        let intercom = Intercom::new(Arc::clone(&self.locales), Arc::clone(&residents));
        let memories = Memories::new(Arc::clone(&self.records), Arc::clone(&self.locales));
        Self {
            memories: Arc::new(memories.knowing(Arc::<Residents>::clone(&residents))),
            residents,
            intercom: Arc::new(intercom),
            ..self
        }
    }

    /// With who changes settings of the owner.
    #[must_use]
    pub fn with_preferences(self, preferences: Arc<dyn Preferences>) -> Self {
        Self {
            preferences: Some(preferences),
            ..self
        }
    }

    /// With what the owner has said of services outside the device; without this none of them is asked unless the owner
    /// says so.
    #[must_use]
    pub fn with_permissions(self, rules: Rules) -> Self {
        Self {
            permissions: Arc::new(Permissions::new(rules)),
            weather_service: Arc::default(),
            knowledge: Arc::default(),
            pages: Arc::default(),
            ..self
        }
    }

    /// What results are told with.
    pub(crate) fn wording(&self) -> Wording {
        Wording {
            locales: Arc::clone(&self.locales),
            answers: self.answers.clone(),
        }
    }

    /// What the toolbox for alerts asks beside what is kept.
    pub fn neighbours(&self) -> Neighbours {
        Neighbours {
            rooms: self.rooms(),
            understands: self.understands.clone(),
            place: self.place(),
            people: Some(Arc::clone(&self.intercom) as Arc<dyn People>),
            presence: self.presence(),
        }
    }

    /// What tells who is at home, where there is a home.
    fn presence(&self) -> Option<Arc<dyn Presence>> {
        let home = self.home_assistant.as_ref()?;
        Some(Arc::<HomeAssistant>::clone(home))
    }

    /// Latitude and longitude of the device, where they are known.
    fn place(&self) -> Option<(f64, f64)> {
        let home = self.weather.home.as_ref()?;
        Some((home.latitude, home.longitude))
    }

    /// What knows the rooms of the home, where there is one.
    pub(crate) fn rooms(&self) -> Option<Arc<dyn Rooms>> {
        let home = self.home_assistant.as_ref()?;
        Some(Arc::<HomeAssistant>::clone(home))
    }

    /// Tells those who understand sentences what there is that these may name.
    pub fn name_to(&self, things: &Things) {
        things.put(Arc::clone(&self.alerts));
        things.put(Arc::clone(&self.lists));
        things.put(Arc::clone(&self.memories));
        things.put(Arc::clone(&self.messages));
        things.put(Arc::clone(&self.intercom));
        things.put(Arc::clone(&self.residents));
    }

    /// What is needed to ask the owner for a service.
    pub(crate) fn asking(&self) -> Asking {
        Asking {
            permissions: Arc::clone(&self.permissions),
            locales: Arc::clone(&self.locales),
            preferences: self.preferences.clone(),
        }
    }

    /// With these settings of the weather service.
    #[must_use]
    pub fn with_weather(self, weather: WeatherSettings) -> Self {
        Self {
            weather,
            weather_service: Arc::default(),
            ..self
        }
    }

    /// With another program that confines commands than the one beside this program.
    #[must_use]
    pub fn with_confine(self, program: &Path) -> Self {
        let confine = program.to_owned();
        Self { confine, ..self }
    }

    /// With these settings of what is searched and looked up.
    #[must_use]
    pub fn with_web(self, web: WebSettings) -> Self {
        Self {
            web,
            knowledge: Arc::default(),
            pages: Arc::default(),
            ..self
        }
    }

    /// With these folders of skills.
    #[must_use]
    pub fn with_skill_folders(self, skill_folders: Vec<SkillFolder>) -> Self {
        Self {
            skill_folders,
            ..self
        }
    }

    /// The works that are asked for what is known.
    pub fn knowledge(&self) -> Arc<Knowledge> {
        let made = self.knowledge.get_or_init(|| {
            let locales = Arc::clone(&self.locales);
            let now = Arc::new(Timestamp::now);
            Arc::new(Knowledge::new(&self.web, &self.permissions, locales, now))
        });
        Arc::clone(made)
    }

    pub(crate) fn pages(&self) -> Arc<Pages> {
        let made = || Arc::new(Pages::new(&self.web, &self.permissions));
        Arc::clone(self.pages.get_or_init(made))
    }

    pub(crate) fn searching(&self) -> Arc<Searching> {
        Arc::new(Searching::new(
            &self.web,
            &self.permissions,
            Arc::clone(&self.knowledge().wikipedia),
        ))
    }

    pub(crate) fn weather_service(&self) -> Arc<Forecaster> {
        let made = self
            .weather_service
            .get_or_init(|| Arc::new(Forecaster::new(self.weather.clone(), &self.permissions)));
        Arc::clone(made)
    }

    /// Of a process that only looks at toolboxes, or that has no place to write: what is kept ends with the process.
    pub fn volatile(locales: Arc<Locales>) -> Self {
        Self::new(locales, Arc::new(Volatile::default()))
    }
}

fn beside_this_program(name: &str) -> PathBuf {
    let this = std::env::current_exe().unwrap_or_default();
    this.with_file_name(name)
}
