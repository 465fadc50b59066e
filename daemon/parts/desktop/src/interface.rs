//! `org.loquat.Loquat1` as D-Bus shows it: methods, properties and signals. Each call is let in first; what it does is the
//! work of the modules beside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use loquat_agent::printable::printable;
use loquat_failure::with_causes;
use loquat_part::orders::{OrderError, Orders};
use zbus::message::Header;
use zbus::object_server::SignalEmitter;
use zbus::{Connection, fdo, interface};

use super::caller::Callers;
use super::shown::Shown;

/// The object.
#[derive(Debug)]
pub(super) struct Loquat1 {
    pub(super) shown: Shown,
    pub(super) listening: Arc<AtomicBool>,
    pub(super) callers: Callers,
    pub(super) orders: Orders,
}

/// As D-Bus names what went wrong.
fn refused(error: &OrderError) -> fdo::Error {
    let text = with_causes(error);
    match error {
        OrderError::Empty => fdo::Error::InvalidArgs(text),
        OrderError::TooLong(_) | OrderError::Busy => fdo::Error::LimitsExceeded(text),
        _ => fdo::Error::Failed(text),
    }
}

#[interface(name = "org.loquat.Loquat1")]
impl Loquat1 {
    /// Asks a question, as `loquat ask` does, and waits for the answer: at most five minutes.
    #[zbus(out_args("answer"))]
    async fn ask(
        &self,
        text: &str,
        #[zbus(connection)] connection: &Connection,
        #[zbus(header)] header: Header<'_>,
    ) -> fdo::Result<String> {
        let _place = self.callers.admit(connection, &header).await?;
        self.orders.ask(text).await.map_err(|error| refused(&error))
    }

    /// Ends what the device does and says.
    async fn stop(
        &self,
        #[zbus(connection)] connection: &Connection,
        #[zbus(header)] header: Header<'_>,
    ) -> fdo::Result<()> {
        let _place = self.callers.admit(connection, &header).await?;
        self.orders.stop().await.map_err(|error| refused(&error))
    }

    /// Has the device listen, as after the wake word.
    async fn listen(
        &self,
        #[zbus(connection)] connection: &Connection,
        #[zbus(header)] header: Header<'_>,
    ) -> fdo::Result<()> {
        let _place = self.callers.admit(connection, &header).await?;
        self.orders.listen().await.map_err(|error| refused(&error))
    }

    /// Has the device say these words.
    async fn say(
        &self,
        text: &str,
        #[zbus(connection)] connection: &Connection,
        #[zbus(header)] header: Header<'_>,
    ) -> fdo::Result<()> {
        let _place = self.callers.admit(connection, &header).await?;
        self.orders.say(text).await.map_err(|error| refused(&error))
    }

    /// Reads settings and persona files again, and tells who answers now and what counts after a restart only.
    #[zbus(out_args("report"))]
    async fn reload(
        &self,
        #[zbus(connection)] connection: &Connection,
        #[zbus(header)] header: Header<'_>,
    ) -> fdo::Result<String> {
        let _place = self.callers.admit(connection, &header).await?;
        self.orders.reload().await.map_err(|error| refused(&error))
    }

    /// Tells in one line how the daemon fares.
    #[zbus(property)]
    async fn status(
        &self,
        #[zbus(connection)] connection: &Connection,
        #[zbus(header)] header: Option<Header<'_>>,
    ) -> fdo::Result<String> {
        self.callers.admit_reader(connection, header).await?;
        Ok(printable(&self.shown.status.borrow()).into_owned())
    }

    /// Names the persona that answers when none is asked for; it is empty without one.
    #[zbus(property)]
    async fn persona(
        &self,
        #[zbus(connection)] connection: &Connection,
        #[zbus(header)] header: Option<Header<'_>>,
    ) -> fdo::Result<String> {
        self.callers.admit_reader(connection, header).await?;
        let persona = self.shown.personas.default_name().unwrap_or_default();
        Ok(printable(&persona).into_owned())
    }

    /// Tells whether an utterance is being recorded.
    #[zbus(property)]
    async fn listening(
        &self,
        #[zbus(connection)] connection: &Connection,
        #[zbus(header)] header: Option<Header<'_>>,
    ) -> fdo::Result<bool> {
        self.callers.admit_reader(connection, header).await?;
        Ok(self.listening.load(Ordering::Relaxed))
    }

    /// Names the language model of this device; it is empty where that is missing.
    #[zbus(property)]
    async fn model(
        &self,
        #[zbus(connection)] connection: &Connection,
        #[zbus(header)] header: Option<Header<'_>>,
    ) -> fdo::Result<String> {
        self.callers.admit_reader(connection, header).await?;
        let language = self.shown.settings.borrow().language.clone();
        Ok(if language.is_present() {
            language.name
        } else {
            String::new()
        })
    }

    /// A person or a program said or typed this to the device.
    #[zbus(signal)]
    async fn heard(emitter: &SignalEmitter<'_>, text: &str) -> zbus::Result<()>;

    /// The device says this.
    #[zbus(signal)]
    async fn answer(emitter: &SignalEmitter<'_>, text: &str) -> zbus::Result<()>;

    /// Tells that something has happened in a turn, in JSON as on `loquat.turn.event`, with the turn's and
    /// the session's id.
    #[zbus(signal)]
    async fn turn_event(emitter: &SignalEmitter<'_>, json: &str) -> zbus::Result<()>;
}
