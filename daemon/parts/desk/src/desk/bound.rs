//! What a guest may reach whom one persona alone serves: that persona, by whichever way the words came, and nothing of what
//! others can do.

use std::sync::Arc;

use loquat_agent::Speaker;
use loquat_mind::ReadyPersona;
use loquat_phrases::Phrases;
use loquat_wire::Message;

use super::Desk;
use super::job::Job;

impl Desk {
    /// The id of the one persona that a speaker may reach. One that is not there has the name under which it is missing.
    pub(super) fn bound_id(&self, speaker: &Speaker) -> Option<String> {
        let bound_to = speaker.bound_to()?;
        let found = self.mind.find_offered(bound_to);
        Some(found.map_or_else(|| bound_to.to_owned(), |persona| persona.id.clone()))
    }

    /// A persona, if the speaker may reach it.
    pub(super) fn reached(&self, id_or_name: &str, speaker: &Speaker) -> Option<Arc<ReadyPersona>> {
        let found = self.mind.find_offered(id_or_name)?;
        let bound_to = self.bound_id(speaker);
        bound_to
            .is_none_or(|bound_to| bound_to == found.id)
            .then_some(found)
    }

    /// Has a job answered by the persona that its speaker is bound to, whichever persona was to answer it.
    pub(super) fn bind(&self, job: &mut Job) {
        let Some(bound_to) = job.speaker.bound_to() else {
            return;
        };
        let persona = self.mind.find_offered(bound_to).unwrap_or_else(|| {
            let apology = Phrases::of(&job.lang).unknown_persona(bound_to);
            Arc::new(ReadyPersona::apologising(apology))
        });
        job.persona = persona;
    }

    /// An utterance in whose session the persona stands that its speaker is bound to.
    pub(super) fn bind_session(&self, entry: &mut Message, speaker: &Speaker) {
        if let Some(bound_to) = self.bound_id(speaker) {
            let mut session = entry.context.session();
            session.set_persona_id(Some(&bound_to));
            entry.context.set_session(&session);
        }
    }
}
