//! `loquat models time`: how quick language models are on this machine.

use loquat_failure::with_causes;
use loquat_mind::model_speed::{self, ModelSpeeds};
use loquat_models::{Catalogue, Kind, ModelFile, State};
use loquat_part::model_files::ModelFiles;
use serde_json::json;

use super::super::{Context, Exit};
use crate::app;
use crate::models_in_use::ModelsInUse;

/// Times these models, or all that are installed, one after the other, and keeps what was found.
pub(super) async fn time(context: &Context, names: &[String]) -> Exit {
    let (settings, output) = (&context.settings, context.output);
    let state = &settings.folders.state;
    let mut exit = Exit::Ok;
    for file in files(context, names) {
        let model = app::model_of(settings, &context.environment, &file);
        let measured = model_speed::measure(model.settings()).await;
        let kept = measured.map_err(|error| with_causes(&error)).and_then(|rates| {
            let mut speeds = ModelSpeeds::recall(state);
            speeds.put(&file.path, model.threads, rates);
            let kept = speeds.keep(state).map_err(|error| error.to_string());
            kept.map(|()| rates)
        });
        match kept {
            Ok(rates) => {
                output.line(format!("{}: {rates}", file.name));
                output.value(&json!({"name": file.name, "rates": rates,
                    "one_tool_request": rates.one_tool_request().as_secs_f64()}));
            }
            Err(why) => {
                output.remark(format!("loquat: failed to time {}: {why}", file.name));
                output.value(&json!({"name": file.name, "error": why}));
                exit = Exit::Failed;
            }
        }
    }
    exit
}

fn files(context: &Context, names: &[String]) -> Vec<ModelFile> {
    let catalogue = Catalogue::embedded();
    let files = ModelFiles::new(&catalogue, &context.settings.folders, &context.environment);
    if !names.is_empty() {
        return names.iter().map(|name| files.named(name)).collect();
    }
    let store = ModelsInUse::store(&context.settings, &context.environment);
    let listed = store.list().into_iter();
    let installed =
        listed.filter(|listed| listed.model.kind == Kind::Language && listed.state == State::Complete);
    installed.map(|listed| files.named(&listed.model.name)).collect()
}
