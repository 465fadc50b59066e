//! Calls that go on, on a paused clock: they end by themselves, by a word, by their deadline, and are told once.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::Category;
use loquat_skills::Volatile;

use super::*;

/// Works for a while; the argument says how long.
#[derive(Debug)]
struct Workshop;

impl Toolbox for Workshop {
    fn id(&self) -> &'static str {
        "workshop"
    }

    fn tools(&self) -> Arc<[Tool]> {
        let work = Tool {
            category: Category::Async,
            read_only: false,
            idempotent: false,
            timeout: Duration::from_secs(60),
            ..Tool::safe("workshop", "work", "Works.")
        };
        Arc::new([work])
    }

    fn call<'a>(
        &'a self,
        _: &'a str,
        arguments: Map<String, Value>,
        _: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        async move {
            let seconds = arguments["seconds"].as_u64().unwrap();
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            assert!(seconds != 13, "this work breaks");
            Ok(Map::from_iter([("text".to_owned(), json!("Ready."))]).into())
        }
        .boxed()
    }
}

struct Shop {
    background: Arc<Background>,
    toolbox: Arc<dyn Toolbox>,
    news: mpsc::Receiver<Notice>,
    worker: JoinSet<()>,
}

impl Shop {
    fn open(records: &Arc<dyn Records>) -> Self {
        let (background, task, news) = Background::new(Arc::clone(records));
        let mut worker = JoinSet::new();
        worker.spawn(task.run(CancellationToken::new()));
        Self {
            toolbox: BackgroundToolbox::of(Arc::new(Workshop), &background),
            background,
            news,
            worker,
        }
    }

    async fn work(&self, session_id: &str, seconds: u64) -> Result<Outcome, ToolError> {
        let person = Circumstances {
            session_id: session_id.to_owned(),
            lang: Some("en".to_owned()),
            ..Circumstances::default()
        };
        let arguments = Map::from_iter([("seconds".to_owned(), json!(seconds))]);
        self.toolbox.call("work", arguments, &person).await
    }

    /// What is told next, and that it was.
    async fn told(&mut self) -> String {
        let notice = self.news.recv().await.unwrap();
        self.background.told(notice.id).await;
        notice.text.unwrap()
    }
}

fn records() -> Arc<dyn Records> {
    Arc::new(Volatile::default())
}

#[tokio::test(start_paused = true)]
async fn a_call_begins_at_once_and_its_end_is_told() {
    let mut shop = Shop::open(&records());
    let started = shop.work("s", 30).await.unwrap();
    assert_eq!(started.result["started"], json!(true));
    assert!(started.spoken.is_some());
    assert_eq!(shop.background.deeds("s"), ["work, 30"]);
    assert_eq!(shop.background.deeds("other").len(), 0);
    assert_eq!(shop.told().await, "This is done now: work, 30. Ready.");
    for seconds in [13, 100] {
        shop.work("s", seconds).await.unwrap();
        let failed = format!("This did not work: work, {seconds}.");
        assert_eq!(shop.told().await, failed, "it breaks, or takes too long");
    }
    assert_eq!(shop.background.listing(None).len(), 0);
    assert_eq!(shop.background.records.all(RECORD).await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn there_are_so_many_and_no_more() {
    let shop = Shop::open(&records());
    for _ in 0..MOST_OF_SESSION {
        shop.work("s", 30).await.unwrap();
    }
    let refused = shop.work("s", 30).await.unwrap_err();
    assert!(refused.to_string().starts_with("BusyError"), "{refused}");
    for _ in MOST_OF_SESSION..MOST {
        shop.work("other", 30).await.unwrap();
        tokio::task::yield_now().await;
    }
    assert!(shop.work("third", 30).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn what_is_cancelled_is_not_told() {
    let mut shop = Shop::open(&records());
    shop.work("s", 30).await.unwrap();
    shop.work("other", 40).await.unwrap();
    assert_eq!(shop.background.cancel("s"), ["work, 30"]);
    assert_eq!(shop.told().await, "This is done now: work, 40. Ready.");
    shop.work("s", 30).await.unwrap();
    shop.background.cancel_all();
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert!(shop.news.try_recv().is_err());
    assert_eq!(shop.background.records.all(RECORD).await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn after_a_restart_each_is_told_once_and_none_begins_again() {
    let records = records();
    let mut shop = Shop::open(&records);
    shop.work("s", 5).await.unwrap();
    let ended = shop.news.recv().await.unwrap();
    shop.work("s", 50).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    // The daemon dies with one that has not been told and one that has not ended.
    shop.worker.abort_all();
    let mut next = Shop::open(&records);
    let told = [next.told().await, next.told().await];
    assert_eq!(Some(&told[0]), ended.text.as_ref());
    assert!(told[1].starts_with("This was interrupted"), "{}", told[1]);
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert!(next.news.try_recv().is_err());
    assert_eq!(records.all(RECORD).await.unwrap(), []);
}
