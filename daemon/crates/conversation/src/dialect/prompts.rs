//! The words with which engines instruct a brain: one file each in `prompts/`, which a persona may replace by name.
//!
//! They are short, because a small model on a small device reads every one of them at some ten milliseconds a token, and
//! do not change between turns, because a prompt cache keeps them. Nothing here decides who is asked.

use std::collections::BTreeMap;

use crate::catalogue::Catalogue;

/// Words with a name.
#[derive(Debug)]
pub struct Prompt {
    /// The name by which a persona replaces it.
    pub name: &'static str,
    /// Says where it is used.
    pub about: &'static str,
    /// The words, where the persona has none of its own.
    usual: &'static str,
}

macro_rules! prompts {
    ($($constant:ident = $name:literal, $about:literal;)*) => {
        $(
            #[doc = $about]
            pub static $constant: Prompt = Prompt {
                name: $name,
                about: $about,
                usual: include_str!(concat!("../../prompts/", $name, ".md")),
            };
        )*

        /// All of them, by name.
        pub static PROMPTS: &[&Prompt] = &[$(&$constant),*];
    };
}

prompts! {
    ANSWER = "answer", "What an answer in plain words has to be like.";
    ASSESS = "assess", "`auto`: asks how hard a question is.";
    CALLS_AGAIN = "calls-again", "`llm-compiler`: asks for calls that bring what is missing.";
    CALLS_ANSWER = "calls-answer", "`rewoo` and `llm-compiler`: asks for the answer from what the calls brought.";
    CALLS_JOIN_SCHEMA = "calls-join-schema", "`llm-compiler`: the same as a JSON object.";
    CALLS_JOIN_TEXT = "calls-join-text", "`llm-compiler`: asks for the answer, or for why other calls are needed, as text.";
    CALLS_SCHEMA = "calls-schema", "`rewoo` and `llm-compiler`: the same as a JSON object; the tools stand before, the examples behind.";
    CALLS_SCHEMA_EXAMPLES = "calls-schema-examples", "`rewoo` and `llm-compiler`: examples of calls that build on each other, and of a question that needs none.";
    CALLS_TEXT = "calls-text", "`rewoo` and `llm-compiler`: asks for all calls at once, as text; the tools follow.";
    CLAIMS_SCHEMA = "claims-schema", "CRITIC: the same question for one JSON object.";
    CLAIMS_SCHEMA_EXAMPLE = "claims-schema-example", "CRITIC: an example of what no tool can check.";
    CLAIMS_TEXT = "claims-text", "CRITIC: asks for claims and how to check them, as text.";
    CONCLUDE = "conclude", "Asks for the answer at the end of the budget.";
    CONCLUDE_FOLLOW_UP = "conclude-follow-up", "Asks for that answer in Self-Ask.";
    CONCLUDE_SCHEMA = "conclude-schema", "Asks for that answer as a JSON object.";
    CONCLUDE_TEXT = "conclude-text", "Asks for that answer as text with a label.";
    EVALUATE = "evaluate", "Reflexion: asks whether an answer will do.";
    FITS = "fits", "Asks a small model whether the tool of a stranger that it called does what was said; worked pairs follow.";
    FITTING = "fitting", "Stands above what was said in front of the tools that fit it best, where the instructions list very many.";
    FOLLOW_UP_ASK_ON = "follow-up-ask-on", "Self-Ask: asks to go on behind such an answer.";
    FOLLOW_UP_OWN_QUESTION = "follow-up-own-question", "Self-Ask: asks the brain to answer its own question.";
    FOLLOW_UP_SCHEMA = "follow-up-schema", "Instructions for Self-Ask as JSON objects; the tools stand before, examples behind.";
    FOLLOW_UP_TEXT = "follow-up-text", "Instructions for Self-Ask as text; the tools follow.";
    FOLLOW_UP_TEXT_MEND = "follow-up-text-mend", "How to mend a reply of Self-Ask.";
    FOLLOW_UP_WITHOUT_TOOLS = "follow-up-without-tools", "Instructions for Self-Ask without tools.";
    KNOWN = "known", "`auto`: stands in front of what a failed try found out.";
    LESSONS = "lessons", "Reflexion: stands in front of what earlier tries taught.";
    PLAN_AGAIN = "plan-again", "Plan and execute: asks for the rest of a plan.";
    PLAN_ANSWER = "plan-answer", "Plan and execute: asks for the answer from what the steps brought.";
    PLAN_SCHEMA = "plan-schema", "Plan and execute: asks for a plan as a JSON object; the tools stand before, the examples behind.";
    PLAN_SCHEMA_EXAMPLES = "plan-schema-examples", "Plan and execute: examples of steps that build on each other, and of a question that needs none.";
    PLAN_STEP = "plan-step", "Plan and execute: asks for one step of a plan.";
    PLAN_TEXT = "plan-text", "Plan and execute: asks for a plan as text; the tools follow.";
    REASONING_SCHEMA = "reasoning-schema", "Chain of thought: the same as a JSON object.";
    REASONING_TEXT = "reasoning-text", "Chain of thought: asks for reasoning and the answer at its end, as text.";
    REFLECT = "reflect", "Reflexion: asks for the lesson of a failed try.";
    RESTATED = "restated", "Asks a small model for what was said in a sentence that the device understands by itself, or whether it is talk; the sentences and worked pairs follow.";
    REVISE = "revise", "CRITIC: asks for a better answer.";
    SCORE = "score", "Tree of thoughts: asks how promising a chain is.";
    STEP_NATIVE = "step-native", "Instructions for steps with native tool calls.";
    STEP_SCHEMA = "step-schema", "Instructions for steps as JSON objects; the tools stand before, the examples behind.";
    STEP_SCHEMA_LAST = "step-schema-last", "The rule below these instructions for a call whose result is the whole answer; it is left out where the persona forbids `one_call`.";
    STEP_SCHEMA_MEND = "step-schema-mend", "How to mend a step as a JSON object.";
    STEP_SCHEMA_NO_TOOL = "step-schema-no-tool", "The line below the list of tools that stands for no tool; a small model then chooses it like one of them.";
    STEP_SCHEMA_SHORT = "step-schema-short", "The rule below these instructions where the list of tools is a short one, which does not tell of arguments.";
    STEP_TEXT = "step-text", "Instructions for steps as text (ReAct); the tools follow.";
    STEP_TEXT_MEND = "step-text-mend", "How to mend a step as text.";
    TALK = "talk", "Asks a small model whether what was said is talk, where it is not asked for a sentence of the device; worked sentences follow.";
    THOUGHT = "thought", "Tree of thoughts: asks for the next thought.";
    THOUGHT_ANSWER = "thought-answer", "Tree of thoughts: asks for the answer that follows from a chain.";
    THOUGHTS = "thoughts", "Tree of thoughts: asks for several next thoughts; {number} is how many.";
    TOOLS_CAME = "tools-came", "Begins a list of tools that came later.";
    VOTE = "vote", "Tree of thoughts: asks for the most promising chain.";
}

impl Prompt {
    /// The words without a persona's changes.
    pub fn usual(&self) -> &'static str {
        self.usual.trim_end()
    }

    /// The words, with a persona's changes, by name.
    pub fn among<'t>(&self, changed: &'t BTreeMap<String, String>) -> &'t str {
        changed
            .get(self.name)
            .map_or(self.usual(), |words| words.trim_end())
    }
}

/// Reminds of the question below a result. Models of half a billion parameters otherwise answer the example's, or tell
/// all that the result holds.
pub fn asked(utterance: &str) -> String {
    format!("The person asked: {utterance}")
}

/// Lists the tools, one line each; a short one where only those that fit may be called.
pub(super) fn tools(catalogue: &Catalogue) -> String {
    let lines = catalogue.listed().iter().map(|entry| {
        let line = if catalogue.is_fitted() {
            &entry.short
        } else {
            &entry.line
        };
        format!("- {line}")
    });
    format!("Tools:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_own_name_and_ends_without_a_blank() {
        for pair in PROMPTS.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} is not in order", pair[1].name);
        }
        for prompt in PROMPTS {
            assert_eq!(prompt.usual(), prompt.usual().trim(), "{}", prompt.name);
        }
    }
}
