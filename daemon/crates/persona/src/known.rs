//! What a persona file may name: handed in by the owner of the tables, so that nothing here depends on them.

/// The ids that exist.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Ids of the engines, for example `ovos-react-loop`.
    pub engines: Vec<String>,
    /// The settings that every engine heeds, beside those that it declares.
    pub engine_keys: Vec<String>,
    /// Ids of the toolboxes that are part of the program.
    pub toolboxes: Vec<String>,
    /// Ids of the plugins of OVOS that look a question up.
    pub lookups: Vec<String>,
}

impl Known {
    /// Collects borrowed ids.
    pub fn new(engines: &[&str], engine_keys: &[&str], toolboxes: &[&str]) -> Self {
        let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        Self {
            engines: owned(engines),
            engine_keys: owned(engine_keys),
            toolboxes: owned(toolboxes),
            lookups: Vec::new(),
        }
    }

    /// Adds the plugins that look a question up.
    #[must_use]
    pub fn with_lookups(mut self, ids: &[&str]) -> Self {
        self.lookups = ids.iter().map(|id| (*id).to_owned()).collect();
        self
    }
}
