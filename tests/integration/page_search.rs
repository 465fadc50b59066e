//! The search of the page: it finds what was said, kept and set, leads there, and tells a browser nothing that its views cover.

use loquat_tests::brain::Reply;
use loquat_tests::browser::Browser;
use reqwest::{Method, StatusCode};

use crate::page::{shows, story};

/// Everywhere a word that nothing else holds.
async fn filled(browser: &mut Browser) {
    browser.look("/").await;
    let timer = [("what", "timer"), ("duration", "1 hour"), ("name", "quokka pie")];
    browser.send("/timers/set", &timer).await;
    browser
        .send("/lists/add", &[("items", "quokka food and milk")])
        .await;
    browser
        .send("/memory/add", &[("fact", "the quokka sleeps at noon")])
        .await;
    let deed = [
        ("what", "time"),
        ("command", "what time is it in Quokkaville"),
        ("time", "7 am"),
        ("repeat", "daily"),
    ];
    browser.send("/routines/set", &deed).await;
}

/// The links of a view's main part that lead to places in views.
fn places(text: &str) -> Vec<&str> {
    let (_, found) = text.split_once("id=\"main\"").unwrap();
    let links = found.split("href=\"").skip(1);
    let links = links.filter_map(|rest| rest.split('"').next());
    links
        .filter(|link| link.contains('#') || link.starts_with("/turns/"))
        .collect()
}

#[tokio::test]
async fn what_was_said_kept_and_set_is_found_with_its_place() {
    let (story, mut browser) = story().await;
    browser.send("/reveal", &[("shown", "1")]).await;
    filled(&mut browser).await;
    story.script([Reply::answers("A quokka is a small wallaby.")]);
    browser
        .send("/ask", &[("question", "Tell me of the animal")])
        .await;
    shows(&mut browser, "/", "small wallaby").await;
    let found = browser.look("/search?q=QUOKKA").await;
    for view in [
        "/#line-",
        "/turns/",
        "/timers#alert-",
        "/routines#alert-",
        "/lists#list-1",
        "/memory#kept-",
    ] {
        assert!(
            places(&found).iter().any(|place| place.starts_with(view)),
            "{view} in {found}"
        );
    }
    assert!(
        found.contains("<mark>quokka</mark>") && found.contains("small wallaby"),
        "{found}"
    );
    // Each place is there.
    for place in places(&found) {
        let (view, id) = place.split_once('#').unwrap_or((place, "main"));
        assert!(
            browser.look(view).await.contains(&format!("id=\"{id}\"")),
            "{place}"
        );
    }
    let two = browser.look("/search?q=quokka+noon").await;
    assert!(
        two.contains("One place was found.") && two.contains("/memory#"),
        "{two}"
    );
    let settings = browser.look("/search?q=wake+word").await;
    assert!(
        places(&settings)[0].ends_with("#speech.wake_word"),
        "its name counts more: {settings}"
    );
    let settings = browser.look("/search?q=desk.persona").await;
    assert!(settings.contains("/settings#desk.persona"), "{settings}");
    assert!(browser.look("/settings").await.contains("id=\"desk.persona\""));
    let personas = browser.look("/search?q=tester").await;
    assert!(personas.contains("/personas#persona-Tester"), "{personas}");
    let none = browser.look("/search?q=%3Cb%3Ewombat").await;
    assert!(
        none.contains("Nothing was found for <q>&lt;b&gt;wombat</q>")
            && none.contains("Looked through: 2 lines"),
        "{none}"
    );
    for part in [
        "1 turn;",
        "1 timer, alarm or reminder",
        "1 routine;",
        "3 lists and things on them",
        "1 memory",
        "settings",
    ] {
        assert!(none.contains(part), "{part} in {none}");
    }
    let long = browser.look(&format!("/search?q={}", "x".repeat(201))).await;
    assert!(long.contains("200 letters at most"), "{long}");
    let empty = browser.look("/search").await;
    assert!(empty.contains("It looks through"), "{empty}");
    assert!(
        !story.daemon.output().to_lowercase().contains("wombat"),
        "a search is not in the log"
    );
}

#[tokio::test]
async fn what_is_covered_is_not_found_either() {
    let (story, mut browser) = story().await;
    filled(&mut browser).await;
    story.script([Reply::answers("The quokka is asleep.")]);
    story.ask("Is the quokka awake?").await;
    shows(&mut browser, "/turns", "hidden").await;
    let covered = browser.look("/search?q=quokka").await;
    assert!(
        covered.contains("What is covered was not looked through") && places(&covered).is_empty(),
        "{covered}"
    );
    // It is no oracle: what is there and what is not looks the same.
    let without = |text: String, word: &str| text.replace(word, "WORD");
    let there = without(covered, "quokka");
    let not_there = without(browser.look("/search?q=wombat").await, "wombat");
    assert_eq!(there, not_there);
    // What was typed in this browser is no secret to it.
    story.script([Reply::answers("The numbat is awake.")]);
    browser.send("/ask", &[("question", "And the numbat?")]).await;
    shows(&mut browser, "/", "is awake").await;
    let own = browser.look("/search?q=numbat").await;
    assert_eq!(places(&own).len(), 3, "two lines and a turn: {own}");
    // The button shows what is covered, and searches once more.
    let shown = [("back", "/search?q=quokka"), ("shown", "1")];
    let found = browser.send_and_look("/reveal", &shown).await;
    assert!(found.contains("/memory#kept"), "{found}");
}

#[tokio::test]
async fn nobody_searches_who_has_not_entered() {
    let (_story, browser) = story().await;
    let root = browser.request(Method::GET, "/").build().unwrap();
    let root = root.url().origin().ascii_serialization();
    let outside = Browser::outside(&root);
    let answer = outside.request(Method::GET, "/search?q=a").send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
}
