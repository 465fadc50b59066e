//! What is spoken in another room: the message, with the room from which it comes and who says it. Reaches no room.

use loquat_agent::speakable;
use loquat_agent::toolbox::Circumstances;
use loquat_kit::dialog::Telling;
use loquat_kit::stations::{Announcement, Station};

use super::FOLDER;
use super::caller::Caller;
use super::exchange::{Intercom, LONGEST};
use super::which::Words;

impl Intercom {
    /// What a room is called when it is told; the device itself, where it has no name, by the word for that.
    pub(super) fn told(&self, station: &Station, lang: &str) -> String {
        let own = || Words::of(&self.locales, lang).own_room();
        speakable(&station.names.first().cloned().unwrap_or_else(own))
    }

    pub(super) fn announcement(&self, caller: &Caller, message: &str, is_reply: bool) -> Announcement {
        let message = fit_to_say(message, LONGEST);
        Announcement {
            words: self.words(caller, &message, is_reply),
            message,
            from: self.room_of(caller),
            lang: caller.lang.clone(),
            is_reply,
        }
    }

    /// The room of who has something said, as it is told.
    fn room_of(&self, caller: &Caller) -> String {
        let all = self.all();
        let own = all.iter().find(|(station, _)| station.id == caller.station);
        own.map(|(station, _)| self.told(station, &caller.lang))
            .unwrap_or_default()
    }

    /// The message with from whom it comes.
    fn words(&self, caller: &Caller, message: &str, is_reply: bool) -> String {
        let all = self.all();
        let own = all.iter().find(|(station, _)| station.id == caller.station);
        let room = own.and_then(|(station, _)| station.names.first().cloned());
        let told = Telling::new(if is_reply { "answered_from" } else { "from" }).words("message", message);
        let told = match room {
            Some(room) => told.words("room", speakable(&room)),
            None => told,
        };
        let told = match &caller.name {
            Some(name) => told.words("name", speakable(name)),
            None => told,
        };
        let person = Circumstances {
            lang: Some(caller.lang.clone()),
            ..Circumstances::default()
        };
        let told = told.sentence(&self.locales, FOLDER, &person);
        told.unwrap_or_else(|| message.to_owned())
    }
}

/// A text as one line that can be spoken, with no more characters than these.
pub(super) fn fit_to_say(text: &str, most: usize) -> String {
    let words = speakable(text);
    let words: Vec<&str> = words.split_whitespace().collect();
    words.join(" ").chars().take(most).collect()
}
