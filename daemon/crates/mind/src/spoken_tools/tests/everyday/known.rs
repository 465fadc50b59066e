//! Everyday wordings that speak of a timer or a list by its name alone, and are understood where it is there.

use loquat_agent::Speaker;

use super::*;

/// Understood where this is set and stands on the shopping list: a timer called rice, and bread and eggs.
const KNOWN: &[Asked] = &[
    (
        "en-US",
        "change_alert",
        r#"{"name": "rice", "by": "four minutes"}"#,
        &[
            "give the rice another four minutes",
            "the rice needs four minutes more",
            "let the rice cook for another four minutes",
            "another four minutes for the rice",
        ],
    ),
    (
        "en-US",
        "change_alert",
        r#"{"name": "rice", "by": "4 minutes"}"#,
        &[
            "the rice needs four more",
            "give the rice four more",
            "four more for the rice",
        ],
    ),
    (
        "en-US",
        "change_alert",
        r#"{"name": "rice", "by": "-a minute"}"#,
        &["knock a minute off the rice"],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"name": "rice"}"#,
        &[
            "the rice is ready now",
            "never mind the rice",
            "we don't need the rice any longer",
        ],
    ),
    (
        "en-US",
        "list_alerts",
        r#"{"name": "rice"}"#,
        &[
            "how long does the rice still need",
            "what's left on the rice",
            "how far along is the rice",
            "how's the rice coming along",
            "is the rice cooked yet",
        ],
    ),
    (
        "de-DE",
        "change_alert",
        r#"{"name": "Reis", "by": "vier Minuten"}"#,
        &[
            "der Reis braucht noch vier Minuten",
            "gib dem Reis noch vier Minuten",
        ],
    ),
    (
        "de-DE",
        "change_alert",
        r#"{"name": "Reis", "by": "4 minutes"}"#,
        &["der Reis braucht noch vier", "gib dem Reis noch vier"],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"name": "Reis"}"#,
        &["der Reis ist schon gar", "vergiss den Reis"],
    ),
    (
        "de-DE",
        "list_alerts",
        r#"{"name": "Reis"}"#,
        &["wie lange dauert der Reis noch"],
    ),
    (
        "en-US",
        "remove_from_list",
        r#"{"items": "bread and eggs"}"#,
        &[
            "I've already got bread and eggs",
            "we don't need bread and eggs any more",
        ],
    ),
    (
        "en-US",
        "remove_from_list",
        r#"{"items": "bread"}"#,
        &["cross off bread"],
    ),
    (
        "de-DE",
        "remove_from_list",
        r#"{"items": "Brot"}"#,
        &[
            "Brot haben wir schon",
            "wir brauchen kein Brot mehr",
            "hak Brot ab",
        ],
    ),
    (
        "en-US",
        "change_alert",
        r#"{"name": "rice", "by": "four more minutes"}"#,
        &[
            "the rice needs four more minutes",
            "my rice could do with four more minutes",
            "leave the rice on for four more minutes",
        ],
    ),
    (
        "en-US",
        "change_alert",
        r#"{"name": "rice", "by": "four minutes"}"#,
        &[
            "the rice still needs another four minutes",
            "the rice has to simmer another four minutes",
        ],
    ),
    (
        "en-US",
        "cancel_alert",
        r#"{"name": "rice"}"#,
        &["cancel the rice one", "stop the one for the rice"],
    ),
    (
        "en-US",
        "pause_timer",
        r#"{"name": "rice"}"#,
        &["pause the rice one"],
    ),
    (
        "de-DE",
        "change_alert",
        r#"{"name": "Reis", "by": "vier weitere Minuten"}"#,
        &["der Reis braucht vier weitere Minuten"],
    ),
    (
        "de-DE",
        "cancel_alert",
        r#"{"name": "Reis"}"#,
        &["lösch den für den Reis"],
    ),
    (
        "en-US",
        "remove_from_list",
        r#"{"items": "bread"}"#,
        &["cross out bread", "remove bread"],
    ),
];

#[tokio::test]
async fn what_is_set_and_listed_is_spoken_about_by_its_name_alone() {
    let spoken = spoken();
    let resources = Resources::volatile(Arc::clone(spoken.locales()));
    let toolboxes = own_toolboxes(&resources);
    let person = Circumstances {
        speaker: Speaker::Owner,
        ..Circumstances::default()
    };
    let call = async |id: &str, tool: &str, arguments: Value| {
        let toolbox = toolboxes
            .iter()
            .find(|toolbox| toolbox.id() == id)
            .expect("a toolbox");
        let arguments = serde_json::from_value(arguments).expect("an object");
        let done = toolbox.call(tool, arguments, &person).await;
        done.expect("an outcome");
    };
    for name in ["rice", "Reis"] {
        let timer = json!({"duration": "20 minutes", "name": name});
        call("loquat-alert-tools", "set_timer", timer).await;
    }
    let items = json!({"items": "bread, eggs, Brot"});
    call("loquat-list-tools", "add_to_list", items).await;
    resources.name_to(spoken.things());
    let wrong = wrong(&spoken, KNOWN);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn without_anything_set_its_name_alone_is_for_others() {
    let spoken = spoken();
    let caught: Vec<_> = KNOWN
        .iter()
        .flat_map(|(lang, _, _, sentences)| sentences.iter().map(move |text| (*lang, *text)))
        .filter(|(lang, text)| spoken.recognise(text, lang).is_some())
        .collect();
    assert!(caught.is_empty(), "{caught:#?}");
}
