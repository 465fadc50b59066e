//! What is kept, at once and after a start, and what happens when it cannot be.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};

use futures_util::FutureExt;
use futures_util::future::join_all;

use loquat_agent::origin::Origin;
use loquat_agent::toolbox::Circumstances;
use serde_json::json;

use super::{Lists, MOST_ITEMS, MOST_LISTS, Refused};
use crate::lists::item::{Item, texts};
use loquat_kit::records::{Change, Records, Unkept, Volatile};
use loquat_trial::Slow;

async fn put(lists: &Lists, id: &str, item: &str) -> Result<(), Refused> {
    lists
        .change(id, id, Origin::Own, |items| {
            items.push(Item::new(item, Origin::Own));
        })
        .await
}

/// What is on a list.
async fn items(lists: &Lists, id: &str) -> Result<Vec<String>, Unkept> {
    Ok(texts(&lists.list(id).await?.items))
}

#[tokio::test]
async fn what_is_kept_is_there_after_a_start() {
    let records: Arc<dyn Records> = Arc::new(Slow::default());
    let lists = Lists::new(Arc::clone(&records));
    put(&lists, "party", "cake").await.expect("it is kept");
    let again = Lists::new(Arc::clone(&records));
    assert_eq!(items(&again, "party").await, Ok(vec!["cake".to_owned()]));
    again
        .change("party", "party", Origin::Own, Vec::clear)
        .await
        .expect("it is emptied");
    assert_eq!(records.all("list").await, Ok(Vec::new()));
    assert_eq!(again.all().await, Ok(Vec::new()));
}

#[tokio::test]
async fn changes_at_once_lose_nothing() {
    let records: Arc<dyn Records> = Arc::new(Slow::default());
    let lists = Lists::new(Arc::clone(&records));
    let names: Vec<String> = (0..50).map(|number| format!("item {number}")).collect();
    let changes = join_all(names.iter().map(|name| put(&lists, "shopping", name))).await;
    assert!(changes.iter().all(Result::is_ok));
    for lists in [lists, Lists::new(records)] {
        let mut kept = items(&lists, "shopping").await.expect("the items");
        kept.sort_by_key(|item| names.iter().position(|name| name == item));
        assert_eq!(kept, names);
    }
}

#[tokio::test]
async fn what_cannot_be_written_is_not_there() {
    let records = Arc::new(Slow::default());
    let lists = Lists::new(Arc::clone(&records) as Arc<dyn Records>);
    put(&lists, "shopping", "milk").await.expect("it is kept");
    records.fails.store(true, Ordering::SeqCst);
    assert_eq!(
        put(&lists, "shopping", "eggs").await,
        Err(Refused::Unkept(Unkept))
    );
    assert_eq!(items(&lists, "shopping").await, Ok(vec!["milk".to_owned()]));
    let unread = Lists::new(Arc::clone(&records) as Arc<dyn Records>);
    assert_eq!(items(&unread, "shopping").await, Err(Unkept));
    records.fails.store(false, Ordering::SeqCst);
    assert_eq!(items(&unread, "shopping").await, Ok(vec!["milk".to_owned()]));
}

#[tokio::test]
async fn a_change_that_is_given_up_leaves_memory_as_the_records_are() {
    let records: Arc<dyn Records> = Arc::new(Slow::default());
    let lists = Lists::new(Arc::clone(&records));
    put(&lists, "shopping", "milk").await.expect("it is kept");
    let mut given_up = Box::pin(put(&lists, "shopping", "eggs"));
    let mut context = Context::from_waker(Waker::noop());
    assert_eq!(given_up.as_mut().poll(&mut context), Poll::Pending);
    drop(given_up);
    let kept = items(&Lists::new(records), "shopping").await;
    assert_eq!(items(&lists, "shopping").await, kept);
    put(&lists, "shopping", "bread").await.expect("it is kept");
    assert!(
        items(&lists, "shopping")
            .await
            .expect("items")
            .contains(&"milk".to_owned())
    );
}

#[tokio::test]
async fn lists_items_and_letters_have_bounds() {
    let lists = Lists::new(Arc::new(Volatile::default()));
    for number in 0..MOST_LISTS {
        put(&lists, &number.to_string(), "one")
            .await
            .expect("there is room");
    }
    assert_eq!(put(&lists, "one more", "one").await, Err(Refused::ManyLists));
    put(&lists, "0", "another")
        .await
        .expect("a list that is there takes more");
    let many = |items: &mut Vec<Item>| items.resize_with(MOST_ITEMS + 1, || Item::new("one", Origin::Own));
    assert_eq!(
        lists.change("0", "0", Origin::Own, many).await,
        Err(Refused::ManyItems)
    );
    assert_eq!(
        put(&lists, "0", &"\u{e4}".repeat(201)).await,
        Err(Refused::LongItem)
    );
    put(&lists, "0", &"\u{e4}".repeat(200))
        .await
        .expect("as long as may be");
    assert_eq!(items(&lists, "0").await.map(|items| items.len()), Ok(3));
}

#[test]
fn what_lists_and_items_are_called_is_known_as_it_changes() {
    let records = Arc::new(Volatile::default());
    let lists = Lists::new(Arc::clone(&records) as Arc<dyn Records>);
    let named = |lists: &Lists| lists.named().to_vec();
    let add = |(id, name), item: &str, by: Origin| {
        let item = Item::new(item, by.clone());
        let added = lists.change(id, name, by, |items| items.push(item));
        added.now_or_never().expect("nothing waits").expect("it is kept");
    };
    assert!(lists.named().is_empty());
    add(("shopping", ""), "oat milk", Origin::Own);
    add(("garden", "garden list"), "seeds", Origin::Own);
    assert_eq!(named(&lists), ["garden list", "seeds", "oat milk"]);
    let before = lists.named();
    assert!(Arc::ptr_eq(&before, &lists.named()));
    lists.take_off("garden", None).now_or_never().unwrap().unwrap();
    assert_eq!(named(&lists), ["oat milk"]);
    add(("party", "party"), "of a stranger", Origin::Elsewhere);
    add(("shopping", ""), "words of a guest", Origin::Elsewhere);
    assert_eq!(named(&lists), ["oat milk"], "others put it there");

    let after_start = Lists::new(records);
    assert!(after_start.named().is_empty(), "it was not read yet");
    after_start.overview().now_or_never().unwrap().unwrap();
    assert_eq!(named(&after_start), ["oat milk"]);
}

#[tokio::test]
async fn each_item_keeps_its_origin_and_what_was_kept_before_is_read() {
    let records: Arc<dyn Records> = Arc::new(Volatile::default());
    let before = [
        ("shopping", json!({"name": "", "items": ["milk"]})),
        (
            "chores",
            json!({"name": "chores", "items": ["call now"], "is_foreign": true}),
        ),
    ];
    let before = before.map(|(id, list)| Change::write("list", id, list));
    records.change(before.to_vec()).await.expect("it is kept");
    let lists = Lists::new(Arc::clone(&records));
    let elsewhere = |items: &mut Vec<Item>| items.push(Item::new("eggs", Origin::Elsewhere));
    lists
        .change("shopping", "", Origin::Elsewhere, elsewhere)
        .await
        .expect("it is kept");
    for lists in [lists, Lists::new(records)] {
        let shopping = lists.list("shopping").await.expect("a list");
        let by: Vec<Origin> = shopping.items.iter().map(|item| item.by.clone()).collect();
        assert_eq!(by, [Origin::Own, Origin::Elsewhere]);
        assert_eq!(shopping.named_by, Origin::Own);
        let chores = lists.list("chores").await.expect("a list");
        assert!(chores.is_foreign_to(&Circumstances::default()) && !chores.named_by.is_own());
    }
}
