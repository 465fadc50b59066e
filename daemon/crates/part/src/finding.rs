//! How well a part is, as `loquat check` and the page tell it. Shows nothing.

use loquat_models::ModelFile;
use loquat_settings::Complaint;
use serde::Serialize;

/// How well a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It works.
    Ok,
    /// It works, and there is something to know about it.
    Remark,
    /// It works without.
    Missing,
    /// It does not work.
    Broken,
}

impl Verdict {
    /// Gives the verdict that follows from a complaint about a file.
    pub fn of(complaint: &Complaint) -> Self {
        if complaint.is_refusal() {
            Self::Broken
        } else {
            Self::Remark
        }
    }
}

/// One line of the report.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The part is called so.
    pub part: String,
    /// How well it is.
    pub verdict: Verdict,
    /// What was found.
    pub detail: String,
    /// What a person can do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

impl Finding {
    /// Tells of something that works.
    pub fn ok(part: &str, detail: impl Into<String>) -> Self {
        Self {
            part: part.to_owned(),
            verdict: Verdict::Ok,
            detail: detail.into(),
            mend: None,
        }
    }

    /// Tells of something that a person should know of, and what to do about it.
    pub fn bad(part: &str, verdict: Verdict, detail: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            part: part.to_owned(),
            verdict,
            detail: detail.into(),
            mend: Some(mend.into()),
        }
    }

    /// Tells whether the file of a model that is needed is there.
    pub fn of_model(part: &str, file: &ModelFile) -> Self {
        if file.is_present() {
            return Self::ok(part, format!("{} is installed", file.name));
        }
        let detail = format!("{} is not at {}", file.name, file.path.display());
        Self::bad(part, Verdict::Broken, detail, file.mend())
    }
}
