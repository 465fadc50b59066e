//! What happens to text on its way into and out of the model. Never knows llama.cpp or HTTP.

pub(crate) mod disarm;
pub(crate) mod stop;
pub(crate) mod utf8;
