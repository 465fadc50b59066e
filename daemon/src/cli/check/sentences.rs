//! What `loquat check` finds of the pack of sentences.

use loquat_failure::with_causes;
use loquat_models::{Catalogue, Pack};
use loquat_part::{Finding, Verdict};

use crate::models_in_use::ModelsInUse;
use crate::sentence_pack::{self, NoPack};
use crate::settings::Settings;

const PART: &str = "sentences";

/// Opens it, since a file that is there may still be of no use.
pub(super) fn finding(settings: &Settings, models: &ModelsInUse) -> Finding {
    match sentence_pack::open(models.sentences.as_ref(), &Catalogue::embedded()) {
        Ok(Some(pack)) => opened(settings, &pack),
        Ok(None) => Finding::ok(
            PART,
            "the pack is switched off; the device understands its own alone",
        ),
        Err(NoPack::Missing { file }) => {
            let detail = format!(
                "{} is not at {}; without it the device understands its own sentences alone",
                file.name,
                file.path.display()
            );
            Finding::bad(PART, Verdict::Missing, detail, file.mend())
        }
        Err(NoPack::Useless(error)) => {
            let detail = format!(
                "failed to {}; it is left out, and the device understands its own sentences alone",
                with_causes(&error)
            );
            Finding::bad(PART, Verdict::Broken, detail, mend(settings, models))
        }
    }
}

/// Says what a pack holds, and which languages of the device it lacks.
fn opened(settings: &Settings, pack: &Pack) -> Finding {
    let mycroft = &settings.mycroft;
    let spoken = std::iter::once(&mycroft.lang).chain(&mycroft.secondary_langs);
    let lacking: Vec<&str> = spoken
        .map(String::as_str)
        .filter(|lang| pack.language(lang).is_none())
        .collect();
    let name = pack.path().file_name().unwrap_or_default().to_string_lossy();
    let holds = format!("{name} has sentences of {} languages", pack.languages().len());
    if lacking.is_empty() {
        return Finding::ok(PART, holds);
    }
    let detail = format!("{holds}, and none of {}", lacking.join(", "));
    let mend = "nothing need be done: what is said in that language goes to the device's own sentences and its personas";
    Finding::bad(PART, Verdict::Remark, detail, mend)
}

/// Says what a person can do about a file of no use.
fn mend(settings: &Settings, models: &ModelsInUse) -> String {
    match &models.sentences {
        Some(file) if !file.is_in_catalogue => {
            "set sentences.pack to \"auto\", \"off\", or a wheel of home-assistant-intents".to_owned()
        }
        Some(file) if file.path.starts_with(&settings.folders.models) => {
            let name = &file.name;
            format!("run `loquat models remove {name}` and `loquat models fetch {name}`")
        }
        _ => "install the package of Loquat again, which brought the file".to_owned(),
    }
}
