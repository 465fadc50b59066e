//! To-do lists that Home Assistant keeps: what is on them, and what is put on, ticked off and taken off. What is told is what
//! is read again afterwards.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::house::Entity;
use super::link::HomeFault;
use super::target::{Search, Why, Wish};
use super::tools::{Tools, fault_dialog, lang, several};
use crate::dialog::{Gap, Tell, Telling};

/// Items that are told at once.
const MOST_TOLD: usize = 12;

/// Items that a brain is shown.
const MOST_SHOWN: usize = 60;

/// Characters of an item.
const LONGEST: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ReadList {
    /// Its name; default: the only one.
    #[serde(default)]
    list: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Change {
    Add,
    Complete,
    Remove,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ChangeList {
    action: Change,
    item: String,
    /// Its name; default: the only one.
    #[serde(default)]
    list: String,
}

/// What is on a list that is not done.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Listed {
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<String>,
    items: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Option<Telling>,
}

/// What came of a change.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Changed {
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Option<Telling>,
}

impl Tell for Listed {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }

    /// Others may write on such a list as well.
    fn is_of_strangers(&self) -> bool {
        !self.items.is_empty()
    }

    fn names(&self) -> Vec<String> {
        let told = self.told.iter().flat_map(Telling::names);
        told.chain(&self.list).cloned().collect()
    }
}

impl Tell for Changed {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }

    fn names(&self) -> Vec<String> {
        let told = self.told.iter().flat_map(Telling::names);
        told.chain(&self.list).cloned().collect()
    }
}

/// Why a list cannot be used.
enum Trouble {
    /// A mistake of the call.
    Reply(ToolError),
    /// For the person.
    Told(String, Telling),
}

impl From<HomeFault> for Trouble {
    fn from(fault: HomeFault) -> Self {
        Self::Told(fault.to_string(), fault_dialog(&fault))
    }
}

#[derive(Debug, Deserialize)]
struct Item {
    summary: String,
    #[serde(default)]
    status: String,
}

impl Item {
    fn is_open(&self) -> bool {
        self.status != "completed"
    }
}

pub(super) fn read(
    tools: Arc<Tools>,
    asked: ReadList,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Listed, ToolError>> {
    async move {
        let found = async {
            let (id, list) = tools.list(&asked.list, person).await?;
            Ok((items(&tools, &id).await?, list))
        };
        match found.await {
            Ok((items, list)) => Ok(listed(&items, list)),
            Err(Trouble::Reply(error)) => Err(error),
            Err(Trouble::Told(problem, told)) => Ok(Listed {
                problem: Some(problem),
                told: Some(told),
                ..Listed::default()
            }),
        }
    }
    .boxed()
}

fn listed(items: &[Item], list: String) -> Listed {
    let open = items.iter().filter(|item| item.is_open());
    let names: Vec<String> = open.map(|item| cut(&item.summary)).take(MOST_SHOWN).collect();
    let spoken: Vec<String> = names.iter().map(|name| loquat_agent::speakable(name)).collect();
    let told = if names.is_empty() {
        Some(Telling::new("list_empty"))
    } else {
        (names.len() <= MOST_TOLD).then(|| Telling::new("list_items").with("items", Gap::Several(spoken)))
    };
    let told = told.map(|told| told.words("list", loquat_agent::speakable(&list)));
    Listed {
        list: Some(list),
        items: names,
        problem: None,
        told,
    }
}

pub(super) fn change(
    tools: Arc<Tools>,
    asked: ChangeList,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Changed, ToolError>> {
    async move {
        match changed(&tools, &asked, person).await {
            Ok(changed) => Ok(changed),
            Err(Trouble::Reply(error)) => Err(error),
            Err(Trouble::Told(problem, told)) => Ok(Changed {
                problem: Some(problem),
                told: Some(told),
                ..Changed::default()
            }),
        }
    }
    .boxed()
}

async fn changed(tools: &Tools, asked: &ChangeList, person: &Circumstances) -> Result<Changed, Trouble> {
    let item = cut(asked.item.trim());
    if item.is_empty() {
        let complaint = ToolError::reply("ValueError", "item: write what is to be on the list");
        return Err(Trouble::Reply(complaint));
    }
    let (id, list) = tools.list(&asked.list, person).await?;
    let item = match asked.action {
        Change::Add => item,
        Change::Complete | Change::Remove => known(&items(tools, &id).await?, &item, &list)?,
    };
    let (service, data, dialog) = match asked.action {
        Change::Add => ("add_item", json!({"item": item}), "list_added"),
        Change::Complete => (
            "update_item",
            json!({"item": item, "status": "completed"}),
            "list_completed",
        ),
        Change::Remove => ("remove_item", json!({"item": item}), "list_removed"),
    };
    let data = data.as_object().cloned().unwrap_or_default();
    tools
        .home
        .call(("todo", service), &data, std::slice::from_ref(&id))
        .await?;
    let now = items(tools, &id).await?;
    let is_open = now
        .iter()
        .any(|known| known.is_open() && is_same(&known.summary, &item));
    let done = is_open == (asked.action == Change::Add);
    let told = if done {
        Telling::new(dialog).words("item", loquat_agent::speakable(&item))
    } else {
        Telling::new("unchanged").with("things", Gap::Several(vec![loquat_agent::speakable(&list)]))
    };
    Ok(Changed {
        done,
        problem: (!done).then(|| format!("told, but {list} is as it was")),
        told: Some(told.words("list", loquat_agent::speakable(&list))),
        list: Some(list),
    })
}

/// The item as the list has it.
fn known(items: &[Item], wanted: &str, list: &str) -> Result<String, Trouble> {
    let found = items.iter().find(|item| is_same(&item.summary, wanted));
    found.map(|item| item.summary.clone()).ok_or_else(|| {
        // What is on it may be strangers' words, which only a reading of the list tells.
        let count = items.len();
        let message = format!("item: {list} has no '{wanted}' among its {count} items; read the list first");
        Trouble::Reply(ToolError::reply("LookupError", message).naming([list]))
    })
}

fn is_same(one: &str, other: &str) -> bool {
    crate::folded(one) == crate::folded(other)
}

async fn items(tools: &Tools, id: &str) -> Result<Vec<Item>, HomeFault> {
    let command = json!({
        "type": "call_service",
        "domain": "todo",
        "service": "get_items",
        "target": {"entity_id": [id]},
        "return_response": true,
    });
    let answer = tools.home.ask(command).await?;
    let response = answer.get("response").and_then(Value::as_object);
    let list = response.and_then(|lists: &Map<String, Value>| lists.get(id));
    let items = list
        .and_then(|list| list.get("items"))
        .cloned()
        .unwrap_or_default();
    serde_json::from_value(items).map_err(|_| HomeFault::Failed {
        code: "invalid_format".to_owned(),
        message: "it did not tell what is on the list".to_owned(),
    })
}

impl Tools {
    /// The id and the name of a list.
    async fn list(&self, name: &str, person: &Circumstances) -> Result<(String, String), Trouble> {
        self.home.ready().await?;
        let house = self.home.house.read_recursive();
        let fits = |entity: &Entity| entity.domain() == "todo";
        let lists: Vec<&Entity> = house.exposed().filter(|entity| fits(entity)).collect();
        let found = match (lists.as_slice(), name.trim()) {
            ([only], "") => *only,
            (several_lists, "") if !several_lists.is_empty() => {
                let names: Vec<String> = lists.iter().map(|list| list.name().to_owned()).collect();
                let problem = format!("list: there are several: {}", names.join(", "));
                return Err(Trouble::Told(problem, several(&names)));
            }
            _ => {
                let search = Search::new(
                    (&house, &self.home.guard),
                    None,
                    (&self.locales, lang(person)),
                    &fits,
                );
                let wish = Wish {
                    thing: name,
                    usual: &["todo"],
                    ..Wish::default()
                };
                let found = search.find(&wish).map(|found| found.ids);
                let id = match found {
                    Ok(ids) => ids.into_iter().next(),
                    Err(Why::Several(names)) => {
                        let problem = format!("list: several are called so: {}", names.join(", "));
                        return Err(Trouble::Told(problem, several(&names)));
                    }
                    Err(_) => None,
                };
                let entity = id.and_then(|id| house.entities.get(&id));
                entity.ok_or_else(|| {
                    let names: Vec<&str> = lists.iter().map(|list| list.name()).collect();
                    let known = names.join(", ");
                    let message = format!("list: there is none of that name; there are {known}");
                    Trouble::Reply(ToolError::reply("LookupError", message).naming(names))
                })?
            }
        };
        if !person.is_consented && self.home.guard.asks(found, &house) {
            let name = found.name().to_owned();
            let told = Telling::new("needs_yes")
                .with("things", Gap::Several(vec![name.clone()]))
                .naming([&name]);
            return Err(Trouble::Told(
                format!("{name} is changed only after the person has said yes"),
                told,
            ));
        }
        Ok((found.id.clone(), found.name().to_owned()))
    }
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
