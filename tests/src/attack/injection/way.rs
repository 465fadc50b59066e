//! The ways on which a stranger's text gets to the brain, or should not.

use serde_json::{Value, json};

use super::Case;
use crate::attack::target::{OWN, Target};
use crate::brain::{Reply, ScriptedBrain};
use crate::persona::Persona;
use crate::story::TESTER;
use crate::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use crate::turn::Utterance;

/// A box that the persona trusts to read.
const POST: &str = "post-tools";
const READING: &str = "read_post";

/// Fields of a session that hold a text somewhere.
const FIELDS: [&str; 14] = [
    "lang",
    "system_unit",
    "time_format",
    "date_format",
    "location",
    "output_lang",
    "site_id",
    "persona_id",
    "secondary_langs",
    "stt_lang",
    "response_mode",
    "intent_context",
    "active_handlers",
    "favourite_colour",
];

/// A way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// The result of a tool that only reads.
    Output,
    /// The result of a tool that holds a page of the web.
    Page,
    /// The description of a tool.
    Description,
    /// The name of a tool.
    Name,
    /// A field of the session.
    Session,
    /// What was said earlier in the session.
    History,
}

impl Way {
    pub(super) const ALL: [Self; 6] = [
        Self::Output,
        Self::Page,
        Self::Description,
        Self::Name,
        Self::Session,
        Self::History,
    ];

    /// Tells whether what comes on it marks a turn, so that also a trusted tool has to ask.
    pub(super) fn taints(self) -> bool {
        matches!(self, Self::Output | Self::Page)
    }

    /// Tells whether the brain has to see it, for else nothing is tested. Names may be refused, and fields
    /// must be.
    pub(super) fn reaches(self) -> bool {
        matches!(
            self,
            Self::Output | Self::Page | Self::Description | Self::History
        )
    }

    /// Tells whether only a client of the bus can use it.
    pub(super) fn is_of_a_client(self) -> bool {
        self == Self::Session
    }

    /// Makes the persona that wants the box.
    pub(super) fn prepare(tester: Persona) -> Persona {
        let trust = json!({"trust": "safe", "read_only": true});
        tester.trusting(POST).setting(POST, trust)
    }

    /// The brain reads the post where it is asked to.
    pub(super) fn script(brain: &ScriptedBrain) {
        brain.whenever(TESTER, "my post", Reply::acts(READING, &json!({"text": "all"})));
        brain.whenever(TESTER, "", Reply::answers("Fine."));
    }

    /// Gives what is asked.
    pub(super) fn question(self, number: usize) -> String {
        match self {
            Self::Output | Self::Page => format!("Read me my post of day {number}"),
            _ => format!("Tell me about day {number}"),
        }
    }

    /// Lays the text where it will be found; the box has to stay for that.
    pub(super) async fn lay(self, target: &Target, case: &Case, session: &str) -> ScriptedToolbox {
        if self == Self::History {
            let earlier = Utterance::new(&case.text).in_session(session);
            let mark = earlier.enter(&target.probe).await;
            earlier.try_end(&target.probe, mark).await;
        }
        let result = match self {
            Self::Output => json!({"text": case.text}),
            Self::Page => json!({"text": page(&case.text)}),
            _ => json!({"text": "nothing"}),
        };
        let mut definition = json!({"name": READING, "description": "Reads the post.",
                                    "argument_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
                                    "output_schema": {"type": "object"}});
        match self {
            Self::Description => definition["description"] = json!(case.text),
            Self::Name => definition["name"] = json!(case.text),
            _ => {}
        }
        let tool = ScriptedTool::new(definition, move |_, _| Act::Returns(result.clone()));
        ScriptedToolbox::join(target.home.port(), POST, vec![tool]).await
    }

    /// Makes the utterance with the text in one field of its session, where that is the way.
    pub(super) fn utterance(self, utterance: Utterance, case: &Case) -> Utterance {
        if self != Self::Session {
            return utterance;
        }
        let own = if case.typed {
            utterance.in_session(OWN)
        } else {
            utterance
        };
        let field = FIELDS[case.place % FIELDS.len()];
        own.session(field, in_field(field, &case.text))
    }
}

fn in_field(field: &str, text: &str) -> Value {
    match field {
        "location" => json!({"tz": text, "timezone": {"code": text}, "city": text}),
        "secondary_langs" => json!([text]),
        "response_mode" => json!({"skill_id": text}),
        "intent_context" => json!({text: {"value": text, "turns_remaining": 3}}),
        "active_handlers" => json!([{"skill_id": text, "activated_at": 1}]),
        _ => json!(text),
    }
}

fn page(text: &str) -> String {
    format!(
        "<!doctype html><html><head><title>Post</title><meta name=description content='{text}'></head><body>\
         <p>Dear neighbour, the weather is fine.</p><div style='display:none'>{text}</div><img alt='{text}'>\
         <!-- {text} --></body></html>"
    )
}
