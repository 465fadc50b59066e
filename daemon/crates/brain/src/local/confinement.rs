//! What the worker is held to, as it says itself. Never decides whether that is enough: the worker does, by its setting.

use std::fmt;

use serde::Deserialize;

/// Says how far the worker gives its rights up before it reads the model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// Entirely, or it does not start.
    Required,
    /// The worker gives up what the kernel can take.
    #[default]
    BestEffort,
    /// The worker gives up nothing.
    Off,
}

impl Sandbox {
    /// The word of the worker's command line.
    pub(crate) fn argument(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::BestEffort => "best-effort",
            Self::Off => "off",
        }
    }
}

/// Tells what a running worker is held to. `Display` writes a clause for a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Confinement {
    /// Names what holds the worker.
    pub held_by: Vec<String>,
    /// Names what does not, and why.
    pub lacks: Vec<String>,
}

impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.held_by.is_empty() {
            write!(f, "held to {}", self.held_by.join(", "))?;
        }
        let between = if self.held_by.is_empty() { "" } else { "; " };
        if !self.lacks.is_empty() {
            write!(f, "{between}not held: {}", self.lacks.join("; "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::health::Health;

    #[test]
    fn it_is_read_from_the_health_and_told_in_a_clause() {
        let told = |health: &str| {
            let health = Health::read(health.as_bytes());
            health.confinement.map(|read| read.to_string())
        };
        assert_eq!(told(""), None);
        assert_eq!(told(r#"{"status": "ok"}"#), None);
        let whole = r#"{"sandbox": {"held_by": ["files", "limits"], "lacks": []}}"#;
        assert_eq!(told(whole).as_deref(), Some("held to files, limits"));
        let half = r#"{"sandbox": {"held_by": ["limits"], "lacks": ["files: no Landlock"]}}"#;
        assert_eq!(
            told(half).as_deref(),
            Some("held to limits; not held: files: no Landlock")
        );
        let none = r#"{"sandbox": {"lacks": ["it is switched off"]}}"#;
        assert_eq!(told(none).as_deref(), Some("not held: it is switched off"));
    }
}
