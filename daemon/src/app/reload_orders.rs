//! The order of the owner that settings, personas and sentences are read again, as `loquat reload` gives it on the bus. Reads none
//! of them itself.

use loquat_bus::{Bus, Subscription, Topics};
use loquat_failure::with_causes;
use loquat_orchestrator::frames::ours;
use loquat_part::owners_word::OwnersWord;
use loquat_part::reload::Reload as _;
use loquat_wire::topic;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::App;
use super::reloading::Reloading;
use crate::settings::Settings;

/// A program is told this that has not given the owner's word.
const ONLY_THE_OWNER: &str = "only the owner of the daemon has its settings read again";

/// Hears the orders from now on; they wait until they are obeyed.
pub(super) fn subscribe(bus: &Bus) -> Subscription {
    bus.subscribe(Topics::of([topic::LOQUAT_RELOAD]))
}

/// Obeys these orders, one after the other; those of programs are refused, since reading costs time.
struct ReloadOrders {
    bus: Bus,
    word: OwnersWord,
    reloading: Reloading,
    /// Whether it was told already that others order it.
    is_warned: bool,
}

impl App {
    /// Reads settings and personas again whenever the owner orders it on the bus.
    pub fn reload_by_order(&mut self, settings: &Settings) {
        let Some(orders) = self.reload_orders.take() else {
            return;
        };
        let obedient = ReloadOrders {
            bus: self.place.bus.clone(),
            word: OwnersWord::in_folder(&settings.folders.state),
            reloading: self.reloading.clone(),
            is_warned: false,
        };
        self.place
            .serve("reload orders", |token| obedient.run(orders, token));
    }
}

impl ReloadOrders {
    async fn run(mut self, mut orders: Subscription, cancel: CancellationToken) {
        while let Some(Some(order)) = cancel.run_until_cancelled(orders.recv()).await {
            let answer = ours(order.message.response(self.obey().await));
            if let Err(error) = self.bus.emit(answer).await {
                tracing::debug!(
                    error = with_causes(&error),
                    "nobody is told what reading again came to"
                );
            }
        }
    }

    async fn obey(&mut self) -> Value {
        if !self.word.is_given(topic::LOQUAT_RELOAD).await {
            if !std::mem::replace(&mut self.is_warned, true) {
                tracing::warn!("{ONLY_THE_OWNER}; further orders of others are not told");
            }
            return json!({"error": ONLY_THE_OWNER});
        }
        match self.reloading.reload().await {
            Ok(report) => json!({"report": report}),
            Err(error) => json!({"error": with_causes(&error)}),
        }
    }
}
