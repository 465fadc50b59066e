//! What README and book promise of the page and no other story tells: where it is, what it fetches and sends by itself, and that
//! setting up may be left.

use loquat_tests::browser::{Browser, address, served};
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::wait::{PATIENCE, wait_for};
use loquat_tests::web_server::{Answer, WebServer};
use reqwest::Method;

use crate::page::story;
use crate::story::{Scene, Story};

#[tokio::test]
async fn a_port_of_nought_switches_it_off() {
    let home = Home::without_bus();
    home.setting("page.port", "0");
    let (daemon, _probe) = Launch::new(&home, &["run"]).ready().await;
    let asked = Launch::new(&home, &["page"]).run().await;
    assert!(
        !asked.status.success() && asked.stderr.contains("page.port is not 0"),
        "{}",
        asked.shown()
    );
    assert!(!daemon.output().contains("the page is served"));
}

#[tokio::test]
async fn models_are_fetched_by_the_button_and_by_no_view() {
    let mirror = WebServer::start(|_| Answer::status(404)).await;
    let scene = Scene::default();
    let root = served(&scene.home);
    scene
        .home
        .setting("models.mirror", &format!("\"{}\"", mirror.url()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    for view in [
        "/",
        "/setup",
        "/settings",
        "/personas",
        "/models",
        "/sound",
        "/check",
        "/search?q=model",
    ] {
        browser.look(view).await;
    }
    assert!(mirror.asked().is_empty(), "{:?}", mirror.asked());
    browser.send("/models/fetch", &[("name", "hey_mycroft")]).await;
    wait_for("the mirror to be asked", PATIENCE, async || {
        (!mirror.asked().is_empty()).then_some(())
    })
    .await;
}

#[tokio::test]
async fn setting_up_is_left_with_one_button() {
    let (story, mut browser) = story().await;
    assert_eq!(entered_at(&story, &browser).await, "/setup");
    let left = browser.send_and_look("/setup/done", &[("left", "1")]).await;
    assert!(
        left.contains("left as it is") && !left.contains("not set up yet"),
        "{left}"
    );
    assert_eq!(entered_at(&story, &browser).await, "/");
}

/// Where a browser is led that enters now.
async fn entered_at(story: &Story, browser: &Browser) -> String {
    let address = address(&story.home).await;
    let path = address
        .split_once("/enter")
        .map(|(_, ticket)| format!("/enter{ticket}"));
    let entered = browser.request(Method::GET, &path.unwrap()).send().await.unwrap();
    entered.headers()["location"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn what_is_wrong_stands_first_and_leads_to_where_it_is_mended() {
    let (story, mut browser) = story().await;
    story.home.setting("desk.no_such_key", "1");
    let check = browser.look("/check").await;
    let verdicts: Vec<usize> = check
        .split("<strong class=\"badge ")
        .skip(1)
        .map(|rest| {
            let words = rest.split(['>', '<']).nth(1).unwrap();
            let order = ["broken", "missing", "remark", "ok"];
            order.iter().position(|known| *known == words).expect(words)
        })
        .collect();
    assert!(
        verdicts.is_sorted() && verdicts.first() == Some(&0),
        "{verdicts:?} in {check}"
    );
    assert!(
        check.contains("or see <a href=\"/settings\">Settings</a>"),
        "{check}"
    );
}
