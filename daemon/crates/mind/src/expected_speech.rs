//! What this device knows of what people say to it, for its ear: words that stop, a yes or a no, and sentences of skills that
//! leave nothing to be understood; and the names of its personas, rooms and things. Runs nothing of what it knows.

use std::sync::Arc;
use std::time::Duration;

use loquat_orchestrator::effort::Effort;
use loquat_phrases::Phrases;
use loquat_phrases::assent::Reply;
use loquat_sentences::words::words;
use loquat_skills::home::HomeAssistant;
use loquat_skills::{Lists, Players, Resources};
use loquat_speech::{Completeness, KnownSpeech, Names};
use loquat_wire::{Session, session};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::mind::Mind;
use crate::spoken_tools::CurrentSentences;
use crate::tools::Registered;

/// A longer text is no short command, and comparing it takes its time.
const LONGEST: usize = 160;

/// How old collected names may be: a thing that was renamed is known soon enough.
const FRESH: Duration = Duration::from_secs(30);

/// The names of one language, and when and of what they were collected.
#[derive(Debug)]
struct Collected {
    lang: String,
    at: Instant,
    changing: Changing,
    names: Arc<Names>,
}

/// What may change while people speak of it.
#[derive(Debug)]
struct Changing {
    lists: Arc<[String]>,
    players: Arc<[String]>,
}

impl Changing {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.lists, &other.lists) && Arc::ptr_eq(&self.players, &other.players)
    }
}

/// Asks those who know.
#[derive(Debug)]
pub struct ExpectedSpeech {
    spoken: CurrentSentences,
    registered: Registered,
    mind: Arc<Mind>,
    home: Option<Arc<HomeAssistant>>,
    lists: Arc<Lists>,
    players: Arc<Players>,
    collected: Mutex<Option<Collected>>,
}

impl ExpectedSpeech {
    /// From our skills, those of others, the personas, and the home, the lists and the media players of these resources.
    pub fn new(
        spoken: &CurrentSentences,
        registered: &Registered,
        mind: &Arc<Mind>,
        resources: &Resources,
    ) -> Self {
        Self {
            spoken: spoken.clone(),
            registered: registered.clone(),
            mind: Arc::clone(mind),
            home: resources.home_assistant.clone(),
            lists: Arc::clone(&resources.lists),
            players: Arc::clone(&resources.players),
            collected: Mutex::new(None),
        }
    }

    /// Whether what a person filled into a sentence leaves no doubt: it holds a number, or is a name.
    fn is_certain(&self, filled_in: &[String], lang: &str) -> bool {
        let names = self.names(lang);
        let is_certain = |text: &String| text.contains(|sign: char| sign.is_ascii_digit()) || names.has(text);
        filled_in.iter().all(is_certain)
    }

    fn is_said_to_a_skill(&self, text: &str, lang: &str) -> bool {
        let filled_in = self.spoken.now().filled_in(text, lang);
        if filled_in.is_some_and(|filled_in| self.is_certain(&filled_in, lang)) {
            return true;
        }
        let session = Session::named(session::DEFAULT_SESSION_ID);
        let (said, mut effort) = (words(text), Effort::LITTLE);
        let found = self
            .registered
            .now()
            .recognise(&said, lang, &session, "", &mut effort);
        found.first().is_some_and(|found| {
            let filled_in: Vec<String> = found.slots.iter().map(|(_, text)| text.clone()).collect();
            self.is_certain(&filled_in, lang)
        })
    }

    fn changing(&self) -> Changing {
        Changing {
            lists: self.lists.named(),
            players: self.players.named(),
        }
    }

    fn collect(&self, lang: &str, changing: &Changing) -> Names {
        let personas = self.mind.offered();
        let registered = self.registered.now();
        let home = self.home.as_ref().map(|home| home.names()).unwrap_or_default();
        let personas = personas.iter().map(|persona| persona.name.as_str());
        // Those of strangers come last: there is an end to how many are looked at.
        let own = home
            .iter()
            .chain(changing.players.iter())
            .chain(changing.lists.iter());
        let names = personas.chain(own.map(String::as_str));
        Names::new(names.chain(registered.values(lang)), lang)
    }
}

impl KnownSpeech for ExpectedSpeech {
    fn knows(&self, text: &str, lang: &str) -> bool {
        if text.len() > LONGEST {
            return false;
        }
        let phrases = Phrases::of(lang);
        let is_answer = match phrases.reply(text, &[]) {
            Reply::Yes | Reply::Stop => true,
            // A no counts wherever it stands, also in what says much more.
            Reply::No => text.split_whitespace().count() <= 2,
            Reply::Unclear | Reply::Other => false,
        };
        is_answer
            || phrases.orders.is_stop_everything(text)
            || phrases.orders.is_dismissal(text)
            || self.is_said_to_a_skill(text, lang)
    }

    fn completeness(&self, text: &str, lang: &str) -> Completeness {
        if text.len() > LONGEST {
            Completeness::Unsure
        } else if self.knows(text, lang) {
            Completeness::Whole
        } else {
            self.spoken.now().completeness(text, lang)
        }
    }

    fn names(&self, lang: &str) -> Arc<Names> {
        let changing = self.changing();
        let mut collected = self.collected.lock();
        if let Some(known) = &*collected
            && known.lang == lang
            && known.changing.is(&changing)
            && known.at.elapsed() < FRESH
        {
            return Arc::clone(&known.names);
        }
        let names = Arc::new(self.collect(lang, &changing));
        *collected = Some(Collected {
            lang: lang.to_owned(),
            at: Instant::now(),
            changing,
            names: Arc::clone(&names),
        });
        names
    }
}
