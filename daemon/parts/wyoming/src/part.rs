//! The door for Home Assistant as a part of the daemon.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::{Context, Finding, Ground, Introduction, Part, Running, Start};
use loquat_settings::brought::Brought;
use loquat_transcription::recordings::Ears;

use super::offer::Offer;
use super::{Wyoming as Door, check, settings::Wyoming};

/// The door, as the table of parts knows it.
#[derive(Debug)]
pub struct WyomingPart;

impl Part for WyomingPart {
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::judged::<Wyoming>(|settings| {
            Some(("wyoming.listen", settings.complaint()?))
        })]
    }

    fn starts(&self) -> Start {
        Start::Last
    }

    /// Listens, if the settings say where.
    fn start<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Running> {
        async { start(context) }.boxed()
    }

    fn check<'a>(&'a self, ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        async move {
            let finding = check::finding(&ground.table::<Wyoming>()).await;
            finding.into_iter().collect()
        }
        .boxed()
    }
}

fn start(context: &mut Context) -> Running {
    let settings = context.ground.table::<Wyoming>();
    let (Some(listen), Some(introduction)) = (settings.listen, context.offered::<Introduction>()) else {
        return Running::default();
    };
    let ears = context.offered::<Ears>();
    let longest = ears.map_or(Duration::ZERO, |ears| ears.longest);
    let ears = ears.filter(|_| settings.transcribe);
    let offer = Offer {
        persona: introduction.persona.clone(),
        lang: introduction.lang.clone(),
        secondary_langs: context.ground.mycroft.secondary_langs.clone(),
        whisper: ears.map(|ears| ears.model.clone()),
        dont_know: introduction.dont_know,
    };
    let door = Door::new(
        listen,
        &settings,
        context.bus.clone(),
        offer,
        ears.map(|ears| ears.ladder.clone()),
        longest,
    );
    let front = &context.supervisor.front;
    context
        .supervisor
        .spawn(front, "wyoming", door.run(front.token()));
    Running::default()
}
