//! What a person can say to this device, in examples, told without a turn. Knows no example itself.

use loquat_agent::toolbox::Circumstances;
use loquat_skills::help;
use serde_json::Map;

use super::Mind;

impl Mind {
    /// Tells what a person can say here, in a sentence with examples of this language that fit what is set up.
    pub async fn what_can_be_said(&self, lang: &str) -> Option<String> {
        let own = self.own();
        let help = own.iter().find(|toolbox| toolbox.id() == help::ID)?;
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            ..Circumstances::default()
        };
        help.call(help::TELL, Map::new(), &person).await.ok()?.spoken
    }
}
