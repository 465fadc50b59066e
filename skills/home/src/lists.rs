//! To-do lists that Home Assistant keeps: what is on them, and what is put on, ticked off and taken off. What is told is what
//! is read again afterwards.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::house::{Entity, House};
use super::link::HomeFault;
use super::names::CHANGE_LIST;
use super::target::{Found, Search, Why, Wish};
use super::telling::{fault_dialog, several};
use super::tools::Tools;
use loquat_kit::asked;
use loquat_kit::dialog::{Gap, Tell, Telling};

/// Items that are told at once.
const MOST_TOLD: usize = 12;

/// Items that a brain is shown.
const MOST_SHOWN: usize = 60;

/// The kind of entities that are lists.
const TODO: &str = "todo";

/// Characters of an item.
const LONGEST: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WhichList {
    /// Its name; default: the only one.
    #[serde(default)]
    list: String,
    /// What was answered to the question which one is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
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
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
}

/// What is on a list that is not done.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Listed {
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<String>,
    items: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// Which it may be, where it is asked which one is meant.
    #[serde(skip)]
    choices: Vec<String>,
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
    choices: Vec<String>,
    #[serde(skip)]
    told: Option<Telling>,
}

impl Tell for Listed {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }

    fn choices(&self) -> Vec<String> {
        self.choices.clone()
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

    fn choices(&self) -> Vec<String> {
        self.choices.clone()
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
    /// Several lists may be meant.
    Which(Vec<String>),
}

/// What a person is told of a list that cannot be used.
struct Said {
    problem: String,
    choices: Vec<String>,
    told: Telling,
}

impl Trouble {
    /// What the person is told, or else the mistake of the call.
    fn said(self) -> Result<Said, ToolError> {
        match self {
            Self::Reply(error) => Err(error),
            Self::Told(problem, told) => Ok(Said {
                problem,
                choices: Vec::new(),
                told,
            }),
            Self::Which(names) => Ok(Said {
                problem: format!(
                    "list: there are several: {}; ask which one is meant",
                    names.join(", ")
                ),
                told: several(&names),
                choices: names,
            }),
        }
    }
}

impl From<Said> for Listed {
    fn from(said: Said) -> Self {
        Self {
            problem: Some(said.problem),
            choices: said.choices,
            told: Some(said.told),
            ..Self::default()
        }
    }
}

impl From<Said> for Changed {
    fn from(said: Said) -> Self {
        Self {
            problem: Some(said.problem),
            choices: said.choices,
            told: Some(said.told),
            ..Self::default()
        }
    }
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
    uid: Option<String>,
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
    asked: WhichList,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Listed, ToolError>> {
    async move {
        let found = async {
            let (id, list) = tools.list(&asked.list, &asked.choice, person).await?;
            Ok((items(&tools, &id).await?, list))
        };
        match found.await {
            Ok((items, list)) => Ok(listed(&items, list)),
            Err(trouble) => Trouble::said(trouble).map(Listed::from),
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
        told,
        ..Listed::default()
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
            Err(trouble) => trouble.said().map(Changed::from),
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
    let (id, list) = tools.list(&asked.list, &asked.choice, person).await?;
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
        .call("todo", service, &data, std::slice::from_ref(&id))
        .await?;
    let now = items(tools, &id).await?;
    let is_open = now
        .iter()
        .any(|known| known.is_open() && is_same(&known.summary, &item));
    let done = is_open == (asked.action == Change::Add);
    let told = Telling::new(dialog).words("item", loquat_agent::speakable(&item));
    Ok(told_of(done, told, list))
}

/// The question whether to clear a list.
pub(super) fn asked_to_clear(arguments: &Map<String, Value>) -> Option<Telling> {
    let list = asked::named(arguments, "list", &[])?;
    Some(Telling::new("ask_clear_list").words("list", list))
}

pub(super) fn clear(
    tools: Arc<Tools>,
    asked: WhichList,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Changed, ToolError>> {
    async move {
        match cleared(&tools, &asked, person).await {
            Ok(changed) => Ok(changed),
            Err(trouble) => trouble.said().map(Changed::from),
        }
    }
    .boxed()
}

/// Takes off a list what is not done. What is ticked off stays, as the list told nothing of it.
async fn cleared(tools: &Tools, asked: &WhichList, person: &Circumstances) -> Result<Changed, Trouble> {
    let (id, list) = tools.list(&asked.list, &asked.choice, person).await?;
    let open = |items: Vec<Item>| items.into_iter().filter(Item::is_open);
    let there = open(items(tools, &id).await?).map(|item| item.uid.unwrap_or(item.summary));
    let there: Vec<String> = there.collect();
    let dialog = if there.is_empty() {
        "list_empty"
    } else {
        "list_cleared"
    };
    if !there.is_empty() {
        let data = json!({"item": there}).as_object().cloned().unwrap_or_default();
        let lists = std::slice::from_ref(&id);
        tools.home.call("todo", "remove_item", &data, lists).await?;
    }
    let done = open(items(tools, &id).await?).next().is_none();
    Ok(told_of(done, Telling::new(dialog), list))
}

/// What is told of a change of a list.
fn told_of(done: bool, told: Telling, list: String) -> Changed {
    let speakable = loquat_agent::speakable(&list);
    let unchanged = || Telling::new("unchanged").with("things", Gap::Several(vec![speakable.clone()]));
    let told = if done { told } else { unchanged() };
    Changed {
        done,
        problem: (!done).then(|| format!("told, but {list} is as it was")),
        told: Some(told.words("list", speakable)),
        list: Some(list),
        choices: Vec::new(),
    }
}

/// The item as the list has it.
fn known(items: &[Item], wanted: &str, list: &str) -> Result<String, Trouble> {
    let found = items.iter().find(|item| is_same(&item.summary, wanted));
    found.map(|item| item.summary.clone()).ok_or_else(|| {
        // What is on it may be strangers' words, which only a reading of the list tells.
        let count = items.len();
        let problem = format!("item: {list} has no '{wanted}' among its {count} items; read the list first");
        let told = Telling::new("list_lacks").words("item", loquat_agent::speakable(wanted));
        Trouble::Told(
            problem,
            told.words("list", loquat_agent::speakable(list)).naming([list]),
        )
    })
}

fn is_same(one: &str, other: &str) -> bool {
    loquat_kit::folded(one) == loquat_kit::folded(other)
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
    async fn list(
        &self,
        name: &str,
        choice: &str,
        person: &Circumstances,
    ) -> Result<(String, String), Trouble> {
        self.home.ready().await?;
        let house = self.home.house.read_recursive();
        let found = self
            .list_of(name, choice, &house, person)
            .map_err(|why| match why {
                Why::Several(names) => Trouble::Which(names),
                _ => no_such_list(&house),
            })?;
        let id = found.ids.into_iter().next();
        let found = id.and_then(|id| house.entities.get(&id));
        let found = found.ok_or_else(|| no_such_list(&house))?;
        let name = found.name().to_owned();
        if !person.is_consented && self.home.guard.asks(found, &house) {
            let told = Telling::new("needs_yes")
                .with("things", Gap::Several(vec![name.clone()]))
                .naming([&name]);
            let problem = format!("{name} is changed only after the person has said yes");
            return Err(Trouble::Told(problem, told));
        }
        Ok((found.id.clone(), name))
    }

    /// Which list a call means.
    pub(super) fn list_meant(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        person: &Circumstances,
    ) -> Option<Result<Found, Why>> {
        let arguments = Value::Object(arguments);
        let (list, choice) = if tool == CHANGE_LIST {
            let asked = serde_json::from_value::<ChangeList>(arguments).ok()?;
            (asked.list, asked.choice)
        } else {
            let asked = serde_json::from_value::<WhichList>(arguments).ok()?;
            (asked.list, asked.choice)
        };
        let house = self.home.house.read_recursive();
        Some(self.list_of(&list, &choice, &house, person))
    }

    /// The one list of a name, or the only one where none is named.
    fn list_of(&self, name: &str, choice: &str, house: &House, person: &Circumstances) -> Result<Found, Why> {
        // Lists that do not answer now are lists all the same: it is told why they cannot be used.
        let mut lists = lists_of(house);
        if let (Some(only), None, "", "") = (lists.next(), lists.next(), name.trim(), choice.trim()) {
            return Ok(Found {
                ids: vec![only.id.clone()],
                ..Found::default()
            });
        }
        let fits = |entity: &Entity| entity.domain() == TODO;
        // A list that asks is found as well: whether it may be changed is another question.
        let search = Search::new(house, &self.home.guard, None, self.words(person), &fits).reading();
        let found = search.find(&Wish {
            thing: name,
            choice,
            usual: &[TODO],
            is_for_one: true,
            ..Wish::default()
        })?;
        if found.ids.len() < 2 {
            return Ok(found);
        }
        let found = found.ids.iter().filter_map(|id| house.entities.get(id));
        Err(Why::Several(found.map(|list| list.name().to_owned()).collect()))
    }
}

fn lists_of(house: &House) -> impl Iterator<Item = &Entity> {
    house.exposed().filter(|entity| entity.domain() == TODO)
}

fn no_such_list(house: &House) -> Trouble {
    let names: Vec<&str> = lists_of(house).map(Entity::name).collect();
    let message = format!("list: there is none of that name; there are {}", names.join(", "));
    Trouble::Reply(ToolError::reply("LookupError", message).naming(names))
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
