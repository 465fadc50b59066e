//! Whisper is in memory while there is a microphone, and let go of when nothing is to be heard. Hears nothing itself.

use std::time::Duration;

use loquat_part::EarNews;
use loquat_part::supervisor::Supervisor;
use loquat_transcription::Ladder;
use tokio::sync::watch;

/// How long whisper stays in memory without a microphone: satellites and programs may send another recording.
const IDLE: Duration = Duration::from_secs(300);

/// Starts the task that loads whisper when the ear hears, and lets go of it. What comes back tells how the ear fares once whisper is
/// there: it is deaf where whisper cannot be loaded.
pub(super) fn keep_whisper(
    supervisor: &Supervisor,
    ladder: Ladder,
    ear: watch::Receiver<EarNews>,
) -> watch::Receiver<EarNews> {
    let (told, news) = watch::channel(EarNews::default());
    let cancel = supervisor.front.token();
    supervisor.spawn(&supervisor.front, "whisper", async move {
        cancel.run_until_cancelled(keep(&ladder, ear, &told)).await;
    });
    news
}

async fn keep(ladder: &Ladder, mut ear: watch::Receiver<EarNews>, told: &watch::Sender<EarNews>) {
    loop {
        let mut news = ear.borrow_and_update().clone();
        let hears = matches!(news, EarNews::Hears { .. });
        if hears && let Err(reason) = ladder.ready().await {
            tracing::warn!(reason, "what the microphone hears is not understood");
            news = EarNews::Deaf(reason);
        }
        told.send_replace(news);
        let is_over = tokio::select! {
            changed = ear.changed() => changed.is_err(),
            () = ladder.let_go_when_idle(IDLE), if !hears => false,
        };
        if is_over {
            return ladder.let_go_when_idle(IDLE).await;
        }
    }
}
