//! `loquat run`: the daemon itself.

use anyhow::Result;
use tokio::signal::unix::{SignalKind, signal};

use super::{Context, Exit, Output};
use crate::app::App;
use crate::health;
use crate::link::Joined;
use crate::terminal::{self, Terminal};

/// Runs until a signal, the end of a person's input, or the end of an essential task.
pub(super) async fn run(context: Context) -> Result<Exit> {
    let Context {
        settings,
        environment,
        output,
    } = context;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let app = App::start(&settings, &environment).await;
    greet(&app, output);
    app.start_voice(&settings, &environment);
    let ear = app.start_ear(&settings).await;
    let terminal = Terminal::new(app.bus.clone(), output, app.hub.subscribe()).with_ear(ear);
    let front = &app.supervisor.front;
    if terminal::is_attended() {
        app.supervisor
            .spawn_optional(front, "terminal", terminal.run(front.token()));
    }
    app.report_health();
    app.start_rehearsal();
    let ended = front.token();
    tokio::select! {
        _ = terminate.recv() => tracing::info!("told to end"),
        _ = interrupt.recv() => tracing::info!("interrupted"),
        () = ended.cancelled() => {}
    }
    health::stopping();
    let supervisor = app.supervisor.clone();
    tokio::select! {
        () = app.stop() => {}
        // Whoever asks twice does not want to wait.
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(match supervisor.broken() {
        Some(task) => {
            output.remark(format!("loquat: the task '{task}' ended; see the log above"));
            Exit::Failed
        }
        None => Exit::Ok,
    })
}

fn greet(app: &App, output: Output) {
    for complaint in &app.complaints {
        tracing::warn!("{complaint}");
        if output.is_terminal() {
            output.line(format!("  {complaint}"));
        }
    }
    let bus = match app.joined {
        Joined::Theirs => format!("joined the bus at {}", app.address.url()),
        Joined::Ours => format!("brought a bus at {}", app.address.url()),
    };
    let persona = app
        .mind
        .default_persona()
        .map_or_else(|| "nobody".to_owned(), |persona| persona.name.clone());
    tracing::info!(bus, persona, "loquat is up");
    if output.is_terminal() {
        output.line(format!(
            "Loquat {}: {bus}. {persona} answers.",
            env!("CARGO_PKG_VERSION")
        ));
        if !app.models.language.is_present() {
            let language = &app.models.language;
            output.line(format!(
                "  The language model is not at {}: {}.",
                language.path.display(),
                language.mend()
            ));
        }
        output.line("Type a question. Ctrl-D ends.");
    }
}
