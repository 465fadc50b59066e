//! The mind: personas made ready to answer.
//!
//! At the start every persona's handlers get their engine, brain and toolboxes; a turn then only picks them up.
//! Handlers are tried in order until one answers. What comes out is always something to say, or silence on purpose.

mod abilities;
mod assisted;
mod attempt;
mod brains;
mod delegation;
mod first_request;
mod intended;
mod lines;
mod moment;
mod no_brain;
mod offered;
mod personas;
mod reading_ahead;
mod ready;
mod recollection;
pub mod refusals;
mod reporting;
mod trial;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::Zoned;
use loquat_agent::Speaker;
use loquat_agent::brain::{ChatMessage, Sampling};
use loquat_agent::consent::Person;
use loquat_agent::journal::{Entry, Journal, answer_on_record, offered, resume};
use loquat_agent::record::{Reason, Record};
use loquat_agent::reflection::reflect;
use loquat_agent::toolbox::{Arrivals, Tool, Toolbox};
use loquat_agent::turn::{IntendedCall, Means, Question, StopSignal, TurnCache};
use loquat_part::elsewhere::Elsewhere;
use loquat_part::events::Hub;
use loquat_phrases::Phrases;
use loquat_state::State;
use loquat_wire::{Session, language, with};
use parking_lot::{Mutex, MutexGuard, RwLock};
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use self::attempt::{Attempt, Stack, beside};
pub use self::brains::{Brains, BrainsError, LocalModel};
use self::delegation::Chain;
pub use self::first_request::sent_first;
use self::intended::intended_for;
use self::lines::Lines;
use self::moment::told;
use self::ready::LOOKUP_SECONDS;
pub use self::ready::{Handler, Lookup, ReadyError, ReadyPersona};
pub use self::recollection::Recollection;
use self::reporting::reported;
use crate::background::{Background, BackgroundArrivals, BackgroundToolbox};
use crate::device::{Device, DeviceNow};
use crate::reply::{Reply, undone, worded};
use crate::spoken_tools::{CurrentSentences, LastSaid};
use crate::tools::{InstalledSkills, LateToolboxes, PersonaToolboxes, RemoteToolboxes, Rivals};

/// Once looking up has taken so long, nothing more is looked up for an utterance.
const LOOKUP_TIME: Duration = Duration::from_secs(LOOKUP_SECONDS);

/// All personas, ready to answer.
#[derive(Debug)]
pub struct Mind {
    roster: RwLock<Roster>,
    /// Tells that others answer than before.
    replaced: watch::Sender<()>,
    device: DeviceNow,
    hub: Hub,
    remote: Arc<RemoteToolboxes>,
    /// What lasts from turn to turn.
    turn_cache: Arc<TurnCache>,
    /// The skills that may be called as tools.
    skills: Option<Arc<InstalledSkills>>,
    /// Lists of personas as tools, so that turns which are offered the same share one.
    lists: Mutex<Vec<Arc<[Tool]>>>,
    /// How many brains may be asked at once.
    lines: Lines,
    /// Where turns are written down.
    state: Option<State>,
    /// Ids of personas that were taken back: sessions that use them are served, new ones are not (PERSONA-1 §9).
    retired: Mutex<BTreeSet<String>>,
    /// Whether a person or a program has set the emergency stop.
    emergency_stop: AtomicBool,
    /// What persons had remembered.
    recollection: Option<Recollection>,
    /// What was told of tools with one name.
    rivals: Rivals,
    /// Where calls go on after their turn.
    background: Option<Arc<Background>>,
    /// Turns may be thought there.
    elsewhere: Option<Arc<dyn Elsewhere>>,
    sentences: Option<CurrentSentences>,
}

/// Who can answer. Turns that run keep the persona with which they began.
#[derive(Debug, Default)]
struct Roster {
    personas: Vec<Arc<ReadyPersona>>,
    default: Option<String>,
    /// These toolboxes of the process understand sentences without a brain.
    own: Arc<[Arc<dyn Toolbox>]>,
}

impl Roster {
    fn new(personas: Vec<ReadyPersona>, default: Option<String>) -> Self {
        Self {
            personas: personas.into_iter().map(Arc::new).collect(),
            default,
            own: Arc::default(),
        }
    }
}

/// What was said, and in which conversation.
#[derive(Debug)]
pub struct Utterance {
    /// Becomes the turn's id.
    pub turn_id: String,
    /// The frame brought the session so.
    pub session: Session,
    /// These words were said.
    pub text: String,
    /// Language of the answer, BCP-47.
    pub lang: String,
    /// Who speaks.
    pub speaker: Speaker,
    /// It is `voice`, `text`, `query`, `scheduled` or `event`.
    pub channel: &'static str,
    /// The door by which it came from elsewhere, as a channel of its own: `satellite`, `hive` or `mcp`. What may not be done there
    /// may not be done.
    pub door: Option<&'static str>,
    /// By which channel it was set, where it was kept for later: what may not be done by that may not be done now.
    pub set_by: Option<String>,
    /// Whether the words may be those of strangers.
    pub is_foreign: bool,
    /// Whether the answer may be silence whatever the persona says of that.
    pub may_be_silent: bool,
    /// The keys of a frame that bring what is told to the person.
    pub route: Map<String, Value>,
    /// The call that it asks for, where a tool understood it without a brain.
    pub intended: Option<IntendedCall>,
    /// What was done that this call takes back, in a few words.
    pub undoing: Option<String>,
    /// How the asker wants the answer to be drawn.
    pub sampling: Sampling,
    /// The session's earlier utterances and answers.
    pub history: Vec<ChatMessage>,
    /// As much of the last answer as was heard, where the person interrupted it.
    pub interrupted: Option<String>,
    /// As what the sentence before was understood without a brain.
    pub last: Option<Arc<LastSaid>>,
    /// What was remembered long before and may help; the mind looks it up itself.
    pub memories: Vec<String>,
    /// What was written of it before a crash, by attempt; usually nothing.
    pub past: Vec<Vec<Entry>>,
}

impl Utterance {
    /// Whether a toolbox may do something for who speaks: the session does not deny it, and for a guest whom one persona alone
    /// serves it is one of that persona's.
    fn may_use(&self, persona: &ReadyPersona, toolbox_id: &str) -> bool {
        let is_bound = self.speaker.bound_to().is_some();
        !self.denies(toolbox_id) && (!is_bound || persona.has_toolbox_for_guests(toolbox_id))
    }

    /// Whether the session keeps a toolbox from answering.
    fn denies(&self, toolbox_id: &str) -> bool {
        self.session.blacklisted_skills().contains(&toolbox_id)
    }

    /// Words that a person at the device says, in a new conversation.
    pub fn aloud(text: &str, lang: &str) -> Self {
        Self {
            turn_id: String::new(),
            session: Session::default(),
            text: text.to_owned(),
            lang: lang.to_owned(),
            speaker: Speaker::Owner,
            channel: "voice",
            door: None,
            set_by: None,
            is_foreign: false,
            may_be_silent: false,
            route: Map::new(),
            intended: None,
            undoing: None,
            sampling: Sampling::default(),
            history: Vec::new(),
            interrupted: None,
            last: None,
            memories: Vec::new(),
            past: Vec::new(),
        }
    }
}

impl Mind {
    /// The device stands elsewhere, or measures otherwise, from the next turn on.
    pub fn stands(&self, device: Device) {
        self.device.change(device);
    }

    /// A mind of these personas; `default` names the one that answers when none is asked for.
    pub fn new(
        personas: Vec<ReadyPersona>,
        default: Option<String>,
        device: Device,
        hub: Hub,
        remote: Arc<RemoteToolboxes>,
    ) -> Self {
        Self {
            roster: RwLock::new(Roster::new(personas, default)),
            replaced: watch::Sender::default(),
            device: DeviceNow::new(device),
            hub,
            remote,
            turn_cache: Arc::default(),
            skills: None,
            lists: Mutex::default(),
            lines: Lines::default(),
            state: None,
            retired: Mutex::default(),
            emergency_stop: AtomicBool::default(),
            recollection: None,
            rivals: Rivals::default(),
            background: None,
            elsewhere: None,
            sentences: None,
        }
    }

    /// Adds the sentences by which tools that fit are found.
    #[must_use]
    pub fn with_sentences(mut self, sentences: CurrentSentences) -> Self {
        self.sentences = Some(sentences);
        self
    }

    /// Adds who thinks elsewhere.
    #[must_use]
    pub fn with_elsewhere(mut self, elsewhere: Option<Arc<dyn Elsewhere>>) -> Self {
        self.elsewhere = elsewhere;
        self
    }

    /// Adds the place where calls go on after their turn.
    #[must_use]
    pub fn with_background(mut self, background: Arc<Background>) -> Self {
        self.background = Some(background);
        self
    }

    /// Adds what persons had remembered.
    #[must_use]
    pub fn with_recollection(mut self, recollection: Recollection) -> Self {
        self.recollection = Some(recollection);
        self
    }

    /// Adds the toolboxes that answer what they understand without a brain.
    #[must_use]
    pub fn with_toolboxes(mut self, own: Vec<Arc<dyn Toolbox>>) -> Self {
        self.roster.get_mut().own = own.into();
        self
    }

    /// Adds the skills that may be called as tools.
    #[must_use]
    pub fn with_skills(mut self, skills: Arc<InstalledSkills>) -> Self {
        self.skills = Some(skills);
        self
    }

    /// Adds a place to write turns down.
    #[must_use]
    pub fn with_state(mut self, state: Option<State>) -> Self {
        self.state = state;
        self
    }

    /// Takes another memory of what lasts from turn to turn.
    #[must_use]
    pub fn with_turn_cache(mut self, turn_cache: TurnCache) -> Self {
        self.turn_cache = Arc::new(turn_cache);
        self
    }

    /// A persona by id or name, without regard to case.
    pub fn find(&self, id_or_name: &str) -> Option<Arc<ReadyPersona>> {
        let wanted = id_or_name.trim().to_lowercase();
        let is_wanted = |persona: &&Arc<ReadyPersona>| {
            persona.id.to_lowercase() == wanted || persona.name.to_lowercase() == wanted
        };
        let roster = self.roster.read();
        roster.personas.iter().find(is_wanted).map(Arc::clone)
    }

    /// Puts others in the place of all personas, and of the toolboxes that answer without a brain. Turns that run end with
    /// those with which they began.
    pub fn replace(&self, personas: Vec<ReadyPersona>, default: Option<String>, own: Vec<Arc<dyn Toolbox>>) {
        *self.roster.write() = Roster {
            own: own.into(),
            ..Roster::new(personas, default)
        };
        self.replaced.send_replace(());
    }

    fn own(&self) -> Arc<[Arc<dyn Toolbox>]> {
        Arc::clone(&self.roster.read().own)
    }

    /// Changes whenever all personas were replaced.
    pub fn replacements(&self) -> watch::Receiver<()> {
        self.replaced.subscribe()
    }

    /// The persona of this id or name, unless it was taken back.
    pub fn find_offered(&self, id_or_name: &str) -> Option<Arc<ReadyPersona>> {
        self.find(id_or_name)
            .filter(|persona| !self.retired().contains(&persona.id))
    }

    /// Takes a persona back, or offers it again. Nothing happens for one that is not there.
    pub fn offer(&self, id: &str, offered: bool) {
        let Some(persona) = self.find(id) else { return };
        if offered {
            self.retired().remove(&persona.id);
        } else {
            self.retired().insert(persona.id.clone());
        }
    }

    /// The personas that are offered, in their order.
    pub fn offered(&self) -> Vec<Arc<ReadyPersona>> {
        let retired = self.retired().clone();
        let roster = self.roster.read();
        let offered = roster
            .personas
            .iter()
            .filter(|persona| !retired.contains(&persona.id));
        offered.map(Arc::clone).collect()
    }

    fn retired(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.retired.lock()
    }

    /// The persona that answers when none is asked for.
    pub fn default_persona(&self) -> Option<Arc<ReadyPersona>> {
        let default = self.roster.read().default.clone();
        let named = default.as_deref().and_then(|name| self.find(name));
        named.or_else(|| self.roster.read().personas.first().map(Arc::clone))
    }

    /// Whether a person has had everything of a session forgotten since this was asked last.
    pub fn was_emptied(&self, session_id: &str) -> bool {
        let recollection = self.recollection.as_ref();
        recollection.is_some_and(|recollection| recollection.was_emptied(session_id))
    }

    /// The person said stop: a session in which nothing worked any more may try again.
    pub fn stopped(&self, session_id: &str) {
        self.turn_cache.clear(session_id);
    }

    /// Whether nothing is thought and no tool run until that is cleared.
    pub fn is_emergency_stopped(&self) -> bool {
        self.emergency_stop.load(Ordering::SeqCst)
    }

    /// Sets the emergency stop. Clears it, and with it what failures have stopped in single sessions.
    pub fn set_emergency_stop(&self, set: bool) {
        self.emergency_stop.store(set, Ordering::SeqCst);
        if !set {
            self.turn_cache.clear_all();
        }
    }

    /// What `ovos.persona.list` shows (PERSONA-1 §8.7).
    pub fn listing(&self) -> Vec<Value> {
        let entry = |persona: &Arc<ReadyPersona>| {
            let entry = json!({"persona_id": persona.id, "name": persona.name});
            if persona.tags.is_empty() {
                entry
            } else {
                with(entry, "tags", json!(persona.tags))
            }
        };
        self.offered().iter().map(entry).collect()
    }

    /// Answers an utterance. Never fails and never panics: every path ends with words or with silence on purpose.
    /// `person` is asked before a tool may do harm; without anybody it is not run.
    pub async fn answer(
        self: &Arc<Self>,
        persona: &ReadyPersona,
        utterance: Utterance,
        stop: StopSignal,
        person: Option<Arc<dyn Person>>,
    ) -> Reply {
        let phrases = Phrases::of(&utterance.lang);
        if self.is_emergency_stopped() {
            return Reply::instead(Reason::EmergencyStop, phrases.emergency_stop(true));
        }
        let (utterance, is_understood) = self.with_its_call(persona, utterance);
        let tools = self.tools(persona, &utterance);
        let memories = if is_understood && tools.is_some() {
            Vec::new()
        } else {
            self.memories(persona, &utterance).await
        };
        if let Some(apology) = persona.apology.as_ref().filter(|_| tools.is_none()) {
            return Reply::instead(Reason::Noop, apology);
        }
        let mut asked = Asked {
            utterance: Utterance {
                memories,
                ..utterance
            },
            is_understood,
            stop,
            person,
        };
        let tried = self.try_handlers(persona, tools.as_ref(), &mut asked).await;
        let undoing = asked.utterance.undoing.as_deref();
        match tried {
            Some((record, handler)) => replied(persona, handler, record, undoing, phrases),
            None if undoing.is_some() => Reply::instead(Reason::Answered, &phrases.not_undone),
            None => Reply::instead(Reason::LlmError, &phrases.no_persona),
        }
    }

    /// What was remembered long before and may help a brain of this persona.
    async fn memories(&self, persona: &ReadyPersona, utterance: &Utterance) -> Vec<String> {
        match self.recollection.as_ref().filter(|_| persona.remembers) {
            Some(recollection) => recollection.for_turn(utterance).await,
            None => Vec::new(),
        }
    }

    /// The utterance with the call that it asks for, as far as who speaks may have it made; and whether a tool understood it.
    fn with_its_call(&self, persona: &ReadyPersona, utterance: Utterance) -> (Utterance, bool) {
        let may_use = |call: &IntendedCall| utterance.may_use(persona, &call.toolbox_id);
        let assisted = self.assisted(persona, &utterance).filter(may_use);
        let intended = utterance.intended.clone();
        let intended = intended.filter(|call| call.all().all(may_use));
        let is_understood = intended.is_some();
        let intended = intended.or(assisted);
        (
            Utterance {
                intended,
                ..utterance
            },
            is_understood,
        )
    }

    /// Tries the tools, and then the handlers of the persona, until one has answered. The record of the last comes back.
    async fn try_handlers<'a>(
        self: &Arc<Self>,
        persona: &'a ReadyPersona,
        tools: Option<&'a Handler>,
        asked: &mut Asked,
    ) -> Option<(Record, &'a Handler)> {
        let chain = Chain::of(persona).of_words(asked.utterance.is_foreign);
        let (mut last, mut looked_up) = (None, Duration::ZERO);
        // What cannot be undone so is not for a brain to undo in another way.
        let is_undo = asked.utterance.undoing.is_some();
        let others = persona.handlers.iter().filter(|_| !is_undo);
        let (door, channel) = (asked.utterance.door, asked.utterance.channel);
        let others = others.map(|handler| handler.answering(door, channel));
        for (number, handler) in tools.into_iter().chain(others).enumerate() {
            // What Assist did not take was understood nowhere.
            if number > 0 && !asked.is_understood {
                asked.utterance.intended = None;
            }
            let Ok(intended) = begins_with(persona, handler, &asked.utterance, looked_up) else {
                continue;
            };
            let record = self
                .ask(Attempt {
                    persona,
                    handler,
                    number,
                    utterance: &asked.utterance,
                    intended,
                    stop: asked.stop.clone(),
                    person: asked.person.clone(),
                    chain: &chain,
                })
                .await;
            if !handler.thinks() {
                looked_up += record.elapsed;
            }
            // Another handler would begin anew, and do once more what was done or may have been.
            let is_unanswered = if number == 0 && tools.is_some() {
                record.reason == Reason::Noop && record.attempted().next().is_none()
            } else {
                leaves_to_the_next(handler, &record)
            };
            last = Some((record, handler));
            if !is_unanswered {
                break;
            }
        }
        last
    }

    /// What goes before the persona's own handlers where a tool understood the utterance: that tool, without a brain, in
    /// the limits and by the rules of the persona.
    fn tools(&self, persona: &ReadyPersona, utterance: &Utterance) -> Option<Handler> {
        if let Some(intended) = utterance.intended.as_ref().filter(|call| call.undoes) {
            let asked =
                |toolbox: &&Arc<dyn Toolbox>| intended.all().any(|call| call.toolbox_id == toolbox.id());
            let own: Vec<_> = self.own().iter().filter(asked).cloned().collect();
            let of_sentence = (!own.is_empty()).then(|| Handler::without_brain(own, persona.thinker()));
            let of_persona = persona.undoing(&intended.toolbox_id);
            return of_persona.filter(|_| intended.further.is_empty()).or(of_sentence);
        }
        let intended = utterance.intended.as_ref().filter(|_| persona.leaves_to_tools)?;
        let asked = |toolbox: &&Arc<dyn Toolbox>| intended.all().any(|call| call.toolbox_id == toolbox.id());
        let toolboxes: Vec<_> = self.own().iter().filter(asked).cloned().collect();
        (!toolboxes.is_empty()).then(|| Handler::without_brain(toolboxes, persona.thinker()))
    }

    /// Looks back on a conversation with this persona: notes that take the place of those so far. Nothing when the
    /// brain has none or fails, which loses nothing yet. Cancel safe.
    pub async fn reflect(
        &self,
        persona: &ReadyPersona,
        session_id: &str,
        notes: Option<&str>,
        messages: &[ChatMessage],
    ) -> Option<String> {
        let handler = persona.thinker().filter(|_| !self.is_emergency_stopped())?;
        let reflected = reflect(&*handler.brain, notes, messages, &handler.prompt).await;
        if let Some(recollection) = self.recollection.as_ref().filter(|_| persona.remembers) {
            recollection.note(session_id, messages, handler).await;
        }
        // The model of this device has read something else meanwhile than what questions begin with.
        self.rehearse().await;
        reflected
            .inspect_err(|error| tracing::debug!(%error, "failed to look back on a conversation"))
            .ok()
            .flatten()
    }

    /// A list that equals this one, if turns were offered it before.
    fn shared_list(&self, tools: Vec<Tool>) -> Arc<[Tool]> {
        const MOST: usize = 64;
        let mut lists = self.lists.lock();
        if let Some(list) = lists.iter().find(|list| list[..] == tools[..]) {
            return Arc::clone(list);
        }
        let list: Arc<[Tool]> = tools.into();
        if lists.len() >= MOST {
            lists.remove(0);
        }
        lists.push(Arc::clone(&list));
        list
    }

    async fn toolboxes(&self, handler: &Handler) -> Vec<Arc<dyn Toolbox>> {
        let mut toolboxes = handler.toolboxes.clone();
        toolboxes.extend(self.remote.find(&handler.remote, &self.turn_cache).await);
        match &self.background {
            Some(background) => toolboxes
                .into_iter()
                .map(|toolbox| BackgroundToolbox::of(toolbox, background))
                .collect(),
            None => toolboxes,
        }
    }

    /// Toolboxes that come while a turn runs.
    fn arrivals(&self, late: Option<Arc<LateToolboxes>>) -> Option<Arc<dyn Arrivals>> {
        let late = late? as Arc<dyn Arrivals>;
        Some(match &self.background {
            Some(background) => BackgroundArrivals::of(late, background),
            None => late,
        })
    }

    /// Runs one attempt at an utterance to its end.
    async fn ask(self: &Arc<Self>, mut attempt: Attempt<'_>) -> Record {
        let Stack { means, late } = self.stack(&attempt).await;
        let question = Question {
            is_foreign: attempt.chain.is_foreign,
            intended: attempt.intended.take(),
            selection: self.selection(&attempt, &means.toolboxes),
            restating: self.restating(&attempt),
            ..question(
                &self.device.now(),
                attempt.persona,
                attempt.handler,
                attempt.utterance,
            )
        };
        let means = self.placed(&attempt, &question, means);
        for tools in attempt.past().into_iter().flat_map(|past| offered(past)) {
            self.remote.prepare(tools, &self.turn_cache).await;
        }
        // On the heap: it is large, and may be held beside the search for toolboxes.
        let turn = Box::pin(self.on_record(&attempt, question, means));
        let record = match late {
            Some(late) => beside(turn, late.look()).await,
            None => turn.await,
        };
        if let Some(fault) = &record.fault {
            let session = attempt.utterance.session.id();
            tracing::warn!(session, reason = ?record.reason, fault, "a turn failed");
        }
        record
    }

    /// The means of a turn, as a worker has them where one thinks. What goes on after a crash goes on here,
    /// and what a persona asks is a call of its turn.
    fn placed(&self, attempt: &Attempt<'_>, question: &Question, means: Means) -> Means {
        let may_leave = attempt.past().is_none() && !attempt.chain.is_asked_by_persona();
        match self.elsewhere.as_ref().filter(|_| may_leave) {
            Some(elsewhere) => {
                elsewhere.place(&attempt.persona.name, attempt.handler.engine, question, means)
            }
            None => means,
        }
    }

    /// Runs the turn, written down where that is wanted. What a persona asks is written down by the call that asks: durably
    /// before, and with its result.
    async fn on_record(&self, attempt: &Attempt<'_>, question: Question, means: Means) -> Record {
        let handler = attempt.handler;
        let is_written = !attempt.chain.is_asked_by_persona();
        let Some(state) = self.state.as_ref().filter(|_| is_written) else {
            return loquat_agent::answer(handler.engine, question, means).await;
        };
        let journal = state.journal(&attempt.utterance.turn_id, attempt.number);
        match attempt.past() {
            None => answer_on_record(handler.engine, question, means, journal).await,
            Some(past) => go_on(past.clone(), means, journal, question, handler).await,
        }
    }
}

impl PersonaToolboxes for Mind {
    fn offers_toolbox(&self, persona: &str, toolbox_id: &str) -> bool {
        let offered = self.find_offered(persona);
        offered.is_some_and(|persona| persona.has_toolbox_for_guests(toolbox_id))
    }
}

/// What is to be answered, and by whose leave.
struct Asked {
    utterance: Utterance,
    /// Whether a tool understood it without a brain.
    is_understood: bool,
    stop: StopSignal,
    /// Who is asked before a tool may do harm.
    person: Option<Arc<dyn Person>>,
}

/// What is said of a record.
fn replied(
    persona: &ReadyPersona,
    handler: &Handler,
    record: Record,
    undoing: Option<&str>,
    phrases: &Phrases,
) -> Reply {
    let result = reported(persona, handler, &record);
    let said = match undoing {
        Some(deed) => undone(record, deed, phrases),
        None => worded(record, phrases),
    };
    let result = with(result, "answer", said.text.as_str());
    Reply {
        result: Some(result),
        ..said
    }
}

/// A handler looks up nothing for these words, or has no time left.
struct PassedOver;

/// The call that this handler begins with, if any.
fn begins_with(
    persona: &ReadyPersona,
    handler: &Handler,
    utterance: &Utterance,
    looked_up: Duration,
) -> Result<Option<IntendedCall>, PassedOver> {
    match &handler.lookup {
        None => Ok(intended_for(handler, utterance)),
        Some(_) if looked_up >= LOOKUP_TIME => Err(PassedOver),
        Some(lookup) => {
            let call = lookup.call(&utterance.text, answered_in(persona, utterance));
            call.map(Some).ok_or(PassedOver)
        }
    }
}

/// Whether the next handler may answer instead. What is looked up changes nothing, so another may look elsewhere, or think.
fn leaves_to_the_next(handler: &Handler, record: &Record) -> bool {
    let is_empty = record.answer.is_empty();
    if handler.thinks() {
        record.reason == Reason::LlmError && is_empty && record.attempted().next().is_none()
    } else {
        matches!(record.reason, Reason::Noop | Reason::Deadline) && is_empty
    }
}

/// The language in which a persona answers an utterance.
fn answered_in<'a>(persona: &'a ReadyPersona, utterance: &'a Utterance) -> &'a str {
    persona.lang.as_deref().unwrap_or(&utterance.lang)
}

fn question(device: &Device, persona: &ReadyPersona, handler: &Handler, utterance: &Utterance) -> Question {
    // What is looked up are the person's own words alone: nothing of what was said before goes out with them.
    let remembered = if persona.remembers && handler.thinks() {
        utterance.history.as_slice()
    } else {
        &[]
    };
    let who = device.circumstances_of(&utterance.session);
    let moment = told(&who, &Zoned::now());
    Question {
        turn_id: utterance.turn_id.clone(),
        session_id: who.session_id,
        speaker: utterance.speaker.clone(),
        utterance: utterance.text.clone(),
        history: persona.examples.iter().chain(remembered).cloned().collect(),
        channel: Some(utterance.channel.to_owned()),
        persona_prompt: handler.prompt.clone(),
        persona_name: Some(persona.name.clone()),
        place: device.place_of(&utterance.session).map(str::to_owned),
        moment: Some(moment),
        memories: utterance.memories.clone(),
        understood_before: utterance.last.as_deref().map(LastSaid::told),
        restating: None,
        interrupted: utterance.interrupted.clone().filter(|_| !remembered.is_empty()),
        lang: persona.lang.clone().or_else(|| language::plain(&utterance.lang)),
        units: who.units,
        time_zone: who.time_zone,
        time_format: who.time_format,
        date_format: who.date_format,
        sampling: handler.bounded(utterance.sampling),
        prompts: persona.prompts.clone(),
        route: utterance.route.clone(),
        is_foreign: false,
        intended: utterance.intended.clone(),
        selection: handler.selection(),
    }
}

/// Goes on with what was written, or begins anew where that does not tell how it began.
async fn go_on(
    past: Vec<Entry>,
    means: Means,
    journal: Arc<dyn Journal>,
    question: Question,
    handler: &Handler,
) -> Record {
    match resume(past, means.clone(), Arc::clone(&journal)).await {
        Ok(record) => record,
        Err(error) => {
            tracing::warn!(%error, turn = question.turn_id, "failed to go on with a turn; it begins anew");
            answer_on_record(handler.engine, question, means, journal).await
        }
    }
}
