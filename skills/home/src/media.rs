//! Media that a player of the home looks for by words, and plays. A player that cannot search is told so.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use serde_json::{Map, Value, json};

use super::deed::carry_out;
use super::given::{Given, Play};
use super::house::Entity;
use super::link::HomeFault;
use super::obeyed::Obeyed;
use super::order::{Media, Order};
use super::target::{Search, Why, Wish};
use super::tools::{Shared, Tools};
use loquat_kit::dialog::Telling;

/// Characters of a title that are told.
const LONGEST_TITLE: usize = 80;

/// Classes of media, as Home Assistant names them.
const CLASSES: [&str; 12] = [
    "album", "artist", "channel", "composer", "episode", "genre", "movie", "music", "playlist", "podcast",
    "track", "tv_show",
];

pub(super) fn play(
    tools: Shared,
    asked: Play,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Obeyed, ToolError>> {
    async move { tools.play(asked, person).await }.boxed()
}

impl Tools {
    async fn play(&self, asked: Play, person: &Circumstances) -> Result<Obeyed, ToolError> {
        if let Err(fault) = self.home.ready().await {
            return Ok(Obeyed::fault(&fault));
        }
        let given = Given::try_from(&asked)?;
        let classes = class_of(&asked.media_class)?;
        if let Some(mute) = self.no_searcher(&given, person) {
            return Ok(mute);
        }
        let found = match self.resolved(given, person) {
            Ok((_, found)) => found,
            Err(refused) => return *refused,
        };
        if let Some(refused) = self.refuse(&found, person) {
            return Ok(refused);
        }
        Ok(match self.search(&found.ids, &asked.query, &classes).await {
            Ok(Some(media)) => {
                let order = Order::Play(media);
                let report = carry_out(&self.home, &order, &found.ids).await;
                Obeyed::of(&order, report, Vec::new(), &self.home.house.read_recursive())
            }
            Ok(None) => {
                let query = loquat_agent::speakable(asked.query.trim());
                let problem = format!("the player found nothing for '{query}'");
                Obeyed::problem(problem, Telling::new("found_nothing").words("query", query))
            }
            Err(fault) => Obeyed::fault(&fault),
        })
    }

    /// What is said where the player that is meant, or each player there, cannot search.
    fn no_searcher(&self, given: &Given, person: &Circumstances) -> Option<Obeyed> {
        let house = self.home.house.read_recursive();
        let seeks = |entity: &Entity| Order::Seek.step(entity).is_some();
        let players = |entity: &Entity| entity.domain() == "media_player";
        if !house.exposed().any(seeks) {
            let problem = "no player of the home can search for media".to_owned();
            return Some(Obeyed::problem(problem, Telling::new("no_searcher")));
        }
        let search = Search::new(&house, &self.home.guard, None, self.words(person), &players).reading();
        let named = search.find(&Wish {
            thing: &given.thing,
            area: &given.area,
            usual: &["media_player"],
            ..Wish::default()
        });
        let meant = named.map_or_else(|_: Why| Vec::new(), |found| found.ids);
        let meant: Vec<&Entity> = meant.iter().filter_map(|id| house.entities.get(id)).collect();
        let first = meant
            .first()
            .filter(|_| !meant.iter().any(|entity| seeks(entity)))?;
        let problem = format!("{} cannot search for media", first.name());
        let told = Telling::new("no_search").words("thing", loquat_agent::speakable(first.name()));
        Some(Obeyed::problem(problem, told.naming([first.name()])))
    }

    /// The first thing that a player finds and can play.
    async fn search(
        &self,
        ids: &[String],
        query: &str,
        classes: &[&str],
    ) -> Result<Option<Media>, HomeFault> {
        let mut data = Map::from_iter([("search_query".to_owned(), json!(query.trim()))]);
        if !classes.is_empty() {
            data.insert("media_filter_classes".to_owned(), json!(classes));
        }
        let first: Vec<&String> = ids.iter().take(1).collect();
        let answer = self
            .home
            .ask(json!({
                "type": "call_service",
                "domain": "media_player",
                "service": "search_media",
                "service_data": data,
                "target": {"entity_id": first},
                "return_response": true,
            }))
            .await?;
        let response = answer.get("response").and_then(Value::as_object);
        let of_player = response.into_iter().flatten().next().map(|(_, found)| found);
        let found = of_player
            .and_then(|found| found.get("result"))
            .and_then(Value::as_array);
        Ok(found.into_iter().flatten().find_map(playable))
    }
}

/// A find that can be played.
fn playable(found: &Value) -> Option<Media> {
    let text = |key: &str| Some(found.get(key)?.as_str()?.to_owned());
    if found.get("can_play").and_then(Value::as_bool) == Some(false) {
        return None;
    }
    let title = text("title").unwrap_or_default();
    Some(Media {
        id: text("media_content_id")?,
        kind: text("media_content_type")?,
        title: title.chars().take(LONGEST_TITLE).collect(),
    })
}

fn class_of(said: &str) -> Result<Vec<&'static str>, ToolError> {
    let class = loquat_kit::folded(said).replace(' ', "_");
    let known: Vec<&str> = CLASSES.into_iter().filter(|known| *known == class).collect();
    if class.is_empty() || !known.is_empty() {
        return Ok(known);
    }
    let message = format!("media_class: write one of {}", CLASSES.join(", "));
    Err(ToolError::reply("ValueError", message))
}
