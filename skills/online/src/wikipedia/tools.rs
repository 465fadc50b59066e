//! The tool that tells what Wikipedia has on a topic.

use jiff::Timestamp;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ARTICLE;
use super::service::{Article, Found, Wikipedia};
use crate::net::Fault;
use crate::reference::{prose, soon, source};
use loquat_kit::dialog::{Gap, Tell, Telling};

/// The licence of the text asks for it.
const CREDIT: &str = "Wikipedia, CC BY-SA 4.0";

/// In letters; no topic is longer.
const LONGEST_QUERY: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Query {
    /// Person, place or thing.
    query: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Answer {
    title: String,
    summary: String,
    /// Articles of which any may be meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    source: &'static str,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Answer {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

impl Answer {
    fn of(article: &Article, lang: &str) -> Self {
        let dialog = if article.lang == lang {
            ARTICLE
        } else {
            "article_english"
        };
        Self {
            title: article.title.clone(),
            summary: article.summary.clone(),
            choices: Vec::new(),
            url: Some(article.url.clone()),
            source: CREDIT,
            told: Telling::new(dialog).words("summary", &article.summary),
        }
    }

    fn several(title: &str, choices: &[String]) -> Self {
        Self {
            title: title.to_owned(),
            summary: String::new(),
            choices: choices.to_vec(),
            url: None,
            source: CREDIT,
            told: Telling::new("several")
                .words("topic", title)
                .with("choices", Gap::Several(choices.to_vec())),
        }
    }
}

/// Nothing is asked.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

pub(super) async fn random_article(
    _: Nothing,
    person: &Circumstances,
    wikipedia: &Wikipedia,
    now: Timestamp,
) -> Result<Answer, ToolError> {
    let lang = source::language_of(person);
    let found = soon(wikipedia.random(&lang, now)).await;
    let found = found.map_err(|fault: Fault| fault.of("Wikipedia"))?;
    let article =
        found.ok_or_else(|| ToolError::reply("LookupError", "Wikipedia gave no article; ask again"))?;
    let mut answer = Answer::of(&article, &lang);
    answer.told = Telling::new("random")
        .words("title", &article.title)
        .words("summary", &article.summary);
    Ok(answer)
}

pub(super) async fn search_wikipedia(
    Query { query }: Query,
    person: &Circumstances,
    wikipedia: &Wikipedia,
    now: Timestamp,
) -> Result<Answer, ToolError> {
    let query = prose::cut(&prose::spoken(&query), LONGEST_QUERY);
    if !query.chars().any(char::is_alphanumeric) {
        let complaint = "query: is empty; name a person, a place or a thing";
        return Err(ToolError::reply("ValueError", complaint));
    }
    let lang = source::language_of(person);
    let found = soon(wikipedia.look_up(&query, &lang, now)).await;
    let found = found.map_err(|fault: Fault| fault.of("Wikipedia"))?;
    // Who asks for the dialog of the person's own language has no use for another one.
    let is_wanted = |article: &Article| person.dialog.as_deref() != Some(ARTICLE) || article.lang == lang;
    match found.as_deref() {
        Some(Found::Article(article)) if is_wanted(article) => Ok(Answer::of(article, &lang)),
        Some(Found::Several { title, choices }) => Ok(Answer::several(title, choices)),
        Some(Found::Article(_)) | None => {
            let complaint = format!("query: Wikipedia has nothing on '{query}'; name it in another way");
            Err(ToolError::reply("LookupError", complaint))
        }
    }
}
