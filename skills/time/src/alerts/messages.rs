//! What the owner's settings let wait for under a name: messages of the bus, and resources of MCP servers. Nothing else of what
//! programs send has anything done.
//!
//! Waits for nothing.

use serde::{Deserialize, Serialize};

use super::event::{Condition, Expected, Resource};

/// What may be waited for, by what people call it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Messages {
    lines: Vec<String>,
    known: Vec<(String, Expected)>,
    resources: Vec<(String, Resource)>,
}

/// A line of the settings that names no message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no message; write it as \"the laundry is done = laundry.state state=done\"")]
pub struct MessagesError(String);

impl TryFrom<Vec<String>> for Messages {
    type Error = MessagesError;

    /// Those that lines name: `NAME = TOPIC`, `NAME = TOPIC FIELD` or `NAME = TOPIC FIELD=VALUE`.
    fn try_from(lines: Vec<String>) -> Result<Self, MessagesError> {
        let known = lines
            .iter()
            .map(|line| one(line).ok_or_else(|| MessagesError(line.clone())));
        Ok(Self {
            known: known.collect::<Result<_, _>>()?,
            lines,
            resources: Vec::new(),
        })
    }
}

impl From<Messages> for Vec<String> {
    fn from(messages: Messages) -> Self {
        messages.lines
    }
}

impl Messages {
    /// With resources of an MCP server.
    #[must_use]
    pub fn with_resources(mut self, server: &str, awaited: &AwaitedResources) -> Self {
        let resources = awaited.known.iter().map(|(name, uri)| {
            let resource = Resource {
                server: server.to_owned(),
                uri: uri.clone(),
            };
            (name.clone(), resource)
        });
        self.resources.extend(resources);
        self
    }

    /// What is called so.
    pub fn called(&self, name: &str) -> Option<Condition> {
        let name = loquat_kit::folded(name);
        let message = self.known.iter().find(|(known, _)| *known == name);
        let message = message.map(|(_, expected)| Condition::Message(expected.clone()));
        message.or_else(|| {
            let resource = self.resources.iter().find(|(known, _)| *known == name);
            resource.map(|(_, resource)| Condition::Resource(resource.clone()))
        })
    }

    /// The topics of messages.
    pub fn topics(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|(_, expected)| expected.topic.as_str())
    }
}

fn one(line: &str) -> Option<(String, Expected)> {
    let (name, message) = line.split_once('=')?;
    let mut parts = message.split_whitespace();
    let topic = parts.next()?.to_owned();
    let field = parts.next().map(|field| match field.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (field.to_owned(), None),
    });
    let name = loquat_kit::folded(name);
    let is_whole = parts.next().is_none() && !name.is_empty();
    is_whole.then_some((name, Expected { topic, field }))
}

/// Resources of one MCP server that may be waited for, by what people call it when they change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct AwaitedResources {
    lines: Vec<String>,
    known: Vec<(String, String)>,
}

/// A line of the settings that names no resource.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no resource; write it as \"there is new mail = mail://inbox\"")]
pub struct AwaitedResourcesError(String);

impl TryFrom<Vec<String>> for AwaitedResources {
    type Error = AwaitedResourcesError;

    /// Those that lines name: `NAME = URI`.
    fn try_from(lines: Vec<String>) -> Result<Self, AwaitedResourcesError> {
        let known = lines.iter().map(|line| {
            let (name, uri) = line
                .split_once('=')
                .map(|(name, uri)| (loquat_kit::folded(name), uri.trim().to_owned()))
                .filter(|(name, uri)| {
                    !name.is_empty() && uri.contains(':') && !uri.contains(char::is_whitespace)
                })
                .ok_or_else(|| AwaitedResourcesError(line.clone()))?;
            Ok((name, uri))
        });
        Ok(Self {
            known: known.collect::<Result<_, _>>()?,
            lines,
        })
    }
}

impl From<AwaitedResources> for Vec<String> {
    fn from(awaited: AwaitedResources) -> Self {
        awaited.lines
    }
}

impl AwaitedResources {
    /// Their URIs.
    pub fn uris(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|(_, uri)| uri.as_str())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn messages_are_known_by_their_names_topics_and_members() {
        let lines = [
            "The laundry = laundry.state state=done",
            "a parcel = door.parcel",
            "nothing",
            "x = ",
        ];
        let [laundry, parcel, wrong @ ..] = lines.map(str::to_owned);
        for line in wrong {
            assert!(Messages::try_from(vec![laundry.clone(), line]).is_err());
        }
        let messages = Messages::try_from(vec![laundry, parcel]).expect("messages");
        let Some(Condition::Message(laundry)) = messages.called("the Laundry") else {
            panic!("a message");
        };
        let data = |value: Value| value.as_object().cloned().unwrap_or_default();
        assert!(laundry.is("laundry.state", &data(json!({"state": "done"}))));
        for (topic, members) in [
            ("laundry.state", json!({"state": "on"})),
            ("laundry.state", json!({})),
            ("other", json!({"state": "done"})),
        ] {
            assert!(!laundry.is(topic, &data(members)), "{topic}");
        }
        assert!(messages.called("a letter").is_none());
    }

    #[test]
    fn resources_of_servers_are_known_by_what_people_say() {
        let awaited = vec!["There is new mail = mail://inbox?unread=true".to_owned()];
        let awaited = AwaitedResources::try_from(awaited).expect("a resource");
        let messages = Messages::default().with_resources("post", &awaited);
        assert_eq!(
            messages.called("there is new mail"),
            Some(Condition::Resource(Resource {
                server: "post".to_owned(),
                uri: "mail://inbox?unread=true".to_owned(),
            }))
        );
        for wrong in [
            "mail://inbox",
            "new mail = inbox",
            " = mail://inbox",
            "new mail = mail://in box",
        ] {
            assert!(
                AwaitedResources::try_from(vec![wrong.to_owned()]).is_err(),
                "{wrong}"
            );
        }
    }
}
