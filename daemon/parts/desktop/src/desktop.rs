//! The presence on D-Bus: takes the name, serves the object and tells what happens there. Never decides who may call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use loquat_agent::printable::printable;
use loquat_bus::{Bus, Received, Subscription, Topics};
use loquat_failure::{Backoff, with_causes};
use loquat_part::events::{Hub, News, as_json};
use loquat_part::orders::Orders;
use loquat_part::reload::Reload;
use loquat_wire::{topic, with};
use serde_json::Value;
use tokio::sync::{broadcast, watch};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use zbus::Connection;
use zbus::fdo::{DBusProxy, RequestNameFlags, RequestNameReply};
use zbus::object_server::InterfaceRef;

use super::caller::Callers;
use super::interface::{Loquat1, Loquat1Signals};
use super::place::Place;
use super::shown::Shown;

/// What we are called on the OVOS bus.
const SOURCE: &str = "loquat-desktop";

/// The name on D-Bus.
const NAME: &str = "org.loquat.Loquat1";

const PATH: &str = "/org/loquat/Loquat1";

/// A D-Bus that takes longer to take a signal hangs.
const PATIENCE: Duration = Duration::from_secs(2);

/// Between one try to reach D-Bus and the next.
const TRIES: Backoff = Backoff::doubling(Duration::from_secs(1), Duration::from_secs(60));

/// Of what is said, in bytes; the rest is not told.
const LONGEST_TEXT: usize = 64 << 10;

/// An event of a turn that is larger, in bytes, is not told.
const LARGEST_EVENT: usize = 256 << 10;

/// Offers the device on D-Bus.
#[derive(Debug)]
pub(super) struct Desktop {
    place: Place,
    frames: Subscription,
    hub: Hub,
    shown: Shown,
    replaced: watch::Receiver<()>,
    listening: Arc<AtomicBool>,
    callers: Callers,
    orders: Orders,
}

/// How an attempt to serve ended.
enum End {
    /// The daemon ends, or its bus has.
    Done,
    /// D-Bus is not there, or went away.
    Lost(String),
    /// D-Bus does not let us have the name.
    Forbidden(String),
}

impl Desktop {
    /// At this place; `bus` is a client of its own, and `lang` the device's language.
    pub(super) fn new(
        place: Place,
        bus: Bus,
        hub: Hub,
        shown: Shown,
        reload: Arc<dyn Reload>,
        lang: &str,
    ) -> Self {
        let topics = [
            topic::UTTERANCE_HANDLE,
            topic::SPEAK,
            topic::RECORD_STARTED,
            topic::RECORD_ENDED,
            topic::STT_FAILED,
        ];
        Self {
            callers: Callers::of(place.user),
            place,
            frames: bus.subscribe(Topics::of(topics).including_own()),
            hub,
            replaced: shown.personas.replacements(),
            shown,
            listening: Arc::default(),
            orders: Orders::new(SOURCE, bus, reload, lang),
        }
    }

    /// Serves until cancelled.
    pub(super) async fn run(mut self, cancel: CancellationToken) {
        let mut tries = 0;
        loop {
            let served = cancel.run_until_cancelled(self.serve(&mut tries)).await;
            match served {
                None | Some(End::Done) => return,
                Some(End::Forbidden(why)) => {
                    tracing::warn!(
                        why,
                        "D-Bus does not let this daemon be {NAME}; see systemd/README.md"
                    );
                    return;
                }
                Some(End::Lost(why)) => self.remark_loss(tries, &why),
            }
            let wait = tokio::time::sleep(TRIES.after(tries));
            tries = tries.saturating_add(1);
            if cancel.run_until_cancelled(wait).await.is_none() {
                return;
            }
        }
    }

    /// Once; the tries that follow are not worth a line each.
    fn remark_loss(&self, tries: u32, why: &str) {
        let address = &self.place.address;
        if tries == 0 {
            tracing::warn!(address, why, "failed to be on D-Bus; it is tried again");
        } else {
            tracing::debug!(address, why, tries, "failed to be on D-Bus again");
        }
    }

    async fn serve(&mut self, tries: &mut u32) -> End {
        let connection = match timeout(PATIENCE, self.connect()).await {
            Ok(Ok(connection)) => connection,
            Ok(Err(error)) => return End::Lost(with_causes(&error)),
            Err(_) => return End::Lost("it is silent".to_owned()),
        };
        *tries = 0;
        if let Err(end) = self.own_name(&connection).await {
            return end;
        }
        tracing::info!(
            address = self.place.address,
            "programs reach this daemon as {NAME}"
        );
        match self.tell(&connection).await {
            Ok(()) => End::Done,
            Err(error) => End::Lost(with_causes(&error)),
        }
    }

    async fn connect(&self) -> zbus::Result<Connection> {
        let interface = Loquat1 {
            shown: self.shown.clone(),
            listening: Arc::clone(&self.listening),
            callers: self.callers.clone(),
            orders: self.orders.clone(),
        };
        let builder = loquat_skills::connecting(&self.place.address).await?;
        builder.serve_at(PATH, interface).build().await
    }

    /// Waits until the name is ours. Another process that has it is named once, and followed when it ends.
    async fn own_name(&self, connection: &Connection) -> Result<(), End> {
        let lost = |error: zbus::Error| End::Lost(with_causes(&error));
        let bus = DBusProxy::new(connection).await.map_err(lost)?;
        let mut owners = bus
            .receive_name_owner_changed_with_args(&[(0, NAME)])
            .await
            .map_err(lost)?;
        let mut was_said = false;
        loop {
            let flags = RequestNameFlags::DO_NOT_QUEUE;
            let asked = bus.request_name(zbus::names::WellKnownName::from_static_str_unchecked(NAME), flags);
            match asked.await {
                Ok(RequestNameReply::Exists | RequestNameReply::InQueue) => {}
                Ok(_) => return Ok(()),
                Err(zbus::fdo::Error::AccessDenied(why)) => return Err(End::Forbidden(why)),
                Err(error) => return Err(lost(error.into())),
            }
            if !was_said {
                was_said = true;
                tracing::warn!(
                    address = self.place.address,
                    "another process is {NAME} on D-Bus; this daemon takes the name when that ends"
                );
            }
            if owners.next().await.is_none() {
                return Err(End::Lost("the connection ended".to_owned()));
            }
        }
    }

    /// Tells what happens until the bus or D-Bus ends.
    async fn tell(&mut self, connection: &Connection) -> zbus::Result<()> {
        let interface = connection.object_server().interface(PATH).await?;
        let mut news = self.hub.subscribe();
        let mut closed = zbus::MessageStream::from(connection);
        loop {
            let told = tokio::select! {
                biased;
                frame = self.frames.recv() => match frame {
                    Some(frame) => timeout(PATIENCE, self.frame(&interface, &frame)).await,
                    None => return Ok(()),
                },
                news = news.recv() => match news {
                    Ok(news) => timeout(PATIENCE, self.event(&interface, &news)).await,
                    // The oldest were lost; a reader that is slower than turns misses some.
                    Err(broadcast::error::RecvError::Lagged(_)) => continue,
                    Err(broadcast::error::RecvError::Closed) => return Ok(()),
                },
                Ok(()) = self.shown.status.changed() => timeout(PATIENCE, self.status(&interface)).await,
                Ok(()) = self.shown.settings.changed() => timeout(PATIENCE, self.model(&interface)).await,
                Ok(()) = self.replaced.changed() => timeout(PATIENCE, self.persona(&interface)).await,
                message = closed.next() => match message {
                    Some(_) => continue,
                    None => return Err(zbus::Error::InputOutput(Arc::new(std::io::ErrorKind::UnexpectedEof.into()))),
                },
            };
            told.unwrap_or_else(|_| {
                Err(zbus::Error::InputOutput(Arc::new(
                    std::io::ErrorKind::TimedOut.into(),
                )))
            })?;
        }
    }

    async fn frame(&self, interface: &InterfaceRef<Loquat1>, frame: &Received) -> zbus::Result<()> {
        let message = &frame.message;
        if !message.context.session().is_default() {
            return Ok(());
        }
        match frame.canonical.as_str() {
            topic::UTTERANCE_HANDLE => {
                let heard = message.data.get("utterances").and_then(|all| all.get(0));
                interface.heard(&text(heard)).await
            }
            topic::SPEAK => interface.answer(&text(message.data.get("utterance"))).await,
            topic::RECORD_STARTED => self.listens(interface, true).await,
            _ => self.listens(interface, false).await,
        }
    }

    async fn listens(&self, interface: &InterfaceRef<Loquat1>, listens: bool) -> zbus::Result<()> {
        if self.listening.swap(listens, Ordering::Relaxed) == listens {
            return Ok(());
        }
        interface
            .get()
            .await
            .listening_changed(interface.signal_emitter())
            .await
    }

    async fn event(&mut self, interface: &InterfaceRef<Loquat1>, news: &News) -> zbus::Result<()> {
        let event = with(as_json(news), "session_id", &*news.session_id).to_string();
        if event.len() <= LARGEST_EVENT {
            interface.turn_event(&event).await?;
        }
        Ok(())
    }

    async fn status(&mut self, interface: &InterfaceRef<Loquat1>) -> zbus::Result<()> {
        self.shown.status.borrow_and_update();
        let emitter = interface.signal_emitter();
        interface.get().await.status_changed(emitter).await
    }

    async fn model(&mut self, interface: &InterfaceRef<Loquat1>) -> zbus::Result<()> {
        self.shown.settings.borrow_and_update();
        let emitter = interface.signal_emitter();
        interface.get().await.model_changed(emitter).await
    }

    async fn persona(&self, interface: &InterfaceRef<Loquat1>) -> zbus::Result<()> {
        let emitter = interface.signal_emitter();
        interface.get().await.persona_changed(emitter).await
    }
}

/// As much of it as is told.
fn text(value: Option<&Value>) -> String {
    let text = value.and_then(Value::as_str).unwrap_or_default();
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let end = ends.take_while(|end| *end <= LONGEST_TEXT).last();
    printable(text.get(..end.unwrap_or_default()).unwrap_or_default()).into_owned()
}
