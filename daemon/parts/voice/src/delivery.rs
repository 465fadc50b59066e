//! One answer on its way to the loudspeaker: made sentence by sentence, one ahead of what is played, and heard in order. Of the
//! first its first clause is made alone, so that it is heard soon.

use std::time::Duration;

use loquat_failure::with_causes;
use loquat_speech::Player;
use loquat_speech::playback::{PlayError, Playing};
use loquat_wire::Message;
use tokio::sync::mpsc;

use super::heard::HeardSoFar;
use super::ladder::{Ladder, pieces};
use super::news::{News, Told};
use super::piece::Piece;
use super::script::Reading;
use super::sentences::{beginning_with_a_clause, sentences, whole};

/// An answer that is to be spoken.
#[derive(Debug)]
pub(super) struct Answer {
    /// The frame that asks for it.
    pub(super) cause: Message,
    pub(super) script: Reading,
    pub(super) lang: String,
    /// Says whether the microphone is opened for an answer.
    pub(super) listen: bool,
    /// The turn whose answer it is, where it was begun before it was complete.
    pub(super) turn_id: Option<String>,
}

/// Delivers one answer: has its sentences made and played.
#[derive(Debug, Clone)]
pub(super) struct Courier {
    /// The number of the answer, by which its news is known.
    pub(super) number: u64,
    pub(super) ladder: Ladder,
    pub(super) player: Player,
    pub(super) heard: HeardSoFar,
    pub(super) told: mpsc::Sender<News>,
}

/// A sentence whose sound is on its way.
struct Coming {
    at: usize,
    pieces: mpsc::Receiver<Piece>,
}

impl Courier {
    /// Delivers an answer to its end, and tells when its sound begins and how it ended. Dropped it is silent.
    pub(super) async fn deliver(self, answer: Answer) {
        // One sentence is made while another is played.
        let (made, coming) = mpsc::channel(1);
        let make = self.make(answer.script, &answer.lang, made);
        let (all_made, played) = tokio::join!(make, self.play(coming));
        let told = match (played, all_made) {
            (Err(PlayError::Stopped), _) => Told::Silenced,
            (Err(error), _) => Told::Failed(error.to_string()),
            // Each rung has told its own failure; here it counts that a part is missing.
            (Ok(()), Some(why)) => Told::Failed(why),
            (Ok(()), None) => Told::Ended,
        };
        // What listens ends with the daemon only.
        drop(self.told.send((self.number, told)).await);
    }

    /// Makes what is written as far as it is, and what is added to it. Says why a sentence is missing where one is.
    async fn make(&self, mut script: Reading, lang: &str, made: mpsc::Sender<Coming>) -> Option<String> {
        let (mut missing, mut read, mut at) = (None, 0, 0);
        loop {
            let written = script.borrow_and_update().clone();
            let end = if written.is_whole {
                written.text.len()
            } else {
                whole(&written.text, lang)
            };
            let text = written.text.get(read..end).unwrap_or_default();
            let sentences = if at == 0 {
                beginning_with_a_clause(text, lang)
            } else {
                sentences(text, lang)
            };
            self.heard.goes_on(&written, &sentences);
            for sentence in sentences {
                let (sender, pieces) = pieces();
                if made.send(Coming { at, pieces }).await.is_err() {
                    return missing;
                }
                if let Err(error) = self.ladder.make(sentence, lang, &sender).await {
                    missing = Some(with_causes(&error));
                }
                at += 1;
            }
            read = read.max(end);
            if written.is_whole || script.changed().await.is_err() {
                return missing;
            }
        }
    }

    /// The loudspeaker is opened when there is something to play.
    async fn play(&self, mut coming: mpsc::Receiver<Coming>) -> Result<(), PlayError> {
        let Some((sentence, first)) = first_sound(&mut coming).await else {
            return Ok(());
        };
        let playing = self.player.begin().await?;
        let hearing = playing.hearing();
        self.heard.sounds(hearing.clone());
        let tell = async {
            if hearing.begun().await {
                // What listens ends with the daemon only.
                drop(self.told.send((self.number, Told::Sounds)).await);
            }
        };
        tokio::join!(self.play_on(playing, sentence, first, coming), tell).0
    }

    async fn play_on(
        &self,
        mut playing: Playing,
        mut sentence: Coming,
        first: Piece,
        mut coming: mpsc::Receiver<Coming>,
    ) -> Result<(), PlayError> {
        let mut given = Duration::ZERO;
        let mut piece = Some(first);
        loop {
            let begin = given;
            while let Some(Piece { rate, samples }) = piece {
                given += Duration::from_secs_f64(samples.len() as f64 / f64::from(rate.max(1)));
                self.heard.made(sentence.at, begin..given, false);
                playing.write(rate, &samples).await?;
                piece = sentence.pieces.recv().await;
            }
            self.heard.made(sentence.at, begin..given, true);
            match coming.recv().await {
                Some(next) => sentence = next,
                None => return playing.finish().await,
            }
            piece = sentence.pieces.recv().await;
        }
    }
}

/// Waits for the first sentence that has a sound, and gives it with its first piece.
async fn first_sound(coming: &mut mpsc::Receiver<Coming>) -> Option<(Coming, Piece)> {
    loop {
        let mut sentence = coming.recv().await?;
        if let Some(piece) = sentence.pieces.recv().await {
            return Some((sentence, piece));
        }
    }
}
