//! From a TensorFlow Lite file to the steps of a network, each checked once so that running it cannot fail.
//!
//! Only what the streaming networks of microWakeWord are made of is understood: one input, one output, bytes in between,
//! and memories that are read and written at each run. Anything else is refused by name.

use std::collections::HashMap;

use super::file::{File, Graph, Operator, Read, Tensor};
use super::layer::{Layer, Quantisation, table};
use super::memories::Memories;
use super::operators::{
    ASSIGN_VARIABLE, CALL_ONCE, CONCATENATION, CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, LOGISTIC,
    QUANTIZE, READ_VARIABLE, RESHAPE, SPLIT_V, STRIDED_SLICE, VAR_HANDLE, unknown,
};
use super::shape::Shape;

/// More multiplications for 30 ms of sound are no wake word's.
const MOST_PRODUCTS: usize = 1 << 23;

/// The sum of a longer window might not fit into 32 bits.
const LONGEST_WINDOW: usize = 1 << 16;

#[derive(Debug)]
pub(super) enum Step {
    /// A memory becomes a sheet.
    Recall { memory: usize, to: usize },
    /// A sheet is kept for the next run.
    Keep { from: usize, memory: usize },
    /// Gives a sheet without its first bytes.
    Skip { from: usize, bytes: usize, to: usize },
    /// Sheets side by side: so many bytes of each in turn.
    Join { from: Vec<(usize, usize)>, to: usize },
    /// Cuts a sheet into parts, the reverse of joining.
    Part { from: usize, to: Vec<(usize, usize)> },
    /// Computes a layer of the network.
    Layer { from: usize, layer: Layer, to: usize },
    /// Applies a function to each byte.
    LookUp { from: usize, table: Vec<i8>, to: usize },
}

/// A network that is ready to run.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// The length of each sheet.
    pub(super) sheets: Vec<usize>,
    /// The content of each memory before the first run.
    pub(super) memories: Vec<Vec<i8>>,
    pub(super) input: usize,
    /// Says what a byte of the input stands for.
    pub(super) input_quantisation: Quantisation,
    /// One row of the input has this many bytes.
    pub(super) input_columns: usize,
    pub(super) output: usize,
    pub(super) output_quantisation: Quantisation,
}

/// Reads a whole file.
pub(super) fn plan(bytes: &[u8]) -> Read<Plan> {
    let file = File::new(bytes)?;
    let graph = file.graph(0)?;
    let mut planner = Planner {
        tensors: &graph.tensors,
        memories: Memories::default(),
        handles: HashMap::new(),
        products: 0,
    };
    let mut steps = Vec::new();
    for operator in &graph.operators {
        match operator.code {
            // Memories that changed later would no longer be those that steps were checked against.
            CALL_ONCE if planner.memories.first.is_empty() => {
                let first = usize::try_from(operator.option(0, 0)).unwrap_or_default();
                planner.memories = Memories::read(&file.graph(first)?)?;
            }
            VAR_HANDLE => planner.name_memory(operator)?,
            _ => steps.push(planner.charged(operator)?),
        }
    }
    planner.finish(&graph, steps)
}

struct Planner<'a> {
    tensors: &'a [Tensor<'a>],
    memories: Memories,
    /// The memory that a tensor stands for.
    handles: HashMap<usize, usize>,
    products: usize,
}

impl<'a> Planner<'a> {
    fn name_memory(&mut self, operator: &Operator<'_>) -> Read<()> {
        let (Some(name), [handle]) = (operator.text(1), operator.outputs.as_slice()) else {
            return Err("a memory has no name".into());
        };
        let memory = self.memories.by_name.get(name);
        self.handles
            .insert(*handle, *memory.ok_or("a memory has no beginning")?);
        Ok(())
    }

    /// Plans a step, whose work counts, be it only copying.
    fn charged(&mut self, operator: &Operator<'_>) -> Read<Step> {
        let sheets = operator.inputs.iter().chain(&operator.outputs);
        let sheets = sheets.filter_map(|sheet| self.tensors.get(*sheet));
        self.products += sheets.map(Tensor::len).sum::<usize>();
        if self.products > MOST_PRODUCTS {
            return Err("it computes more than a wake word may".into());
        }
        self.step(operator)
    }

    fn step(&mut self, operator: &Operator<'_>) -> Read<Step> {
        let wrong = || unknown(operator.code);
        let (inputs, outputs) = (operator.inputs.as_slice(), operator.outputs.as_slice());
        match (operator.code, inputs, outputs) {
            (READ_VARIABLE, [handle], [to]) => {
                let memory = self.memory(*handle, *to)?;
                Ok(Step::Recall { memory, to: *to })
            }
            (ASSIGN_VARIABLE, [handle, from], []) => {
                let memory = self.memory(*handle, *from)?;
                Ok(Step::Keep { from: *from, memory })
            }
            (RESHAPE, [from, ..], [to]) if self.tensor(*from)?.len() == self.tensor(*to)?.len() => {
                Ok(Step::Skip {
                    from: *from,
                    bytes: 0,
                    to: *to,
                })
            }
            (STRIDED_SLICE, [from, begin, _, strides], [to]) => {
                let bytes = self
                    .skipped([*from, *begin, *strides, *to], operator)
                    .ok_or_else(wrong)?;
                Ok(Step::Skip {
                    from: *from,
                    bytes,
                    to: *to,
                })
            }
            (CONCATENATION, from, [to]) if operator.choice(1) == 0 => {
                let from = self.blocks(from, *to, operator.option(0, 0)).ok_or_else(wrong)?;
                Ok(Step::Join { from, to: *to })
            }
            (SPLIT_V, [from, _, axis], to) => {
                let axis = self.tensor(*axis)?.numbers()?;
                let axis = axis.first().copied().ok_or_else(wrong)?;
                let to = self.blocks(to, *from, axis).ok_or_else(wrong)?;
                Ok(Step::Part { from: *from, to })
            }
            (CONV_2D | DEPTHWISE_CONV_2D | FULLY_CONNECTED, [from, weights, bias], [to]) => Ok(Step::Layer {
                from: *from,
                layer: self.layer([*from, *weights, *bias, *to], operator)?,
                to: *to,
            }),
            (LOGISTIC, [from], [to]) => self.look_up(*from, *to, |value| 1.0 / (1.0 + (-value).exp())),
            (QUANTIZE, [from], [to]) => self.look_up(*from, *to, |value| value),
            _ => Err(wrong()),
        }
    }

    fn tensor(&self, number: usize) -> Read<&'a Tensor<'a>> {
        let tensor = self.tensors.get(number);
        tensor.ok_or_else(|| "an operator refers to a tensor that is not there".into())
    }

    /// Finds the memory behind a handle, which must be as long as the sheet it goes to or comes from.
    fn memory(&self, handle: usize, sheet: usize) -> Read<usize> {
        let memory = self.handles.get(&handle).copied();
        let first = memory.and_then(|memory| self.memories.first.get(memory));
        let fits = first.map(Vec::len) == Some(self.tensor(sheet)?.len());
        memory
            .filter(|_| fits)
            .ok_or_else(|| "a memory is not as long as what it holds".into())
    }

    fn look_up(&self, from: usize, to: usize, function: fn(f32) -> f32) -> Read<Step> {
        let (input, output) = (self.tensor(from)?, self.tensor(to)?);
        if input.len() != output.len() {
            return Err("a function's result is not as long as what it is applied to".into());
        }
        let table = table(input.quantisation()?, output.quantisation()?, function);
        Ok(Step::LookUp { from, table, to })
    }

    /// Counts the bytes in front of a slice that is the last rows of a sheet.
    fn skipped(&self, [from, begin, strides, to]: [usize; 4], operator: &Operator<'_>) -> Option<usize> {
        let (begin, strides) = (self.tensor(begin).ok()?, self.tensor(strides).ok()?);
        let (from, to) = (self.tensor(from).ok()?, self.tensor(to).ok()?);
        let ([1, rows, width, columns], [1, left, ..]) =
            (from.dimensions.as_slice(), to.dimensions.as_slice())
        else {
            return None;
        };
        let row = width * columns;
        let bytes = from.len().checked_sub(to.len())?;
        let [_, begin, ..] = *begin.numbers().ok()? else {
            return None;
        };
        // Bits of axes that are taken from their beginning and to their end; only the rows may begin later.
        let (whole_begin, whole_end) = (operator.option(0, 0), operator.option(1, 0));
        let masks_fit = whole_begin | 0b0010 == 0b1111 && whole_end == 0b1111;
        let begin = if whole_begin & 0b0010 != 0 { 0 } else { begin };
        let begin = if begin < 0 {
            i32::try_from(*rows).ok()?.checked_add(begin)?
        } else {
            begin
        };
        let fits = Some(to.len()) == left.checked_mul(row)
            && usize::try_from(begin).ok()?.checked_mul(row)? == bytes;
        let strides_fit = strides.numbers().ok()?.iter().all(|stride| *stride == 1);
        (masks_fit && fits && strides_fit).then_some(bytes)
    }

    /// Counts how many bytes of each part come in turn in a whole that is joined, or parted, along an axis.
    fn blocks(&self, parts: &[usize], whole: usize, axis: i32) -> Option<Vec<(usize, usize)>> {
        let whole = self.tensor(whole).ok()?;
        let rank = whole.dimensions.len();
        let axis = if axis < 0 {
            rank.checked_sub(usize::try_from(axis.unsigned_abs()).ok()?)?
        } else {
            usize::try_from(axis).ok()?
        };
        let block =
            |tensor: &Tensor<'_>| -> Option<usize> { Some(tensor.dimensions.get(axis..)?.iter().product()) };
        let same_meaning = |tensor: &Tensor<'_>| tensor.quantisation().ok() == whole.quantisation().ok();
        let blocks: Vec<(usize, usize)> = parts
            .iter()
            .map(|part| {
                let tensor = self.tensor(*part).ok().filter(|tensor| same_meaning(tensor))?;
                Some((*part, block(tensor)?))
            })
            .collect::<Option<_>>()?;
        let turns = whole.len() / block(whole)?;
        let lengths_fit = parts.iter().zip(&blocks).all(|(part, (_, block))| {
            self.tensor(*part)
                .is_ok_and(|tensor| Some(tensor.len()) == turns.checked_mul(*block))
        });
        let sum: usize = blocks.iter().map(|(_, block)| block).sum();
        (lengths_fit && sum == block(whole)?).then_some(blocks)
    }

    fn layer(&mut self, [from, weights, bias, to]: [usize; 4], operator: &Operator<'_>) -> Read<Layer> {
        let (input, output) = (self.tensor(from)?, self.tensor(to)?);
        let (weights, bias) = (self.tensor(weights)?, self.tensor(bias)?);
        let shape = Shape::of(operator, input, weights).ok_or_else(|| unknown(operator.code))?;
        let (meaning, result) = (input.quantisation()?, output.quantisation()?);
        let bytes = weights.bytes()?;
        let channels = shape.channels(&bytes, weights, &bias.numbers()?, [meaning, result]);
        let channels = channels.ok_or("a layer's weights and scales do not fit together")?;
        let rows = (input.len() - shape.window) / shape.step + 1;
        if rows.checked_mul(channels.len()) != Some(output.len()) {
            return Err("a layer's result has another length than it says".into());
        }
        self.products = self.products.saturating_add(rows.saturating_mul(bytes.len()));
        if self.products > MOST_PRODUCTS || shape.window > LONGEST_WINDOW {
            return Err("it computes more than a wake word may".into());
        }
        Ok(Layer {
            reach: shape.reach,
            window: shape.window,
            step: shape.step,
            zero: result.zero,
            least: if shape.rectified {
                result.zero.clamp(i8::MIN.into(), i8::MAX.into()) as i8
            } else {
                i8::MIN
            },
            weights: bytes,
            channels,
        })
    }

    fn finish(self, graph: &Graph<'_>, steps: Vec<Step>) -> Read<Plan> {
        let ([input], [output]) = (graph.inputs.as_slice(), graph.outputs.as_slice()) else {
            return Err("it does not have one input and one output".into());
        };
        let (first, last) = (self.tensor(*input)?, self.tensor(*output)?);
        if last.len() != 1 {
            return Err("its output is more than one probability".into());
        }
        Ok(Plan {
            steps,
            sheets: self.tensors.iter().map(Tensor::len).collect(),
            memories: self.memories.first,
            input: *input,
            input_quantisation: first.quantisation()?,
            input_columns: first.dimensions.last().copied().unwrap_or(1),
            output: *output,
            output_quantisation: last.quantisation()?,
        })
    }
}
