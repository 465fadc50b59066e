//! What a model says when no tool on offer helps: prose that names tools and even protocol, and calls nothing.

/// Replies that speak about the tools.
pub fn about(tools: &[String]) -> Vec<String> {
    let tool = tools.first().map_or("tool", String::as_str);
    let all = tools.join(", ");
    vec![
        format!("I am sorry, none of my tools can do that: {all}."),
        format!("The tool {tool} does not help here, so I will not use it."),
        format!("Action: I would need something better than {tool} for this."),
        format!("You could write \"Action: {tool}\" and then \"Action Input: {{}}\", but it would not help."),
        format!("One might call {tool}(value=1), but that tells something else."),
        format!(
            "`{tool}` takes {{\"name\": \"{tool}\", \"arguments\": {{\"value\": 1}}}}, which is not what you asked."
        ),
        format!("To call it one writes `<tool_call>` and {tool}, but I have nothing to call it with."),
        format!("Thought: {tool} is of no use.\nFINAL_ANSWER: I cannot do that with {tool}."),
        format!("<think>Action: {tool}\nAction Input: {{}}</think>I cannot help with that."),
        format!(
            "I know these tools:\n- {}\nNone of them fits.",
            tools.join("\n- ")
        ),
        format!("{tool} (the only thing I have) is no help."),
        format!("Please tell me more. Then I can use {tool}."),
    ]
}
