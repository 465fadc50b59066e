//! Playing on a real sound server, as one who records its loudspeaker hears it.

use std::f32::consts::TAU;
use std::process::Stdio;
use std::time::Duration;

use loquat_speech::playback::{FarEndReader, Playing, far_end};
use loquat_speech::{AudioHost, PlaybackSettings, Player};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::ear_process::{MARK, OtherEar, ROLE, run};
use crate::sound::PATIENCE;
use crate::sound_server::SoundServer;

/// The tone that is played has this frequency.
const HERTZ: f32 = 440.0;

/// A rate that neither the server nor the far end has.
const RATE: u32 = 22_050;

/// The recorder takes this many samples a second.
const RECORDED: usize = 16_000;

/// Louder than this is the tone.
const AUDIBLE: i16 = 1_000;

/// Zeroes in a row that no tone has.
const SHORTEST_GAP: usize = 8;

fn tone(seconds: f32) -> Vec<f32> {
    (0..(seconds * RATE as f32) as u32)
        .map(|index| 0.5 * (TAU * HERTZ * index as f32 / RATE as f32).sin())
        .collect()
}

/// Plays the player if this process is to be it; says whether it was.
fn was_the_player() -> bool {
    let Some(role) = std::env::var_os(ROLE) else {
        return false;
    };
    let settings = PlaybackSettings {
        host: AudioHost::Auto,
        device: Some(role.to_string_lossy().into_owned()).filter(|device| device != "default"),
    };
    run(be_the_player(settings));
    true
}

/// Prints what becomes of its sounds and obeys its standard input until that ends.
async fn be_the_player(settings: PlaybackSettings) {
    let (writer, mut reader) = far_end();
    let player = Player::new(settings, Some(writer));
    let mut orders = BufReader::new(tokio::io::stdin()).lines();
    let mut sounds = JoinSet::new();
    while let Some(order) = orders.next_line().await.unwrap() {
        let mut words = order.split(' ');
        match (words.next(), words.next()) {
            (Some("play"), Some(seconds)) => {
                let (player, seconds) = (player.clone(), seconds.parse().unwrap());
                sounds.spawn(async move { play(&player, seconds).await });
            }
            (Some("stop"), _) => player.stop(),
            (Some("far"), _) => tell_far_end(&mut reader),
            _ => panic!("{order} is no order"),
        }
    }
    sounds.shutdown().await;
}

async fn play(player: &Player, seconds: f32) {
    let mut playing = match player.begin().await {
        Ok(playing) => playing,
        Err(error) => return println!("{MARK}{error}"),
    };
    let hearing = playing.hearing();
    let told = async {
        while hearing.so_far().is_zero() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        println!("{MARK}begun");
    };
    let (outcome, ()) = tokio::join!(all_of(&mut playing, seconds), told);
    let heard = hearing.so_far().as_millis();
    match outcome {
        Ok(()) => println!("{MARK}heard {heard}"),
        Err(error) => println!("{MARK}{error} after {heard}"),
    }
}

async fn all_of(playing: &mut Playing, seconds: f32) -> Result<(), loquat_speech::playback::PlayError> {
    for piece in tone(seconds).chunks(1_000) {
        playing.write(RATE, piece).await?;
    }
    playing.finish().await
}

/// Prints what waits in the far end, as far as it is no silence.
fn tell_far_end(reader: &mut FarEndReader) {
    let mut samples = vec![0.0; RECORDED / 2];
    reader.read(&mut samples);
    let loudest = samples
        .iter()
        .fold(0.0_f32, |loudest, sample| loudest.max(*sample));
    println!("{MARK}far {} {loudest:.1}", reader.is_playing());
}

/// Records what is played until it is asked for it.
struct Recorder {
    process: Child,
    samples: JoinSet<Vec<u8>>,
}

impl Recorder {
    async fn start(server: &SoundServer) -> Self {
        let mut process = Command::new("parec")
            .args([
                "--raw",
                "--format=s16le",
                "--rate=16000",
                "--channels=1",
                "--latency-msec=20",
            ])
            .env("PULSE_SERVER", server.address())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("parec records; install the package pulseaudio-utils");
        let mut sound = process.stdout.take().unwrap();
        // Whatever is played from now on is in it.
        let mut recorded = vec![timeout(PATIENCE, sound.read_u8()).await.unwrap().unwrap()];
        let mut samples = JoinSet::new();
        samples.spawn(async move {
            sound.read_to_end(&mut recorded).await.unwrap();
            recorded
        });
        Self { process, samples }
    }

    /// The samples from the first to the last that are loud, without the gaps that a sound server makes on a busy machine.
    async fn tone(mut self) -> Vec<i16> {
        self.process.kill().await.unwrap();
        let bytes = self.samples.join_next().await.unwrap().unwrap();
        let samples: Vec<i16> = bytes
            .chunks_exact(2)
            .map(|sample| i16::from_le_bytes([sample[0], sample[1]]))
            .collect();
        let is_loud = |sample: &i16| sample.unsigned_abs() > AUDIBLE.unsigned_abs();
        let from = samples.iter().position(is_loud).unwrap_or_default();
        let to = samples.iter().rposition(is_loud).map_or(from, |last| last + 1);
        without_gaps(&samples[from..to])
    }
}

fn without_gaps(samples: &[i16]) -> Vec<i16> {
    let runs = samples.chunk_by(|sample, next| (*sample == 0) == (*next == 0));
    let is_gap = |run: &[i16]| run[0] == 0 && run.len() >= SHORTEST_GAP;
    runs.filter(|run| !is_gap(run)).flatten().copied().collect()
}

fn hertz(samples: &[i16]) -> f32 {
    let rising = samples
        .windows(2)
        .filter(|pair| pair[0] < 0 && pair[1] >= 0)
        .count();
    rising as f32 * RECORDED as f32 / samples.len() as f32
}

fn number_in(told: &str) -> u64 {
    let digits = told.rsplit(' ').next().unwrap();
    digits.parse().unwrap_or_else(|_| panic!("{told}"))
}

/// A server and a player on it, which runs this test in its other role.
async fn room(folder: &std::path::Path, test: &str, device: &str) -> (SoundServer, OtherEar) {
    let server = SoundServer::start(folder).await;
    let name = format!("playback::{test}");
    let player = OtherEar::start(&name, device, &[("PULSE_SERVER", &server.address())]);
    (server, player)
}

#[test]
fn a_tone_is_heard_whole_and_the_far_end_is_told_of_it() {
    if was_the_player() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let test = "a_tone_is_heard_whole_and_the_far_end_is_told_of_it";
        let (server, mut player) = room(folder.path(), test, "default").await;
        let recorder = Recorder::start(&server).await;
        player.order("far").await;
        assert_eq!(player.next().await, "far false 0.0");
        player.order("play 1.5").await;
        assert_eq!(player.next().await, "begun");
        player.order("far").await;
        assert_eq!(player.next().await, "far true 0.5");
        assert_eq!(player.next().await, "heard 1500");
        let tone = recorder.tone().await;
        let seconds = tone.len() as f32 / RECORDED as f32;
        assert!((1.4..1.6).contains(&seconds), "{seconds} s");
        assert!((hertz(&tone) - HERTZ).abs() < 5.0, "{} Hz", hertz(&tone));
        player.finish().await;
    });
}

#[test]
fn a_stop_takes_back_what_waits_and_the_next_sound_is_heard_after_it() {
    if was_the_player() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let test = "a_stop_takes_back_what_waits_and_the_next_sound_is_heard_after_it";
        let (server, mut player) = room(folder.path(), test, "vmic_*").await;
        let recorder = Recorder::start(&server).await;
        player.order("play 5").await;
        player.order("play 5").await;
        assert_eq!(player.next().await, "begun");
        player.order("stop").await;
        let mut told = [player.next().await, player.next().await];
        told.sort_by_key(String::len);
        assert_eq!(told[0], "the sound was silenced", "of the one that waited");
        assert!(told[1].starts_with("the sound was silenced after "), "{told:?}");
        // What was heard at the stop and what was recorded differ by what could not be taken back. That is a tenth of a second
        // where the machine is idle; a sound that is not taken back is four seconds longer.
        let heard = number_in(&told[1]);
        let recorded = recorder.tone().await.len() as u64 * 1_000 / RECORDED as u64;
        assert!(
            (heard.saturating_sub(100)..heard + 1_000).contains(&recorded),
            "{heard} {recorded}"
        );

        let recorder = Recorder::start(&server).await;
        player.order("play 0.3").await;
        assert_eq!(player.next().await, "begun");
        assert_eq!(player.next().await, "heard 300");
        let recorded = recorder.tone().await.len() as u64 * 1_000 / RECORDED as u64;
        // All of it, and nothing of the sound before it; a busy server repeats a little.
        assert!((250..600).contains(&recorded), "{recorded}");
        player.finish().await;
    });
}

#[test]
fn a_sound_server_that_dies_ends_the_sound_and_plays_the_next_when_it_is_back() {
    if was_the_player() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let test = "a_sound_server_that_dies_ends_the_sound_and_plays_the_next_when_it_is_back";
        let (server, mut player) = room(folder.path(), test, "default").await;
        player.order("play 60").await;
        assert_eq!(player.next().await, "begun");
        server.kill().await;
        let told = player.next().await;
        assert!(
            told.starts_with("failed to play to the end: lost the loudspeaker"),
            "{told}"
        );
        player.order("play 1").await;
        let told = player.next().await;
        assert!(
            told.starts_with("failed to open a loudspeaker (PulseAudio: "),
            "{told}"
        );
        let server = SoundServer::start(folder.path()).await;
        let recorder = Recorder::start(&server).await;
        player.order("play 0.5").await;
        assert_eq!(player.next().await, "begun");
        assert_eq!(player.next().await, "heard 500");
        let recorded = recorder.tone().await.len();
        assert!((7_200..8_800).contains(&recorded), "{recorded}");
        player.finish().await;
    });
}

#[test]
fn a_loudspeaker_that_does_not_exist_is_named_with_those_that_do() {
    if was_the_player() {
        return;
    }
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let test = "a_loudspeaker_that_does_not_exist_is_named_with_those_that_do";
        let (_server, mut player) = room(folder.path(), test, "golden loudspeaker").await;
        player.order("play 1").await;
        let told = player.next().await;
        assert!(
            told.contains("no output device \"golden loudspeaker\", only: "),
            "{told}"
        );
        player.finish().await;
    });
}
