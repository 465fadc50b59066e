//! The operators that wake words are made of, as TensorFlow Lite's schema numbers and names them.

pub(super) const CONCATENATION: i32 = 2;
pub(super) const CONV_2D: i32 = 3;
pub(super) const DEPTHWISE_CONV_2D: i32 = 4;
pub(super) const FULLY_CONNECTED: i32 = 9;
pub(super) const LOGISTIC: i32 = 14;
pub(super) const RESHAPE: i32 = 22;
pub(super) const STRIDED_SLICE: i32 = 45;
pub(super) const SPLIT_V: i32 = 102;
pub(super) const QUANTIZE: i32 = 114;
pub(super) const CALL_ONCE: i32 = 129;
pub(super) const VAR_HANDLE: i32 = 142;
pub(super) const READ_VARIABLE: i32 = 143;
pub(super) const ASSIGN_VARIABLE: i32 = 144;

/// Says that a file has an operator, or a use of one, that is not computed here.
pub(super) fn unknown(code: i32) -> String {
    format!("it uses an operator that no known wake word needs (number {code}) or uses one in an unknown way")
}
