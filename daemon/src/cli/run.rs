//! `loquat run`: the daemon itself, of which there is one for each state folder and for each bus.

use std::io;

use anyhow::Result;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use loquat_failure::with_causes;
use loquat_hearing::settings::{Speech, Switch};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{Context, Exit, check, greeting};
use crate::app::{App, Began};
use crate::health;
use crate::models_in_use::ModelsInUse;
use crate::seat::{self, Seat};
use crate::settings::{Environment, Settings, bus_address, kept};
use crate::state::{Holder, LockError, StateLock};
use crate::supervisor::{Supervisor, last_end};
use crate::terminal;

/// Runs until a signal ends it, the end of a person's input, or the end of an essential task.
pub(super) async fn run(context: Context) -> Result<Exit> {
    last_end::guard()?;
    let mut ends = Ends::listen()?;
    let output = context.output;
    let (lock, _seat) = match take_place(&context.settings) {
        Ok(place) => place,
        Err(holder) => {
            output.remark(running(&holder));
            return Ok(Exit::Taken);
        }
    };
    // The folder may have been made since the settings were read.
    if let Some(complaint) = context.settings.folders.complaint(&context.environment) {
        output.remark(format!("loquat: {complaint}"));
        return Ok(Exit::Settings);
    }
    Box::pin(measure_whispers(&context.settings, &context.environment)).await;
    let app = Box::pin(start(context, lock.as_ref())).await?;
    let supervisor = app.place.supervisor.clone();
    ends.first(&supervisor).await;
    health::stopping();
    tokio::select! {
        () = app.stop() => {}
        // A person who asks twice does not want to wait.
        () = ends.next() => {}
    }
    Ok(match supervisor.broken() {
        Some(task) => {
            output.remark(format!("loquat: the task '{task}' ended; see the log above"));
            Exit::Failed
        }
        None if supervisor.begins_again() => Exit::Again,
        None => Exit::Ok,
    })
}

/// Starts everything, in an order in which all listen before they are told anything.
async fn start(context: Context, lock: Option<&StateLock>) -> Result<App> {
    let Context {
        settings,
        environment,
        options,
        output,
        log,
    } = context;
    let app = App::start(&settings, &environment, lock).await;
    let mut app = app.with_options(options.clone());
    app.reload_by_order(&settings);
    app.start_steward(&environment, &options);
    keep(&settings);
    Box::pin(greeting::greet(&app, &settings, &environment, output)).await;
    app.start_senses(&settings).await;
    app.start_last_parts(output).await;
    let status = app.report_health();
    let began = Began {
        settings: &settings,
        environment: &environment,
        options: &options,
    };
    app.start_showing_parts(began, status, log, check::of_running_device)
        .await;
    look_for_another(&app, &settings);
    app.start_rehearsal(&environment, &options);
    if !terminal::stdin_is_terminal() {
        app.reload_at(signal(SignalKind::hangup())?);
    }
    Ok(app)
}

/// The signals that end the daemon.
struct Ends {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
}

impl Ends {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the first of them, or for the end of the front. A terminal sends SIGHUP when it is closed;
    /// from anywhere else it is systemd's word for reading settings again.
    async fn first(&mut self, supervisor: &Supervisor) {
        let ended = supervisor.front.token();
        tokio::select! {
            _ = self.terminate.recv() => tracing::info!("told to end"),
            _ = self.interrupt.recv() => tracing::info!("interrupted"),
            _ = self.hangup.recv(), if terminal::stdin_is_terminal() => tracing::info!("the terminal was closed"),
            () = ended.cancelled() => {}
        }
    }

    /// Waits for one more, by a person.
    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Keeps the settings for a start at which their file holds a mistake.
fn keep(settings: &Settings) {
    if settings.mistakes.is_none()
        && let Err(error) = kept::keep(settings)
    {
        tracing::debug!(%error, "the settings are not kept for a start at which their file holds a mistake");
    }
}

/// Warns of another daemon on a bus beyond this machine.
fn look_for_another(app: &App, settings: &Settings) {
    if !bus_address(settings).is_of_this_machine() {
        let another = seat::warn_of_another(app.place.bus.clone());
        app.place.serve_optionally("another", |_| another);
    }
}

/// Before anything chooses a model, and beside the runtime. What goes wrong there costs only the choice.
async fn measure_whispers(settings: &Settings, environment: &Environment) {
    if settings.tables.get::<Speech>().enabled == Switch::Off {
        return;
    }
    let (settings, environment) = (settings.clone(), environment.clone());
    let measured =
        tokio::task::spawn_blocking(move || ModelsInUse::measure_whispers(&settings, &environment));
    if let Err(error) = measured.await {
        tracing::error!(%error, "whisper models were not measured");
    }
}

/// The lock of the state folder, where there is one to be had, and the seat on the bus; or who has them.
fn take_place(settings: &Settings) -> Result<(Option<StateLock>, Seat), Holder> {
    let lock = match StateLock::take(&settings.folders.state, Timestamp::now().as_second()) {
        Ok(lock) => Some(lock),
        Err(LockError::Held { holder, .. }) => return Err(holder),
        Err(error) => {
            tracing::warn!(error = with_causes(&error), "turns are not written down");
            None
        }
    };
    let address = bus_address(settings);
    let seat = Seat::take(&address, address.is_of_this_machine()).map_err(|taken| Holder {
        process: taken.process.and_then(|process| process.try_into().ok()),
        since: None,
    })?;
    Ok((lock, seat))
}

/// Says who runs already, and how to talk to it.
fn running(Holder { process, since }: &Holder) -> String {
    let process = process.map_or_else(String::new, |id| format!(" as process {id}"));
    let since = since
        .and_then(|since| Timestamp::from_second(since).ok())
        .map(|since| {
            since
                .to_zoned(TimeZone::system())
                .strftime(" since %Y-%m-%d %H:%M:%S")
                .to_string()
        })
        .unwrap_or_default();
    format!(
        "loquat: Loquat runs already{process}{since}, and there can be only one. To talk to it: loquat ask \"…\". To \
         run this one, stop the other first; for a second device, set STATE_DIRECTORY and bus.port to others."
    )
}
