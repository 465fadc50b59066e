//! A small streaming neural network, such as a wake word is.
//!
//! Runs quantised TensorFlow Lite models of the kind that microWakeWord trains, step by step as sound comes in. A file is
//! checked from end to end when it is read; running it cannot fail and takes some tens of microseconds.

mod file;
mod flatbuffer;
mod layer;
mod memories;
mod operators;
mod plan;
mod shape;
#[cfg(test)]
mod tests;

use std::mem::take;

use layer::look_up;
use plan::{Plan, Step};

#[derive(Debug)]
pub(super) struct Network {
    plan: Plan,
    sheets: Vec<Vec<i8>>,
    memories: Vec<Vec<i8>>,
}

impl Network {
    /// Reads a `.tflite` file; the error says what is wrong with it.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let plan = plan::plan(bytes)?;
        Ok(Self {
            sheets: plan.sheets.iter().map(|len| vec![0; *len]).collect(),
            memories: plan.memories.clone(),
            plan,
        })
    }

    /// One row of its input has this many values.
    pub(super) fn columns(&self) -> usize {
        self.plan.input_columns
    }

    /// Counts the values that a run takes: some rows.
    pub(super) fn input_len(&self) -> usize {
        self.plan.sheets.get(self.plan.input).copied().unwrap_or(0)
    }

    /// Forgets what was heard before.
    pub(super) fn reset(&mut self) {
        self.memories.clone_from(&self.plan.memories);
    }

    /// Takes [`Self::input_len`] values, oldest row first, and gives the probability between 0 and 1.
    pub(super) fn run(&mut self, input: &[f32]) -> f32 {
        let meaning = self.plan.input_quantisation;
        if let Some(sheet) = self.sheets.get_mut(self.plan.input) {
            for (byte, value) in sheet.iter_mut().zip(input) {
                *byte = meaning.byte(*value);
            }
        }
        for step in &self.plan.steps {
            run(step, &mut self.sheets, &mut self.memories);
        }
        let output = self.sheets.get(self.plan.output).and_then(|sheet| sheet.first());
        let probability = output.map_or(0.0, |byte| self.plan.output_quantisation.value(*byte));
        probability.clamp(0.0, 1.0)
    }
}

fn run(step: &Step, sheets: &mut [Vec<i8>], memories: &mut [Vec<i8>]) {
    match step {
        Step::Recall { memory, to } => copy(of(memories, *memory), of_mut(sheets, *to)),
        Step::Keep { from, memory } => copy(of(sheets, *from), of_mut(memories, *memory)),
        Step::Skip { from, bytes, to } => fill(sheets, *to, |sheets, sheet| {
            copy(of(sheets, *from).get(*bytes..).unwrap_or_default(), sheet);
        }),
        Step::Join { from, to } => fill(sheets, *to, |sheets, whole| join(sheets, from, whole)),
        Step::Part { from, to } => {
            let mut offset = 0;
            let whole = to.iter().map(|(_, block)| block).sum();
            for (to, block) in to {
                fill(sheets, *to, |sheets, sheet| {
                    let turns = of(sheets, *from).chunks(whole).zip(sheet.chunks_mut(*block));
                    turns.for_each(|(turn, part)| copy(turn.get(offset..).unwrap_or_default(), part));
                });
                offset += block;
            }
        }
        Step::Layer { from, layer, to } => {
            fill(sheets, *to, |sheets, sheet| layer.run(of(sheets, *from), sheet));
        }
        Step::LookUp { from, table, to } => {
            fill(sheets, *to, |sheets, sheet| {
                look_up(table, of(sheets, *from), sheet);
            });
        }
    }
}

fn join(sheets: &[Vec<i8>], from: &[(usize, usize)], whole: &mut [i8]) {
    let mut offset = 0;
    let turn = from.iter().map(|(_, block)| block).sum();
    for (part, block) in from {
        let turns = whole.chunks_mut(turn).zip(of(sheets, *part).chunks(*block));
        turns.for_each(|(turn, part)| copy(part, turn.get_mut(offset..).unwrap_or_default()));
        offset += block;
    }
}

/// Lets a sheet be made from the others.
fn fill(sheets: &mut [Vec<i8>], to: usize, make: impl FnOnce(&[Vec<i8>], &mut [i8])) {
    let mut sheet = sheets.get_mut(to).map(take).unwrap_or_default();
    make(sheets, &mut sheet);
    if let Some(place) = sheets.get_mut(to) {
        *place = sheet;
    }
}

fn of(sheets: &[Vec<i8>], number: usize) -> &[i8] {
    sheets.get(number).map_or(&[], Vec::as_slice)
}

fn of_mut(sheets: &mut [Vec<i8>], number: usize) -> &mut [i8] {
    sheets.get_mut(number).map_or(&mut [], Vec::as_mut_slice)
}

/// Copies as much as both have. The planner has seen to it that this is all.
fn copy(from: &[i8], to: &mut [i8]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}
