//! `loquat models`: the catalogue, and what of it is on this device.

use anyhow::Result;
use loquat_failure::with_causes;
use loquat_models::{Bar, Catalogue, Kind, Listed, State, Store};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::arguments::Models;
use super::{Context, Exit, Output, Style};
use crate::models_in_use::ModelsInUse;

/// Carries out `loquat models`.
pub(super) async fn run(context: &Context, command: Option<Models>) -> Result<Exit> {
    let store = ModelsInUse::store(&context.settings, &context.environment);
    let used = used(context);
    match command.unwrap_or(Models::List) {
        Models::List => Ok(list(&store, &used, context.output)),
        Models::Fetch {
            names,
            accept_licence,
        } => {
            let names = if names.is_empty() { used } else { names };
            fetch(&store.accepting(accept_licence), &names, context.output).await
        }
        Models::Verify { names } => verify(&store, names, context.output).await,
        Models::Remove { names } => Ok(remove(&store, &names, context.output)),
    }
}

/// Names of the models that this device uses, as far as the catalogue has them.
fn used(context: &Context) -> Vec<String> {
    let catalogue = Catalogue::embedded();
    let chosen = ModelsInUse::choose(&context.settings, &context.environment, &catalogue);
    let known = chosen.all().filter(|file| file.is_in_catalogue);

    known.map(|file| file.name.clone()).collect()
}

fn list(store: &Store, used: &[String], output: Output) -> Exit {
    let folder = store.folder().display();
    output.line(format!(
        "Models in {folder}; those marked with * are the ones this device uses."
    ));
    let mut all = Vec::new();
    for Listed { model, path, state } in store.list() {
        let is_used = used.contains(&model.name);
        output.line(format!(
            "{} {:<36} {:>9}  {:<15} {}",
            if is_used { "*" } else { " " },
            model.name,
            size(model.size),
            kind(model.kind),
            described(state)
        ));
        let about = format!(
            "    {}. {}, {} GiB of memory",
            model.about, model.licence, model.memory_gib
        );
        output.styled(Style::Dim, about);
        all.push(
            json!({"name": model.name, "kind": model.kind, "size": model.size, "licence": model.licence,
            "languages": model.languages, "path": path, "state": state, "used": is_used}),
        );
    }
    output.value(&all);
    Exit::Ok
}

/// All of them are tried; what failed is said at its own place.
async fn fetch(store: &Store, names: &[String], output: Output) -> Result<Exit> {
    let cancel = CancellationToken::new();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let bar = Bar::new(move |text| output.remark(text));
    let mut exit = Exit::Ok;
    for name in names {
        let fetching = store.fetch(name, &bar, cancel.clone());
        tokio::pin!(fetching);
        let fetched = tokio::select! {
            fetched = &mut fetching => fetched,
            _ = interrupt.recv() => {
                cancel.cancel();
                fetching.await
            }
        };
        match fetched {
            Ok(path) => {
                output.line(format!("{name}: {}", path.display()));
                output.value(&json!({"name": name, "path": path}));
            }
            Err(error) => {
                output.remark(format!("loquat: failed to {}", with_causes(&error)));
                output.value(&json!({"name": name, "error": with_causes(&error)}));
                exit = Exit::Failed;
            }
        }
        if cancel.is_cancelled() {
            break;
        }
    }
    Ok(exit)
}

async fn verify(store: &Store, names: Vec<String>, output: Output) -> Result<Exit> {
    let installed = store
        .list()
        .into_iter()
        .filter(|listed| listed.state != State::Absent);
    let installed: Vec<String> = installed.map(|listed| listed.model.name.clone()).collect();
    let names = if names.is_empty() { installed } else { names };
    let mut exit = Exit::Ok;
    for name in &names {
        let verdict = store.verify(name).await;
        output.value(&json!({"name": name, "ok": verdict.is_ok()}));
        match verdict {
            Ok(()) => output.line(format!("{name}: as it should be")),
            Err(error) => {
                output.remark(format!("loquat: failed to {}", with_causes(&error)));
                exit = Exit::Failed;
            }
        }
    }
    Ok(exit)
}

fn remove(store: &Store, names: &[String], output: Output) -> Exit {
    let mut exit = Exit::Ok;
    for name in names {
        match store.remove(name) {
            Ok(was_there) => {
                output.line(format!(
                    "{name}: {}",
                    if was_there { "removed" } else { "was not there" }
                ));
                output.value(&json!({"name": name, "removed": was_there}));
            }
            Err(error) => {
                output.remark(format!("loquat: failed to {}", with_causes(&error)));
                exit = Exit::Failed;
            }
        }
    }
    exit
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Language => "thinking",
        Kind::Speech => "hearing",
        Kind::VoiceActivity => "voice activity",
        Kind::WakeWord => "wake word",
        Kind::Sentences => "sentences",
    }
}

fn described(state: State) -> String {
    match state {
        State::Absent => "–".to_owned(),
        State::Partial { bytes } => format!("partly ({})", size(bytes)),
        State::Complete => "installed".to_owned(),
        State::WrongSize { bytes } => format!("BROKEN: {} long; fetch it again", size(bytes)),
    }
}

fn size(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
