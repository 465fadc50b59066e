//! `loquat models`: the catalogue, what of it is on this device, and models from elsewhere.

mod timing;

use std::path::Path;

use anyhow::Result;
use loquat_agent::brain::{Brain as _, ChatMessage, ChatRequest};
use loquat_brain::LocalBrain;
use loquat_failure::with_causes;
use loquat_mind::model_speed::{ModelSpeeds, Rates};
use loquat_models::{Bar, Catalogue, GgufError, GgufFacts, Listed, ModelFile, State, Store, Thinking};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::arguments::Models;
use super::{Context, Exit, Output, Style};
use crate::app;
use crate::models_in_use::ModelsInUse;

/// Carries out `loquat models`.
pub(super) async fn run(context: &Context, command: Option<Models>) -> Result<Exit> {
    let store = ModelsInUse::store(&context.settings, &context.environment);
    let used = used(context);
    match command.unwrap_or(Models::List) {
        Models::List => Ok(list(&store, &used, context)),
        Models::Fetch {
            names,
            accept_licence,
        } => {
            let names = if names.is_empty() { used } else { each_of(names)? };
            fetch(&store.accepting(accept_licence), &names, context).await
        }
        Models::Time { names } => Ok(timing::time(context, &names).await),
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

/// The names, with the files of folders in their place.
fn each_of(names: Vec<String>) -> Result<Vec<String>> {
    let mut each = Vec::new();
    for name in names {
        let files = Store::models_in(Path::new(&name))?;
        if files.is_empty() {
            each.push(name);
        } else {
            each.extend(files.iter().map(|file| file.display().to_string()));
        }
    }
    Ok(each)
}

fn list(store: &Store, used: &[String], context: &Context) -> Exit {
    let output = context.output;
    let speeds = ModelSpeeds::recall(&context.settings.folders.state);
    let threads = context.settings.local_brain.threads.map(u32::from);
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
            model.kind.words(),
            described(state)
        ));
        let facts = store.facts_of(model);
        let licence = facts.iter().flatten().find_map(|facts| facts.licence.clone());
        let licence = licence.filter(|_| model.origin.is_some());
        let licence = licence.unwrap_or_else(|| model.licence.clone());
        let about = format!(
            "    {}. {licence}, {} GiB of memory",
            model.about, model.memory_gib
        );
        output.styled(Style::Dim, about);
        let rates = speeds.of(&path, threads);
        if let Some(line) = told(facts.as_ref(), rates) {
            output.styled(Style::Dim, format!("    {line}"));
        }
        let facts = facts.and_then(Result::ok);
        all.push(
            json!({"name": model.name, "kind": model.kind, "size": model.size, "licence": licence,
            "languages": model.languages, "path": path, "state": state, "used": is_used, "origin": model.origin,
            "tools": facts.as_ref().map(GgufFacts::takes_tools), "thinking": facts.as_ref().map(GgufFacts::thinking),
            "template": facts.as_ref().map(|facts| facts.template.is_some()), "facts": facts, "rates": rates}),
        );
    }
    offer(store, output);
    store
        .complaints()
        .iter()
        .for_each(|complaint| output.remark(format!("loquat: {complaint}")));
    output.value(&all);
    Exit::Ok
}

/// What the file of a language model says of it, and how quick it is here.
fn told(facts: Option<&Result<GgufFacts, GgufError>>, rates: Option<Rates>) -> Option<String> {
    let facts = match facts? {
        Ok(facts) => facts,
        Err(error) => return Some(format!("BROKEN: failed to {error}")),
    };
    let mut told = vec![
        format!(
            "{}, {:.2} billion weights",
            facts.architecture,
            facts.parameters as f64 / 1e9
        ),
        facts.quantisation.unwrap_or("of unknown precision").to_owned(),
    ];
    told.extend(
        facts
            .context_length
            .map(|length| format!("window of {length} tokens")),
    );
    told.push(match (&facts.template, facts.takes_tools()) {
        (None, _) => "NO chat template: it cannot converse".to_owned(),
        (Some(_), true) => "chat template with tools".to_owned(),
        (Some(_), false) => "chat template without tools".to_owned(),
    });
    told.extend(match facts.thinking() {
        Thinking::Never => None,
        Thinking::CanBeSwitchedOff => Some("is told not to think first".to_owned()),
        Thinking::ByItself => Some("thinks first".to_owned()),
    });
    told.extend(rates.map(|rates| rates.to_string()));
    Some(told.join(", "))
}

/// Lists what can be fetched by a name and was not measured here.
fn offer(store: &Store, output: Output) {
    if store.catalogue().offers().next().is_none() {
        return;
    }
    output.line("On the model hub, not measured by us; their checksums are the hub's when they are fetched:");
    for offer in store.catalogue().offers() {
        output.line(format!("  {:<36} {}", offer.name, offer.about));
        let about = format!(
            "    {}. {}, {} GiB of memory",
            offer.address, offer.licence, offer.memory_gib
        );
        output.styled(Style::Dim, about);
    }
}

/// All of them are tried; what failed is said at its own place.
async fn fetch(store: &Store, names: &[String], context: &Context) -> Result<Exit> {
    let output = context.output;
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
            Ok(path) => match unusable(context, &path).await {
                None => {
                    output.line(format!("{name}: {}", path.display()));
                    output.value(&json!({"name": name, "path": path}));
                }
                Some(why) => {
                    output.remark(format!("loquat: {} is fetched, but {why}", path.display()));
                    output.value(&json!({"name": name, "path": path, "error": why}));
                    exit = Exit::Failed;
                }
            },
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

/// Why a model of no catalogue cannot be used: it is loaded once, since only llama.cpp knows which kinds it can compute.
async fn unusable(context: &Context, path: &Path) -> Option<String> {
    let store = ModelsInUse::store(&context.settings, &context.environment);
    let listed = store.list().into_iter().find(|listed| listed.path == path)?;
    listed.model.origin.as_ref()?;
    let file = ModelFile {
        path: listed.path,
        name: listed.model.name.clone(),
        bytes: listed.model.size,
        is_in_catalogue: true,
    };
    let model = app::model_of(&context.settings, &context.environment, &file);
    let brain = LocalBrain::new(model.settings());
    let loaded = brain.warm(&hello()).await;
    brain.shutdown().await;
    let error = loaded.err()?;
    let name = &listed.model.name;
    Some(format!(
        "failed to {error}; `loquat models remove {name}` removes it"
    ))
}

fn hello() -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage::user("Hello").into()],
        ..ChatRequest::default()
    }
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

fn described(state: State) -> String {
    match state {
        State::Absent => "–".to_owned(),
        State::Partial { bytes } => format!("partly ({})", size(bytes)),
        State::Complete => "installed".to_owned(),
        State::WrongSize { bytes } => format!("BROKEN: {} long; fetch it again", size(bytes)),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..100_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
