//! The terminal as a part of the daemon: it is started where a person is there to type or to read.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::output::Output;
use loquat_part::{Context, EarNews, Part, Running, Start};
use tokio::sync::watch;

use super::terminal::{Terminal, is_attended};

/// The part.
#[derive(Debug)]
pub struct TerminalPart;

impl Part for TerminalPart {
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
    let mut terminal = Terminal::new(context.bus.clone(), output, context.hub.subscribe());
    if let Some(news) = context.offered::<watch::Receiver<EarNews>>() {
        terminal = terminal.with_ear(news.clone());
    }
    let front = &context.supervisor.front;
    let terminal = terminal.run(front.token());
    context.supervisor.spawn_optional(front, "terminal", terminal);
    Running::default()
}
