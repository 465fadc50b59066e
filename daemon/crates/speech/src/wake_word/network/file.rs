//! What a TensorFlow Lite file says of its graphs: tensors and operators, as far as wake words have them.
//!
//! The numbers of fields are those of TensorFlow Lite's schema, version 3. What the operators do is the planner's matter.

use super::flatbuffer::{Table, Vector};
use super::layer::Quantisation;

/// More tensors or operators are no wake word's, nor are more bytes in all of them together.
const MOST_PARTS: usize = 1024;
pub(super) const MOST_BYTES: usize = 1 << 22;

/// Channels of a layer, each of which has a scale.
const MOST_CHANNELS: usize = 1024;

/// Dimensions of a tensor, and tensors of an operator.
const MOST_PLACES: usize = 64;

/// The schema has this number for bytes without a sign.
const UNSIGNED: u8 = 3;

/// The value that was read, or what is wrong with the file.
pub(super) type Read<T> = Result<T, String>;

#[derive(Debug, Clone, Copy)]
pub(super) struct File<'a> {
    codes: Vector<'a>,
    graphs: Vector<'a>,
    buffers: Vector<'a>,
}

#[derive(Debug, Clone)]
pub(super) struct Tensor<'a> {
    pub(super) dimensions: Vec<usize>,
    pub(super) scales: Vec<f32>,
    pub(super) zero: i32,
    data: Option<&'a [u8]>,
    is_unsigned: bool,
}

/// An operator, and the tensors it is applied to by number; one that an operator leaves out has no number.
#[derive(Debug)]
pub(super) struct Operator<'a> {
    pub(super) code: i32,
    pub(super) inputs: Vec<usize>,
    pub(super) outputs: Vec<usize>,
    options: Option<Table<'a>>,
}

#[derive(Debug)]
pub(super) struct Graph<'a> {
    pub(super) tensors: Vec<Tensor<'a>>,
    pub(super) inputs: Vec<usize>,
    pub(super) outputs: Vec<usize>,
    pub(super) operators: Vec<Operator<'a>>,
}

impl<'a> File<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Read<Self> {
        let parts = |model: Table<'a>| {
            Some(Self {
                codes: model.vector(1)?,
                graphs: model.vector(2)?,
                buffers: model.vector(4)?,
            })
        };
        let marked = bytes.get(4..8) == Some(b"TFL3");
        let file = Table::root(bytes).filter(|_| marked).and_then(parts);
        file.ok_or_else(|| "it is no TensorFlow Lite file".to_owned())
    }

    pub(super) fn graph(&self, number: usize) -> Read<Graph<'a>> {
        let graph = self.graphs.table(number).ok_or("a graph is missing")?;
        let (tensors, operators) = (graph.vector(0), graph.vector(3));
        let (Some(tensors), Some(operators)) = (tensors, operators) else {
            return Err("a graph is empty".into());
        };
        let too_large = || "a graph is too large for a wake word".to_owned();
        if tensors.len().max(operators.len()) > MOST_PARTS {
            return Err(too_large());
        }
        let tensors = (0..tensors.len()).map(|at| self.tensor(tensors.table(at)));
        let tensors = tensors.collect::<Read<Vec<_>>>()?;
        let operators = (0..operators.len()).map(|at| self.operator(operators.table(at)));
        if tensors.iter().map(Tensor::len).sum::<usize>() > MOST_BYTES {
            return Err(too_large());
        }
        Ok(Graph {
            tensors,
            inputs: places(&graph, 1)?,
            outputs: places(&graph, 2)?,
            operators: operators.collect::<Read<_>>()?,
        })
    }

    fn tensor(&self, tensor: Option<Table<'a>>) -> Read<Tensor<'a>> {
        let tensor = tensor.ok_or("a tensor is cut short")?;
        let quantisation = tensor.table(4);
        let scales = quantisation.and_then(|table| table.vector(2)?.fractions(MOST_CHANNELS));
        let zeros = quantisation.and_then(|table| table.vector(3)?.long_numbers(MOST_CHANNELS));
        let zeros = zeros.unwrap_or_default();
        let zero = zeros.first().copied().unwrap_or_default();
        let all_alike = zeros.iter().all(|other| *other == zero);
        let zero = i32::try_from(zero).ok();
        let zero = zero.filter(|zero| all_alike && (-128..=255).contains(zero));
        let buffer = tensor.index(2).and_then(|buffer| self.buffers.table(buffer));
        Ok(Tensor {
            dimensions: dimensions(&tensor)?,
            scales: scales.unwrap_or_default(),
            zero: zero.ok_or("a tensor's zero is no byte")? - excess(tensor.byte(1))?,
            is_unsigned: tensor.byte(1) == UNSIGNED,
            data: buffer.and_then(|buffer| buffer.vector(0)?.as_bytes()),
        })
    }

    fn operator(&self, operator: Option<Table<'a>>) -> Read<Operator<'a>> {
        let operator = operator.ok_or("an operator is cut short")?;
        let code = operator.index(0).and_then(|code| self.codes.table(code));
        let code = code.ok_or("an operator has no name")?;
        Ok(Operator {
            // Files of before 2020 have a byte where there is a number now.
            code: code.number(3, 0).max(code.byte(0).into()),
            inputs: places(&operator, 1)?,
            outputs: places(&operator, 2)?,
            options: operator.table(4),
        })
    }
}

/// An unsigned byte is a signed one whose zero is 128 higher; the numbers are those of the schema's kinds of tensors.
fn excess(kind: u8) -> Read<i32> {
    match kind {
        UNSIGNED => Ok(128),
        2 | 9 | 13 => Ok(0),
        other => Err(format!(
            "it computes with numbers that wake words do not use (kind {other})"
        )),
    }
}

fn dimensions(tensor: &Table<'_>) -> Read<Vec<usize>> {
    let sizes = places(tensor, 0)?;
    let product = sizes
        .iter()
        .try_fold(1_usize, |product, size| product.checked_mul(*size));
    match product {
        Some(1..=MOST_BYTES) => Ok(sizes),
        _ => Err("a tensor is empty or too large for a wake word".into()),
    }
}

/// Reads numbers of which a negative one stands for none, and so becomes one that nothing has.
fn places(table: &Table<'_>, field: usize) -> Read<Vec<usize>> {
    let Some(places) = table.vector(field) else {
        return Ok(Vec::new());
    };
    let numbers = places.numbers(MOST_PLACES);
    let numbers = numbers.ok_or("a list of numbers is cut short, or too long")?;
    let place = |number| usize::try_from(number).unwrap_or(usize::MAX);
    Ok(numbers.into_iter().map(place).collect())
}

impl Tensor<'_> {
    pub(super) fn len(&self) -> usize {
        self.dimensions.iter().product()
    }

    /// Reads what the bytes of a sheet stand for.
    pub(super) fn quantisation(&self) -> Read<Quantisation> {
        match self.scales.as_slice() {
            [scale] if scale.is_normal() && *scale > 0.0 => Ok(Quantisation {
                scale: *scale,
                zero: self.zero,
            }),
            _ => Err("a tensor does not say what its bytes stand for".into()),
        }
    }

    /// Gives the bytes that the file has for it.
    pub(super) fn bytes(&self) -> Read<Vec<i8>> {
        let fits = |data: &&[u8]| data.len() == self.len() && !self.is_unsigned;
        let data = self.data.filter(fits);
        let data = data.ok_or("weights are missing, cut short or of an unknown kind")?;
        Ok(data.iter().map(|byte| byte.cast_signed()).collect())
    }

    /// Gives the whole numbers that the file has for it.
    pub(super) fn numbers(&self) -> Read<Vec<i32>> {
        let data = self.data.filter(|data| data.len() == 4 * self.len());
        let (numbers, _) = data.ok_or("numbers are missing or cut short")?.as_chunks();
        Ok(numbers.iter().copied().map(i32::from_le_bytes).collect())
    }
}

impl<'a> Operator<'a> {
    pub(super) fn option(&self, field: usize, absent: i32) -> i32 {
        self.options
            .map_or(absent, |options| options.number(field, absent))
    }

    /// Reads a choice among its options, as the schema numbers it.
    pub(super) fn choice(&self, field: usize) -> u8 {
        self.options.map_or(0, |options| options.byte(field))
    }

    pub(super) fn text(&self, field: usize) -> Option<&'a [u8]> {
        self.options?.vector(field)?.as_bytes()
    }
}
