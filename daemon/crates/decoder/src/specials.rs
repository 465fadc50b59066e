//! Takes off what belongs to a chat template: end-of-turn tokens with whatever follows them, and turn headers.

/// After these the model went on inventing. Everything from the first of them on is dropped.
const ENDS: &[&str] = &[
    "<|im_end|>",
    "<|eot_id|>",
    "<|eot|>",
    "<|eom|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end_of_turn|>",
    "<|end|>",
    "<|return|>",
    "<|user|>",
    "<|im_start|>user",
    "<start_of_turn>user",
    "<end_of_turn>",
    "<turn|>",
    "<|turn>user",
    "<|tool_response>",
    "<｜end▁of▁sentence｜>",
    "</s>",
];

/// A template opens the reply with these.
const HEADERS: &[&str] = &[
    "<s>",
    "<bos>",
    "<|begin_of_text|>",
    "<|im_start|>assistant",
    "<|start_header_id|>assistant<|end_header_id|>",
    "<|start|>assistant",
    "<|assistant|>",
    "<|header_start|>assistant<|header_end|>",
    "<start_of_turn>model",
    "<|turn>model",
    "<|channel|>final<|message|>",
    "<|channel|>final",
    "<|message|>",
];

/// Takes the tokens of the template off a reply.
pub fn strip(reply: &str) -> &str {
    let mut text = reply.trim();
    // All of them begin so, and most replies hold none.
    if !text.contains('<') {
        return text;
    }
    while let Some(rest) = HEADERS
        .iter()
        .chain(ENDS)
        .find_map(|token| text.strip_prefix(token))
    {
        text = rest.trim_start();
    }
    let end = ENDS
        .iter()
        .filter_map(|token| text.find(token))
        .min()
        .unwrap_or(text.len());
    text.get(..end).unwrap_or(text).trim_end()
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn tokens_of_the_template_and_invented_turns_go() {
        assert_eq!(strip("Paris<|im_end|>\n<|im_start|>user\nAnd Italy?"), "Paris");
        assert_eq!(strip("<|im_start|>assistant\nParis</s>"), "Paris");
        assert_eq!(strip("<|channel|>final<|message|>Paris<|return|>"), "Paris");
        assert_eq!(strip("<|eot_id|>"), "");
        assert_eq!(strip("5 < 7 </b>"), "5 < 7 </b>");
    }
}
