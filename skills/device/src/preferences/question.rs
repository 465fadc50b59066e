//! The question to the owner whether a service outside the device may be asked from now on, and what each answer comes to.
//!
//! A clear no is not asked again; silence and unclear words say nothing for the next time.

use std::sync::Arc;

use loquat_agent::consent::{Consent, Request};
use loquat_agent::toolbox::{Circumstances, Tool};
use serde_json::Map;

use super::{FOLDER, Preferences};
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::folded;
use loquat_kit::locale::Locales;
use loquat_kit::permission::{Permissions, Service, Standing};

/// The list of what services are called, the name that is told first.
const NAMES: &str = "service";

/// What is said where a language has no such words.
const ENGLISH: &str = "en";

/// What is needed to ask.
#[derive(Debug, Clone)]
pub struct Asking {
    /// What the owner has said so far.
    pub permissions: Arc<Permissions>,
    /// The questions are read from here.
    pub locales: Arc<Locales>,
    /// What keeps the answer, where a daemon does.
    pub preferences: Option<Arc<dyn Preferences>>,
}

impl Asking {
    /// Lets a call through that asks a service, once the owner has allowed it; otherwise gives the sentence for the person.
    pub(crate) async fn leave(
        &self,
        service: Service,
        tool: &Tool,
        person: &Circumstances,
    ) -> Result<(), String> {
        if let Some(persona) = &person.offline {
            let offline = Telling::new("offline").words("name", persona.clone());
            return Err(self.sentence(offline, service, person));
        }
        match self.permissions.of(service) {
            Standing::Allowed => Ok(()),
            Standing::Denied => Err(self.refusal(service, person)),
            Standing::Unasked => {
                self.ask(service, &tool.toolbox_id, &tool.name, false, person)
                    .await
            }
        }
    }

    /// Asks the owner, also where they have said no before.
    pub async fn ask_anew(
        &self,
        service: Service,
        toolbox_id: &str,
        tool: &str,
        person: &Circumstances,
    ) -> Result<(), String> {
        self.ask(service, toolbox_id, tool, true, person).await
    }

    /// Asks the owner; what they say counts from now on.
    async fn ask(
        &self,
        service: Service,
        toolbox_id: &str,
        tool: &str,
        is_anew: bool,
        person: &Circumstances,
    ) -> Result<(), String> {
        if self.permissions.of(service) == Standing::Allowed {
            return Ok(());
        }
        let told = |dialog| self.sentence(Telling::new(dialog), service, person);
        let Some(owner) = person.person.get() else {
            return Err(told("not_allowed"));
        };
        let _floor = self.permissions.floor().await;
        match self.permissions.of(service) {
            Standing::Allowed => return Ok(()),
            Standing::Denied if !is_anew => return Err(self.refusal(service, person)),
            Standing::Denied | Standing::Unasked => {}
        }
        let request = Request {
            session_id: person.session_id.clone(),
            turn_id: person.turn_id.clone(),
            call_id: person.call_id.clone(),
            toolbox_id: toolbox_id.to_owned(),
            tool: tool.to_owned(),
            description: String::new(),
            arguments: Arc::new(Map::new()),
            told: None,
            pin: false,
            lang: person.lang.clone(),
            is_guess: false,
            restated: None,
            wording: None,
            question: Some(told(if is_anew { "may_i_at_all" } else { "may_i" })),
        };
        match owner.consents(&request).await {
            Consent::Given => {
                self.keep(service, Standing::Allowed).await;
                Ok(())
            }
            Consent::Refused => {
                self.keep(service, Standing::Denied).await;
                Err(told("refused"))
            }
            Consent::Unclear => Err(told("unclear")),
            Consent::Barred => Err(told("not_allowed")),
        }
    }

    /// Has this count at once, and from the next start on.
    pub async fn keep(&self, service: Service, standing: Standing) {
        self.permissions.note(service, standing);
        let Some(preferences) = &self.preferences else {
            return;
        };
        if let Err(why) = preferences.network(service, standing).await {
            // A part of it may have been written, and read again.
            self.permissions.note(service, standing);
            tracing::warn!(
                service = service.name(),
                "what the owner said counts until the next start: {why}"
            );
        }
    }

    /// Why a service that is denied is not asked.
    fn refusal(&self, service: Service, person: &Circumstances) -> String {
        let dialog = if person.person.get().is_some() {
            "denied"
        } else {
            "not_allowed"
        };
        self.sentence(Telling::new(dialog), service, person)
    }

    /// In the person's language, or in English where it has no such words.
    pub fn sentence(&self, telling: Telling, service: Service, person: &Circumstances) -> String {
        let telling = of(service, telling);
        let in_language = |lang: &str| {
            let person = Circumstances {
                lang: Some(lang.to_owned()),
                ..Circumstances::default()
            };
            telling.sentence(&self.locales, FOLDER, &person)
        };
        let lang = person.lang.as_deref().unwrap_or(ENGLISH);
        in_language(lang)
            .or_else(|| in_language(ENGLISH))
            .unwrap_or_else(|| format!("{} may not be asked.", service.title()))
    }
}

/// What is told of a service, by its name in the person's language.
pub(super) fn of(service: Service, telling: Telling) -> Telling {
    let name = Gap::Listed {
        list: NAMES,
        name: service.name(),
        one: true,
    };
    telling.with("service", name)
}

/// The service that these words name in a language.
pub fn named(said: &str, locales: &Locales, lang: &str) -> Option<Service> {
    let said = folded(said);
    let file = format!("{NAMES}.value");
    let mut names = locales.values(FOLDER, lang, &file);
    let (name, _) = names.find(|(_, words)| words.split('|').any(|words| folded(words) == said))?;
    name.trim().parse().ok()
}
