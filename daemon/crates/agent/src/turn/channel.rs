//! What may not be done over a channel: not everything that a person may say aloud may be asked by a program.

use serde_json::{Map, Value};

use loquat_conversation::toolbox::{Category, Tool};

/// Tells whether a tool may be used over this channel. Settings of a channel can only take away.
pub(super) fn allows(settings: &Map<String, Value>, channel: Option<&str>, tool: &Tool) -> bool {
    let channels = settings.get("channels");
    let own = channel.and_then(|channel| channels?.get(channel));
    let lists = |key: &str, wanted: &str| {
        let list = own.and_then(|own| own.get(key)?.as_array());
        list.is_none_or(|list| list.iter().any(|one| one == wanted))
    };
    lists("categories", name(tool.category)) && lists("tools", &tool.name)
}

fn name(category: Category) -> &'static str {
    match category {
        Category::Safe => "safe",
        Category::Terminal => "terminal",
        Category::Dangerous => "dangerous",
        Category::Async => "async",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_channel_only_takes_away() {
        let settings = json!({"channels": {
            "query": {"categories": ["safe", "async"]},
            "text": {"tools": ["add"]},
            "voice": {"categories": ["dangerous"], "tools": ["add"]},
        }});
        let settings = settings.as_object().unwrap();
        let tool = |name: &str, category: Category| Tool {
            category,
            ..Tool::safe("box", name, "Does it.")
        };
        for (channel, name, category, expected) in [
            (Some("query"), "add", Category::Safe, true),
            (Some("query"), "wipe", Category::Dangerous, false),
            (Some("text"), "add", Category::Dangerous, true),
            (Some("text"), "wipe", Category::Safe, false),
            (Some("voice"), "add", Category::Safe, false),
            (Some("elsewhere"), "wipe", Category::Dangerous, true),
            (None, "wipe", Category::Dangerous, true),
        ] {
            let allowed = allows(settings, channel, &tool(name, category));
            assert_eq!(allowed, expected, "{name} over {channel:?}");
        }
    }
}
