//! The terminal as a part of the daemon: it is started where a person is there to type or to read.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::output::Output;
use loquat_part::{Context, EarNews, Part, Running, Start};
use loquat_settings::brought::Brought;
use tokio::sync::watch;

use super::settings::TerminalSettings;
use super::terminal::{Terminal, is_attended};

/// The file of typed lines in the state folder.
const HISTORY: &str = "typed-lines";

/// The part.
#[derive(Debug)]
pub struct TerminalPart;

impl Part for TerminalPart {
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::of::<TerminalSettings>()]
    }

    /// A person who sees the prompt is answered.
    fn starts(&self) -> Start {
        Start::Last
    }

    fn start<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Running> {
        async { start(context) }.boxed()
    }
}

fn start(context: &mut Context) -> Running {
    let Some(output) = context.offered::<Output>().copied().filter(|_| is_attended()) else {
        return Running::default();
    };
    let settings = context.ground.table::<TerminalSettings>();
    let history = settings
        .history
        .then(|| context.ground.folders.state.join(HISTORY));
    let news = context.hub.subscribe();
    context.hub.body().grow(|| true);
    let (mut terminal, typing) = Terminal::open(context.bus.clone(), output, news, history);
    if let Some(news) = context.offered::<watch::Receiver<EarNews>>() {
        terminal = terminal.with_ear(news.clone());
    }
    let front = &context.supervisor.front;
    let terminal = terminal.run(typing, front.token());
    context.supervisor.spawn_optional(front, "terminal", terminal);
    Running::default()
}
