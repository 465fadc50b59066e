//! A toolbox whose tools that go on are begun in the background. All others run as ever.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Arrivals, Category, Circumstances, Outcome, ToolError, Toolbox, ToolboxWrapper};
use serde_json::{Map, Value};

use super::Background;

#[derive(Debug)]
pub(crate) struct BackgroundToolbox {
    inner: Arc<dyn Toolbox>,
    background: Arc<Background>,
}

impl BackgroundToolbox {
    /// The toolbox; as it is where none of its tools goes on.
    pub(crate) fn of(inner: Arc<dyn Toolbox>, background: &Arc<Background>) -> Arc<dyn Toolbox> {
        if !inner.tools().iter().any(|tool| tool.category == Category::Async) {
            return inner;
        }
        Arc::new(Self {
            inner,
            background: Arc::clone(background),
        })
    }
}

impl ToolboxWrapper for BackgroundToolbox {
    fn inner(&self) -> &dyn Toolbox {
        &*self.inner
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        let tools = self.inner.tools();
        match tools.iter().find(|tool| tool.name == name) {
            Some(tool) if tool.category == Category::Async => {
                let inner = Arc::clone(&self.inner);
                self.background
                    .start(inner, tool.clone(), arguments, circumstances)
                    .boxed()
            }
            _ => self.inner.call(name, arguments, circumstances),
        }
    }
}

/// Toolboxes that come while a turn runs, each as above.
#[derive(Debug)]
pub(crate) struct BackgroundArrivals {
    inner: Arc<dyn Arrivals>,
    background: Arc<Background>,
}

impl BackgroundArrivals {
    pub(crate) fn of(inner: Arc<dyn Arrivals>, background: &Arc<Background>) -> Arc<dyn Arrivals> {
        Arc::new(Self {
            inner,
            background: Arc::clone(background),
        })
    }
}

impl Arrivals for BackgroundArrivals {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        async move {
            let came = self.inner.take().await;
            came.into_iter()
                .map(|toolbox| BackgroundToolbox::of(toolbox, &self.background))
                .collect()
        }
        .boxed()
    }
}
