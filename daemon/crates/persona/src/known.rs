//! What a persona file may name: handed in by the owner of the tables, so that nothing here depends on them.

/// The ids that exist.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// They are ids of engines, for example `ovos-react-loop`.
    pub engines: Vec<String>,
    /// Every engine heeds these settings, beside those that it declares.
    pub engine_keys: Vec<String>,
    /// Ids of the toolboxes that are part of the program.
    pub toolboxes: Vec<String>,
    /// Those of them that are there for a persona that names them or sets them up, and for no other.
    pub set_up: Vec<String>,
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
            set_up: Vec::new(),
            lookups: Vec::new(),
        }
    }

    /// Finds the engine of this id. OVOS's examples write some ids without the ending that the plugins have.
    pub(super) fn engine(&self, id: &str) -> Option<&str> {
        let is_it = |engine: &&String| *engine == id || engine.strip_suffix("-loop") == Some(id);
        self.engines.iter().find(is_it).map(String::as_str)
    }

    /// Says which toolboxes a persona has to set up.
    #[must_use]
    pub fn with_set_up(mut self, ids: &[&str]) -> Self {
        self.set_up = ids.iter().map(|id| (*id).to_owned()).collect();
        self
    }

    /// Adds the plugins that look a question up.
    #[must_use]
    pub fn with_lookups(mut self, ids: &[&str]) -> Self {
        self.lookups = ids.iter().map(|id| (*id).to_owned()).collect();
        self
    }
}
