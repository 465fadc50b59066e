//! Hears the notifications that programs tell the desktop to show, as a monitor of the session's D-Bus, where the settings
//! want them kept.
//!
//! A monitor is a connection of its own, which can do nothing else, and it is opened again whenever it is lost. It asks for
//! notifications alone; other messages of the session never come here.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use loquat_failure::{Backoff, with_causes};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use zbus::fdo::MonitoringProxy;
use zbus::message::Type;
use zbus::{MatchRule, Message, MessageStream};

use super::kept::{Kept, Notice};
use super::service::{NAME, SERVICE, Server};
use crate::dbus::{DeviceBus, Fault, connecting, within};

/// Notifications whose numbers have not come yet.
const UNANSWERED: usize = 32;

/// Between one try to hear and the next.
const TRIES: Backoff = Backoff::doubling(Duration::from_secs(1), Duration::from_secs(60));

/// A person or a program has closed it, and it was seen.
const SEEN: [u32; 2] = [2, 3];

/// What is on the screen, and what was.
#[derive(Debug)]
pub struct Notifications {
    pub(super) bus: DeviceBus,
    pub(super) kept: Mutex<Kept>,
    hearing: watch::Sender<Hearing>,
}

/// Whether notifications are heard.
#[derive(Debug, Clone)]
pub(super) enum Hearing {
    /// The settings do not want it.
    Off,
    /// They come.
    On,
    /// The D-Bus is not there, or does not let us.
    Deaf(Fault),
}

/// A call that the program of the desktop has not answered yet.
#[derive(Debug)]
struct Call {
    sender: String,
    serial: u32,
    notice: Notice,
    replaces: Option<u32>,
}

type Told = VecDeque<Call>;

impl Notifications {
    /// Those on this bus.
    pub fn new(bus: DeviceBus) -> Self {
        Self {
            bus,
            kept: Mutex::default(),
            hearing: watch::Sender::new(Hearing::Off),
        }
    }

    pub(super) fn hearing(&self) -> Hearing {
        self.hearing.borrow().clone()
    }

    /// The name of the program that shows them, and whether they can be heard; what stands in the way otherwise.
    pub async fn examine(&self) -> Result<String, String> {
        let name = async { Server::reach(&self.bus).await?.name().await };
        let name = name.await.map_err(|fault| fault.to_string())?;
        drop(self.monitor().await.map_err(|fault| fault.to_string())?);
        Ok(name)
    }

    /// Hears them until cancelled.
    pub async fn run(self: Arc<Self>, cancel: CancellationToken) {
        let mut tries = 0;
        loop {
            let heard = cancel.run_until_cancelled(self.hear(&mut tries)).await;
            let Some(fault) = heard else { return };
            if tries == 0 {
                tracing::warn!(
                    why = with_causes(&fault),
                    "notifications are not heard; it is tried again"
                );
            }
            self.hearing.send_replace(Hearing::Deaf(fault));
            let wait = tokio::time::sleep(TRIES.after(tries));
            tries = tries.saturating_add(1);
            if cancel.run_until_cancelled(wait).await.is_none() {
                return;
            }
        }
    }

    /// One connection from its beginning to its end; tells why it ended.
    async fn hear(&self, tries: &mut u32) -> Fault {
        let mut messages = match self.monitor().await {
            Ok(messages) => messages,
            Err(fault) => return fault,
        };
        *tries = 0;
        tracing::info!("notifications of the desktop are kept");
        self.hearing.send_replace(Hearing::On);
        let mut told = Told::new();
        while let Some(Ok(message)) = messages.next().await {
            self.take(&message, &mut told);
        }
        Fault::Unreachable {
            service: SERVICE.to_owned(),
            address: self.bus.address().unwrap_or_default().to_owned(),
            why: "the connection ended".to_owned(),
        }
    }

    async fn monitor(&self) -> Result<MessageStream, Fault> {
        let address = self.bus.address().ok_or_else(|| Fault::NoBus {
            service: SERVICE.to_owned(),
        })?;
        let opened = async { connecting(address).await?.build().await };
        let connection = within(SERVICE, opened)
            .await
            .map_err(|fault| Fault::Unreachable {
                service: SERVICE.to_owned(),
                address: address.to_owned(),
                why: with_causes(&fault),
            })?;
        // Before the bus is told, so that nothing is missed.
        let messages = MessageStream::from(&connection);
        let becoming = async {
            let monitoring = MonitoringProxy::new(&connection).await?;
            Ok(monitoring.become_monitor(&rules()?, 0).await?)
        };
        within(SERVICE, becoming).await?;
        Ok(messages)
    }

    /// Takes a message in; one of another form says nothing here.
    fn take(&self, message: &Message, told: &mut Told) {
        match message.message_type() {
            Type::MethodCall => {
                if let Some(call) = told_to_show(message) {
                    if told.len() >= UNANSWERED {
                        told.pop_front();
                    }
                    told.push_back(call);
                }
            }
            Type::MethodReturn => self.shown(message, told),
            Type::Signal => {
                let body = message.body();
                if let Ok((id, reason)) = body.deserialize::<(u32, u32)>()
                    && SEEN.contains(&reason)
                {
                    self.kept.lock().remove(Some(id));
                }
            }
            Type::Error => {}
        }
    }

    /// The program of the desktop has answered a call: only now it was shown.
    fn shown(&self, message: &Message, told: &mut Told) {
        let header = message.header();
        let (Some(to), Some(serial)) = (header.destination(), header.reply_serial()) else {
            return;
        };
        let is_it = |call: &Call| call.serial == serial.get() && call.sender == to.as_str();
        let call = told.iter().position(is_it).and_then(|place| told.remove(place));
        if let (Some(call), Ok(id)) = (call, message.body().deserialize::<u32>()) {
            let id = Some(id);
            let notice = Notice { id, ..call.notice };
            self.kept.lock().add(notice, call.replaces);
        }
    }
}

/// What is asked of the bus: calls to show one, the answers to these, and what becomes of it.
fn rules() -> zbus::Result<[MatchRule<'static>; 3]> {
    let calls = MatchRule::builder()
        .msg_type(Type::MethodCall)
        .interface(NAME)
        .member("Notify");
    let answers = MatchRule::builder().msg_type(Type::MethodReturn).sender(NAME);
    let signals = MatchRule::builder()
        .msg_type(Type::Signal)
        .interface(NAME)
        .member("NotificationClosed");
    Ok([calls.build()?, answers.build()?, signals.build()?])
}

/// The notification of a call, of whose body only the beginning is read: hints may be pictures.
fn told_to_show(message: &Message) -> Option<Call> {
    let header = message.header();
    if header.interface()?.as_str() != NAME || header.member()?.as_str() != "Notify" {
        return None;
    }
    let body = message.body();
    let told: (&str, u32, &str, &str, &str) = body.deserialize_ignore_signature().ok()?;
    let (program, replaces, _, title, text) = told;
    Some(Call {
        sender: header.sender()?.to_string(),
        serial: header.primary().serial_num().get(),
        notice: Notice::new(program, title, text)?,
        replaces: Some(replaces).filter(|id| *id > 0),
    })
}
