//! The hive as a part of the daemon.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::command::Command;
use loquat_part::guests::Guests;
use loquat_part::{Context, Finding, Introduction, Part, Running, Start};
use loquat_settings::brought::Brought;
use loquat_skills::Stations;
use loquat_skills::intercom::Intercom;
use loquat_transcription::recordings::{Ears as Heard, Hearing};

use super::clients::Clients;
use super::command::HiveCommand;
use super::door::run;
use super::ears::Ears;
use super::hub::Hub;
use super::hub_rooms::HubRooms;
use super::member::Speaking;
use super::service::Ground;
use super::settings::Hive;
use super::{check, member};

/// The hive, as the table of parts knows it.
#[derive(Debug)]
pub struct HivePart;

impl Part for HivePart {
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::judged::<Hive>(|settings| {
            Some(("hive.certificate", settings.complaint()?))
        })]
    }

    fn starts(&self) -> Start {
        Start::Last
    }

    /// Listens for satellites of HiveMind and joins a hive, if the settings say where.
    fn start<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Running> {
        async { start(context) }.boxed()
    }

    fn commands(&self) -> Vec<&dyn Command> {
        vec![&HiveCommand]
    }

    fn check<'a>(&'a self, ground: &'a loquat_part::Ground) -> BoxFuture<'a, Vec<Finding>> {
        async move {
            let settings = ground.table::<Hive>();
            let mut findings = check::listener(&settings, ground).await;
            findings.extend(check::member(&settings, ground).await);
            findings
        }
        .boxed()
    }
}

fn start(context: &mut Context) -> Running {
    let settings = context.ground.table::<Hive>();
    open(&settings, context);
    if let Ok(hub) = Hub::of(&settings, &context.ground.folders) {
        let front = &context.supervisor.front;
        let speaking = speaking(context);
        let member = member::run(hub, context.another_client(), speaking, front.token());
        context.supervisor.spawn(front, "member of a hive", member);
    }
    Running::default()
}

/// The rooms of the hive, which are rooms of this device's, too.
fn speaking(context: &Context) -> Speaking {
    let rooms = Arc::<HubRooms>::default();
    let intercom = context.offered::<Arc<Intercom>>().cloned();
    if let Some(intercom) = &intercom {
        intercom.add(Arc::clone(&rooms) as Arc<dyn Stations>);
    }
    let introduction = context.offered::<Introduction>();
    let lang = introduction.map_or_else(|| "en-US".to_owned(), |introduction| introduction.lang.clone());
    Speaking {
        rooms,
        intercom,
        lang,
    }
}

fn open(settings: &Hive, context: &Context) {
    let (Some(listen), Some(introduction)) = (settings.listen, context.offered::<Introduction>()) else {
        return;
    };
    let heard = context.offered::<Heard>();
    let longest = heard.map_or(Duration::ZERO, |heard| heard.longest);
    let heard = heard.filter(|heard| settings.transcribe && heard.ladder.can_hear());
    let far = heard.and_then(|heard| Some((&heard.ladder, heard.far.clone()?)));
    let ground = Ground {
        ears: far.map(|(ladder, far)| Ears::new(ladder, far)),
        bus: context.another_client(),
        personas: Arc::clone(&introduction.personas),
        guests: context.offered::<Guests>().cloned().unwrap_or_default(),
        hearing: heard.map(|heard| Hearing::new(heard.ladder.clone())),
        longest,
        lang: introduction.lang.clone(),
        certificate: settings.certificate.clone().zip(settings.key.clone()),
        takes_old: settings.old_protocols,
        intercom: context.offered::<Arc<Intercom>>().cloned(),
    };
    let clients = Clients::of(&context.ground.folders.state);
    let front = &context.supervisor.front;
    let door = run(listen, clients, ground, front.token());
    context.supervisor.spawn(front, "hive", door);
}
