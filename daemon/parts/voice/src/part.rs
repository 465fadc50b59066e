//! The voice as a part of the daemon: it is started where the settings let anything speak here.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::stillness::Stillness;
use loquat_part::{Context, Finding, Ground, Part, Running, Start};
use loquat_settings::brought::Brought;
use loquat_speech::Player;
use loquat_speech::playback::{Played, far_end};

use super::check;
use super::choice::Choice;
use super::named_sounds::NamedSounds;
use super::playback::playback_settings;
use super::settings::Voice as VoiceTable;
use super::speed::Speed;
use super::voice::Voice;

/// The part.
#[derive(Debug)]
pub struct VoicePart;

impl Part for VoicePart {
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::of::<VoiceTable>()]
    }

    fn starts(&self) -> Start {
        Start::WithTheSenses
    }

    /// Speaks where no audio service does, and offers what is played to the ear, which takes it out of what it hears.
    fn start<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Running> {
        async { start(context) }.boxed()
    }

    fn check<'a>(&'a self, ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        check::findings(ground).boxed()
    }
}

fn start(context: &mut Context) -> Running {
    let settings = context.ground.table::<VoiceTable>();
    let Some(speed) = context
        .offered::<Speed>()
        .cloned()
        .filter(|_| Choice::may_speak(&settings))
    else {
        return Running::default();
    };
    let here = context.hub.voice();
    context.hub.body().grow(move || here.speaks());
    let (writer, reader) = far_end();
    let player = Player::new(playback_settings(&context.ground), Some(writer));
    let ground = context.ground.clone();
    let voice = Voice::new(context.bus.clone(), &ground.mycroft.lang, speed.clone(), player)
        .beginning_early(context.hub.voice(), settings.early)
        .naming_sounds(NamedSounds::of(&ground.environment))
        .keeping_still(context.offered::<Stillness>().cloned().unwrap_or_default());
    let choice = async move {
        let (lang, folders) = (&ground.mycroft.lang, &ground.folders);
        Choice::of(&settings, lang, folders, &ground.environment, &speed).await
    };
    let front = &context.supervisor.front;
    context
        .supervisor
        .spawn(front, "voice", voice.run(choice, front.token()));
    context.offer(Played::new(reader));
    Running::default()
}
