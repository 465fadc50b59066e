//! The tool by which a brain says nothing, for personas that may stay silent. It does nothing itself: a turn that calls it ends.

use std::sync::{Arc, LazyLock};

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use crate::toolbox::{Circumstances, Outcome, Tool, ToolError, Toolbox};

const ID: &str = "loquat-silence";

/// The tool's name, which ends a turn also where it is not on offer.
pub const NOOP: &str = "noop";

static TOOLS: LazyLock<Arc<[Tool]>> = LazyLock::new(|| {
    let about = "Says nothing at all and ends. Use it when what was said needs no answer.";
    Arc::new([Tool {
        read_only: true,
        ..Tool::safe(ID, NOOP, about)
    }])
});

/// The toolbox with the tool that says nothing.
#[derive(Debug)]
pub struct Silence;

impl Silence {
    /// Tells whether this tool is the one of this toolbox.
    pub fn offers(tool: &Tool) -> bool {
        tool.toolbox_id == ID
    }
}

impl Toolbox for Silence {
    fn id(&self) -> &'static str {
        ID
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&TOOLS)
    }

    fn call<'a>(
        &'a self,
        _: &'a str,
        _: Map<String, Value>,
        _: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        Box::pin(std::future::ready(Ok(Map::new().into())))
    }
}
