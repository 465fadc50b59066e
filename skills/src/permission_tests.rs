//! What is asked, what each answer comes to, and that no tool reaches a server that it does not declare.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Reachable, Request};
use loquat_agent::toolbox::{Circumstances, ToolError, Toolbox};
use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use loquat_kit::permission::{Allowed, Rules, SERVICES, Service, Standing};
use loquat_trial::{Answer, Replay};

use crate::{Home, Resources, TOOLBOXES, WeatherSettings, WebSettings};

/// A person who says the same to every question.
#[derive(Clone)]
struct Owner {
    says: Consent,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Owner {
    fn who_says(says: Consent) -> Self {
        let heard = Arc::default();
        Self { says, heard }
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().clone()
    }
}

impl Person for Owner {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        let question = request.question.clone().expect("a question of its own");
        self.heard.lock().push(question);
        std::future::ready(self.says).boxed()
    }
}

async fn server() -> Replay {
    Replay::start("127.0.0.1", |path| {
        if path.contains("/v1/search") {
            return Answer::json(r#"{"results": [{"name": "Lisbon", "latitude": 38.7, "longitude": -9.1}]}"#);
        }
        Answer::json(
            r#"{"query": {"pages": [{"pageid": 1, "title": "Loquat", "index": 1, "extract": "A tree."}]}}"#,
        )
    })
    .await
}

fn resources(server: &Replay, rules: Rules) -> Resources {
    let url = || server.url.clone();
    let web = WebSettings {
        search_url: Some(url()),
        wikipedia_url: url(),
        wiktionary_url: url(),
        wikidata_url: url(),
        contact: None,
    };
    let weather = WeatherSettings {
        url: url(),
        geocoding_url: url(),
        ..WeatherSettings::default()
    };
    Resources::volatile(Arc::new(crate::locales()))
        .with_permissions(rules)
        .with_weather(weather)
        .with_web(web)
}

fn found(id: &str, resources: &Resources) -> Arc<dyn Toolbox> {
    crate::find(id, &Map::new(), resources)
        .expect("a toolbox")
        .expect("good settings")
}

async fn looked_up(
    resources: &Resources,
    owner: Option<&Owner>,
    lang: &str,
    offline: Option<&str>,
) -> Result<String, ToolError> {
    let person = owner.map_or_else(Reachable::default, |owner| {
        Reachable::person(Arc::new(owner.clone()))
    });
    let who = Circumstances {
        lang: Some(lang.to_owned()),
        person,
        offline: offline.map(str::to_owned),
        ..Circumstances::default()
    };
    let arguments = Map::from_iter([("query".to_owned(), json!("loquat"))]);
    let toolbox = found("ovos-wikipedia-tools", resources);
    let outcome = toolbox.call("search_wikipedia", arguments, &who).await?;
    Ok(outcome.spoken.unwrap_or_default())
}

fn withheld(outcome: Result<String, ToolError>) -> String {
    match outcome {
        Err(ToolError::Withheld(sentence)) => sentence,
        other => panic!("it was not withheld: {other:?}"),
    }
}

#[tokio::test]
async fn a_yes_is_asked_for_once_and_sends_at_once() {
    let server = server().await;
    let resources = resources(&server, Rules::default());
    let owner = Owner::who_says(Consent::Given);
    assert_eq!(server.connections(), 0);
    looked_up(&resources, Some(&owner), "en-US", None)
        .await
        .expect("an article");
    assert_eq!(server.connections(), 1);
    looked_up(&resources, Some(&owner), "en-US", None)
        .await
        .expect("an article");
    looked_up(&resources, None, "en-US", None)
        .await
        .expect("an article");
    let asked = "I would ask Wikipedia about that. May I, from now on?";
    assert_eq!(owner.heard(), [asked]);
    assert_eq!(resources.permissions.of(Service::Weather), Standing::Unasked);
}

#[tokio::test]
async fn a_no_is_heeded_and_not_asked_again() {
    let server = server().await;
    let resources = resources(&server, Rules::default());
    let owner = Owner::who_says(Consent::Refused);
    let said = withheld(looked_up(&resources, Some(&owner), "en-US", None).await);
    assert!(
        said.contains("you may ask Wikipedia"),
        "the way back is told: {said}"
    );
    let said = withheld(looked_up(&resources, Some(&owner), "en-US", None).await);
    assert_eq!(said, "I do not ask Wikipedia, as you told me.");
    assert_eq!((owner.heard().len(), server.connections()), (1, 0));
}

#[tokio::test]
async fn silence_says_nothing_for_the_next_time() {
    let server = server().await;
    let resources = resources(&server, Rules::default());
    let owner = Owner::who_says(Consent::Unclear);
    for _ in 0..2 {
        let said = withheld(looked_up(&resources, Some(&owner), "en-US", None).await);
        assert_eq!(said, "I have not asked Wikipedia, as that was no clear yes.");
    }
    assert_eq!((owner.heard().len(), server.connections()), (2, 0));
}

#[tokio::test]
async fn where_nobody_can_be_asked_nothing_is_sent() {
    let server = server().await;
    for rules in [
        Rules::default(),
        Rules::default().with(Service::Wikipedia, Standing::Denied),
        Rules {
            allowed: Allowed::Nothing,
            ..Rules::default()
        },
    ] {
        let resources = resources(&server, rules);
        let barred = Owner::who_says(Consent::Barred);
        for owner in [None, Some(&barred)] {
            let said = withheld(looked_up(&resources, owner, "en-US", None).await);
            assert!(said.contains("Wikipedia"), "{said}");
        }
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_persona_that_is_offline_says_so_in_every_language_and_asks_nobody() {
    let server = server().await;
    let resources = resources(&server, Rules::everything());
    let owner = Owner::who_says(Consent::Given);
    for (lang, expected) in [
        ("en-US", "Teddy does not ask the internet."),
        ("de-DE", "Teddy fragt nicht im Internet."),
        ("fr-FR", "Teddy ne consulte pas internet."),
        ("es-ES", "Teddy no consulta internet."),
        ("it-IT", "Teddy non consulta internet."),
        ("pt-PT", "Teddy não consulta a internet."),
        ("hu-HU", "Teddy does not ask the internet."),
    ] {
        let said = withheld(looked_up(&resources, Some(&owner), lang, Some("Teddy")).await);
        assert_eq!(said, expected, "{lang}");
    }
    assert_eq!((owner.heard().len(), server.connections()), (0, 0));
}

#[test]
fn every_language_has_every_sentence_and_every_name() {
    let locales = crate::locales();
    let server = "preferences";
    for lang in locales.languages(server) {
        for dialog in [
            "may_i",
            "may_i_at_all",
            "offline",
            "not_allowed",
            "refused",
            "denied",
            "unclear",
            "allowed",
            "forbidden",
        ] {
            let lines = locales.file(server, lang, &format!("{dialog}.dialog"));
            assert!(lines.is_some_and(|lines| lines.len() == 1), "{dialog} ({lang})");
        }
        for service in SERVICES {
            let names: Vec<&str> = locales
                .values(server, lang, "service.value")
                .filter(|(name, _)| *name == service.name())
                .flat_map(|(_, words)| words.split('|'))
                .collect();
            assert!(!names.is_empty(), "{service} ({lang})");
            for name in names {
                assert_eq!(
                    loquat_device::preferences::named(name, &locales, lang),
                    Some(service),
                    "{name} ({lang})"
                );
            }
        }
    }
}

#[test]
fn a_word_on_one_service_leaves_the_others_as_they_were() {
    let everything = Rules::everything();
    let nothing = Rules {
        allowed: Allowed::Nothing,
        ..Rules::default()
    };
    let some = Rules {
        allowed: Allowed::These(BTreeSet::from([Service::Weather])),
        denied: BTreeSet::from([Service::Wikidata]),
    };
    for before in [Rules::default(), everything, nothing, some] {
        for standing in [Standing::Allowed, Standing::Denied, Standing::Unasked] {
            for service in SERVICES {
                let after = before.with(service, standing);
                let is_named = service == Service::WebSearch && standing == Standing::Unasked;
                let expected = if is_named { Standing::Allowed } else { standing };
                assert_eq!(after.of(service), expected, "{before:?} {service}");
                for other in SERVICES.into_iter().filter(|other| *other != service) {
                    assert_eq!(
                        after.of(other),
                        before.of(other),
                        "{before:?} {service} {standing:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_unknown_service_is_refused_with_the_nearest() {
    let error = "wikipeda".parse::<Service>().unwrap_err().to_string();
    assert_eq!(error, "there is no service 'wikipeda'; did you mean wikipedia?");
    let error = "telephone".parse::<Service>().unwrap_err().to_string();
    assert!(error.contains("known are weather, wikipedia"), "{error}");
}

/// Arguments with which a tool comes as far as asking its server.
fn arguments(schema: &Value, url: &str) -> Map<String, Value> {
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let filled = properties.into_iter().map(|(name, form)| {
        let value = match (name.as_str(), form["type"].as_str()) {
            ("url", _) => json!(url),
            ("when", _) => json!("tomorrow"),
            ("fact", _) => json!("height"),
            (_, Some("integer" | "number")) => json!(1),
            (_, Some("boolean")) => json!(true),
            (_, Some("array")) => json!(["Lisbon"]),
            _ => form["enum"].get(0).cloned().unwrap_or_else(|| json!("Lisbon")),
        };
        (name, value)
    });
    filled.collect()
}

/// Calls every tool of every toolbox, and gives the names of those in whose calls the server was connected.
async fn connecting(resources: &Resources, server: &Replay) -> BTreeSet<(String, bool)> {
    let (mut connected, who) = (BTreeSet::new(), Circumstances::default());
    // Those of files and commands would work in the folders of the person who runs the test; neither can open a connection.
    let ids = TOOLBOXES
        .into_iter()
        .filter(|id| !["ovos-filesystem-tools", "ovos-shell-tools"].contains(id));
    for id in ids {
        let toolbox = found(id, resources);
        for tool in toolbox.tools().iter() {
            let before = server.connections();
            let given = arguments(&tool.argument_schema, "https://example.org/page");
            let called = toolbox.call(&tool.name, given, &who);
            // What a tool answers does not matter here.
            drop(tokio::time::timeout(tool.timeout, called).await);
            if server.connections() > before {
                connected.insert((format!("{id}/{}", tool.name), tool.reaches.is_some()));
            }
        }
    }
    connected
}

#[tokio::test]
async fn no_tool_reaches_a_server_that_it_does_not_declare() {
    let server = server().await;
    let nothing = Rules {
        allowed: Allowed::Nothing,
        ..Rules::default()
    };
    for closed in [
        Rules::default().with(Service::WebSearch, Standing::Denied),
        nothing,
    ] {
        let connected = connecting(&resources(&server, closed), &server).await;
        assert!(connected.is_empty(), "without a yes: {connected:?}");
    }
    // A page lies in the world, and no test goes there.
    let open = Rules::everything().with(Service::WebPages, Standing::Denied);
    let connected = connecting(&resources(&server, open), &server).await;
    // A forecast that one tool has asked for serves the others.
    assert!(
        connected.len() >= 4,
        "the tools have to be reached at all: {connected:?}"
    );
    assert!(connected.iter().all(|(_, declared)| *declared), "{connected:?}");
}

#[tokio::test]
async fn what_needs_no_service_asks_nobody() {
    let server = server().await;
    let weather = WeatherSettings {
        url: server.url.clone(),
        geocoding_url: server.url.clone(),
        home: Some(Home {
            latitude: 52.5,
            longitude: 13.4,
            name: "Berlin".to_owned(),
            time_zone: Some("Europe/Berlin".to_owned()),
        }),
    };
    let resources = resources(&server, Rules::default()).with_weather(weather);
    let toolbox = found("loquat-weather-tools", &resources);
    let owner = Owner::who_says(Consent::Unclear);
    let who = Circumstances {
        lang: Some("en-US".to_owned()),
        person: Reachable::person(Arc::new(owner.clone())),
        ..Circumstances::default()
    };
    let told = async |arguments: Value| {
        let arguments = serde_json::from_value(arguments).expect("an object");
        toolbox.call("weather_detail", arguments, &who).await
    };
    let sunrise = told(json!({"about": "sunrise"})).await.expect("an answer");
    assert!(
        sunrise.spoken.is_some_and(|said| said.contains("sunrise at")),
        "computed"
    );
    assert!(owner.heard().is_empty(), "the place is known");
    let elsewhere = told(json!({"about": "sunrise", "place": "Lisbon"})).await;
    assert!(matches!(elsewhere, Err(ToolError::Withheld(_))), "{elsewhere:?}");
    let wind = told(json!({"about": "wind"})).await;
    assert!(matches!(wind, Err(ToolError::Withheld(_))), "{wind:?}");
    assert_eq!(owner.heard().len(), 2, "each of them needs the service");
    assert_eq!(server.connections(), 0);
}

#[test]
fn what_sends_declares_where_to() {
    let resources = Resources::volatile(Arc::new(crate::locales()));
    for id in TOOLBOXES {
        for tool in found(id, &resources).tools().iter() {
            assert_eq!(tool.sends, tool.reaches.is_some(), "{id}/{}", tool.name);
            if let Some(reached) = &tool.reaches {
                reached.parse::<Service>().expect("a service");
            }
        }
    }
}

/// The wall behind the toolboxes: a question that comes past them is not let through either.
#[tokio::test]
async fn the_way_itself_is_closed_without_a_yes() {
    let server = server().await;
    let closed = resources(&server, Rules::default());
    let kind = crate::KnowledgeKind::Encyclopedia;
    assert_eq!(
        closed
            .knowledge()
            .answer(kind, "Who was Ada Lovelace?", "en")
            .await,
        None
    );
    assert_eq!(server.connections(), 0);
    let open = resources(&server, Rules::everything());
    open.knowledge().answer(kind, "Who was Ada Lovelace?", "en").await;
    assert!(server.connections() > 0, "the question does reach the work");
}

/// Files in which a connection may be opened: the ways out, each with its rule, and what the settings name.
const WAYS_OUT: [&str; 6] = [
    "net/",
    "mcp/",
    "home/session.rs",
    "tls.rs",
    // Names types of the library only.
    "web/page.rs",
    "web/robots.rs",
];

#[test]
fn connections_are_opened_in_few_places() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let mut folders = vec![root.to_owned()];
    let mut strays = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).expect("below").display().to_string();
            let is_test = name.contains("tests");
            if is_test
                || path.extension().is_none_or(|extension| extension != "rs")
                || WAYS_OUT.iter().any(|way| name.starts_with(way))
            {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a file");
            if [
                "reqwest::",
                "TcpStream",
                "UdpSocket",
                "TcpSocket",
                "to_socket_addrs",
                "lookup_host",
            ]
            .iter()
            .any(|way| text.contains(way))
            {
                strays.push(name);
            }
        }
    }
    assert!(strays.is_empty(), "connections are opened elsewhere: {strays:?}");
}
