//! The log, on standard error, as `RUST_LOG` asks; warnings without it. Never shows llama.cpp's own lines below the level
//! debug, but remembers its first error for the one line that a person gets.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use llama_cpp_2::LogOptions;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// The target of llama.cpp's own lines.
const LLAMA: &str = "llama-cpp-2";

static FIRST_ERROR: Mutex<Option<String>> = Mutex::new(None);

/// Begins to log. llama.cpp is silent on its own from here on.
pub(crate) fn start() {
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_filter(filter());
    tracing_subscriber::registry()
        .with(lines)
        .with(RememberError.with_filter(LevelFilter::ERROR))
        .init();
    llama_cpp_2::send_logs_to_tracing(LogOptions::default());
}

/// Takes what llama.cpp first complained of, so that it is told once.
pub(crate) fn take_first_error() -> Option<String> {
    FIRST_ERROR.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn filter() -> EnvFilter {
    let filter = EnvFilter::builder()
        .with_default_directive(LevelFilter::WARN.into())
        .from_env_lossy();
    if filter
        .max_level_hint()
        .is_some_and(|level| level >= LevelFilter::DEBUG)
    {
        return filter;
    }
    [LLAMA, "llama_cpp_2"]
        .iter()
        .filter_map(|target| format!("{target}=off").parse().ok())
        .fold(filter, EnvFilter::add_directive)
}

struct RememberError;

impl<S: Subscriber> Layer<S> for RememberError {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() != LLAMA || *event.metadata().level() != Level::ERROR {
            return;
        }
        let mut message = Message(String::new());
        event.record(&mut message);
        // The first complaint is the cause; those after it only pass it on.
        FIRST_ERROR
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(message.0);
    }
}

struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            value.clone_into(&mut self.0);
        }
    }
}
