//! The echo canceller of WebRTC, AEC3, in its Rust port. It learns what the room makes of what is played, and how late.

use sonora_aec3::block::Block;
use sonora_aec3::block_processor::BlockProcessor;
use sonora_aec3::config::EchoCanceller3Config;

use super::{Cancelled, EchoCanceller, FRAME};
use crate::SAMPLE_RATE;

/// The canceller reckons with samples of 16 bits.
const SCALE: f32 = 32_768.0;

/// This many blocks of a room's answer are learnt: 104 ms. With the authors' 52 ms what is left of the echo hides a
/// wake word that is 12 dB quieter.
const ROOM: usize = 26;

/// The canceller, and its blocks of one frame each.
pub(crate) struct Aec3 {
    processor: BlockProcessor,
    played: Block,
    heard: Block,
    linear: Block,
}

impl Default for Aec3 {
    fn default() -> Self {
        let mut config = EchoCanceller3Config::default();
        config.filter.export_linear_aec_output = true;
        config.filter.refined.length_blocks = ROOM;
        config.filter.coarse.length_blocks = ROOM;
        Self {
            processor: BlockProcessor::new(&config, SAMPLE_RATE as usize, 1, 1),
            played: Block::new(1, 1),
            heard: Block::new(1, 1),
            linear: Block::new(1, 1),
        }
    }
}

fn fill(block: &mut Block, samples: &[f32; FRAME]) {
    for (to, from) in block.view_mut(0, 0).iter_mut().zip(samples) {
        *to = from * SCALE;
    }
}

impl EchoCanceller for Aec3 {
    fn cancel(&mut self, played: &[f32; FRAME], heard: &[f32; FRAME]) -> Cancelled {
        fill(&mut self.played, played);
        fill(&mut self.heard, heard);
        self.processor.buffer_render(&self.played);
        self.processor
            .process_capture(false, false, Some(&mut self.linear), &mut self.heard);
        Cancelled {
            clear: taken_from(&self.heard),
            whole: taken_from(&self.linear),
        }
    }
}

fn taken_from(block: &Block) -> [f32; FRAME] {
    let mut samples = [0.0; FRAME];
    for (to, from) in samples.iter_mut().zip(block.view(0, 0)) {
        *to = from / SCALE;
    }
    samples
}
