//! Keeps the ear supplied with sound: loads what the listener needs, opens the microphone, and opens it again for ever.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Duration;

use loquat_failure::Backoff;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::Source;
use super::handle::Shared;
use super::listener::{self, Order, Parts};
use crate::SAMPLE_RATE;
use crate::capture::{Choice, Microphone, Microphones};
use crate::event::EarEvent;
use crate::far::FarMicrophone;
use crate::resample::Resampler;
use crate::settings::SpeechSettings;
use crate::voice::Silero;

const PAUSES: Backoff = Backoff::doubling(Duration::from_secs(1), Duration::from_secs(30));

/// The pause after a microphone that was there: it is heard again within two seconds of its return, however long it was
/// away.
const UNTIL_IT_IS_BACK: Duration = Duration::from_millis(500);

/// The listener takes orders every few milliseconds unless a reader of events is behind.
const ORDER_PAUSE: Duration = Duration::from_millis(50);

pub(super) struct Keeper {
    pub(super) settings: SpeechSettings,
    pub(super) source: Source,
    pub(super) orders: SyncSender<Order>,
    pub(super) status: mpsc::Sender<EarEvent>,
    pub(super) shared: Arc<Shared>,
}

/// Pauses that grow, and complaints that are not repeated.
#[derive(Default)]
struct Patience {
    pauses: u32,
    last_reason: String,
    /// Says whether there was a microphone, and its loss was told.
    has_lost: bool,
}

impl Keeper {
    /// Runs until it is dropped, or until nothing is left to do for a file.
    pub(super) async fn run(mut self, parts: Parts) {
        let mut patience = Patience::default();
        let silero = loop {
            match self.load().await {
                Ok(silero) => break silero,
                Err(reason) => self.complain(reason, &mut patience).await,
            }
        };
        if let Err(error) = listener::start(parts, silero, Arc::clone(&self.shared)) {
            let reason = format!("failed to listen: the system gives no thread ({error})");
            drop(self.status.send(EarEvent::Unavailable { reason }).await);
            return;
        }
        match self.source.clone() {
            Source::Wav(path) => self.hear_file(path).await,
            Source::Microphone => self.keep_microphone(&mut patience).await,
            Source::Far(far) => self.hear_far(&far).await,
        }
    }

    async fn load(&self) -> Result<Silero, String> {
        let path = self.settings.vad_model.clone();
        match tokio::task::spawn_blocking(move || Silero::load(&path)).await {
            Ok(loaded) => loaded.map_err(|error| error.to_string()),
            Err(error) => Err(format!("failed to load the voice activity model: {error}")),
        }
    }

    async fn hear_file(&self, path: PathBuf) {
        self.shared.sounding.store(true, Ordering::SeqCst);
        self.order(Order::File(path)).await;
    }

    /// Hears until this is dropped. Whether sound comes is known where it comes from.
    async fn hear_far(&self, far: &FarMicrophone) {
        if let (Some(samples), Ok(resampler)) = (far.take(), Resampler::new(SAMPLE_RATE)) {
            self.shared.begin_sound(false);
            self.order(Order::Microphone { samples, resampler }).await;
            self.shared.sounding.store(true, Ordering::SeqCst);
        }
        std::future::pending::<()>().await;
    }

    async fn keep_microphone(&mut self, patience: &mut Patience) {
        let mut microphones = Microphones::new(Choice::of(&self.settings));
        loop {
            let reason = match microphones.open().await {
                Ok(microphone) => self.use_microphone(microphone, patience).await,
                Err(error) => error.to_string(),
            };
            self.complain(reason, patience).await;
        }
    }

    /// Has the microphone listened to until it is lost, and says how it was lost.
    async fn use_microphone(&mut self, mut microphone: Microphone, patience: &mut Patience) -> String {
        let device = microphone.name.clone();
        let resampler = match Resampler::new(microphone.rate) {
            Ok(resampler) => resampler,
            Err(error) => return format!("failed to use the microphone {device}: {error}"),
        };
        let Some(samples) = microphone.samples.take() else {
            return String::new();
        };
        self.shared.begin_sound(microphone.is_monitor);
        self.order(Order::Microphone { samples, resampler }).await;
        self.shared.sounding.store(true, Ordering::SeqCst);
        tracing::info!(device, rate = microphone.rate, "microphone opened");
        drop(
            self.status
                .send(EarEvent::Ready {
                    device: device.clone(),
                })
                .await,
        );
        *patience = Patience::default();
        let reason = microphone.lost().await;
        self.shared.sounding.store(false, Ordering::SeqCst);
        self.order(Order::Lost).await;
        let reason =
            format!("lost the microphone {device} ({reason}): it will be opened again as soon as it is back");
        self.tell(reason, patience).await;
        patience.has_lost = true;
        String::new()
    }

    /// Reports a reason that is new, and pauses, each time longer. Why a microphone that was lost cannot be opened yet is
    /// no news.
    async fn complain(&mut self, reason: String, patience: &mut Patience) {
        if patience.has_lost {
            tracing::debug!(reason, "the microphone is not back");
            return sleep(UNTIL_IT_IS_BACK).await;
        }
        self.tell(reason, patience).await;
        sleep(PAUSES.after(patience.pauses)).await;
        patience.pauses = patience.pauses.saturating_add(1);
    }

    async fn tell(&self, reason: String, patience: &mut Patience) {
        if reason == patience.last_reason {
            return;
        }
        tracing::debug!(reason, "no sound");
        patience.last_reason.clone_from(&reason);
        drop(self.status.send(EarEvent::Unavailable { reason }).await);
    }

    /// Gives an order that must not be lost; a listener that is gone needs none.
    async fn order(&self, mut order: Order) {
        while let Err(TrySendError::Full(refused)) = self.orders.try_send(order) {
            order = refused;
            sleep(ORDER_PAUSE).await;
        }
    }
}
