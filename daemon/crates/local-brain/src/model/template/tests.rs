//! How conversations read in the templates of models.

use super::*;

/// Turns as most models have them, with the constructs that their templates use.
const CHATML: &str = "{%- if messages[0].role == 'system' %}\n    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}\n\
{%- endif %}\n{%- set ns = namespace(last=messages|length - 1) %}\n\
{%- for message in messages[::-1] %}\n    {%- set index = (messages|length - 1) - loop.index0 %}\n\
    {%- if message.role == 'user' %}{% set ns.last = index %}{% break %}{% endif %}\n{%- endfor %}\n\
{%- for message in messages %}\n    {%- if message.role == 'system' %}{% continue %}{% endif %}\n\
    {%- set content = message.content %}\n\
    {%- if '</think>' in content %}{% set content = content.split('</think>')[-1].lstrip('\\n') %}{% endif %}\n\
    {{- '<|im_start|>' + message.role + '\\n' }}{% generation %}{{ content.strip() }}{%- endgeneration %}{{ '<|im_end|>\\n' }}\n\
{%- endfor %}\n\
{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n' }}\n\
    {%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}\n{%- endif %}";

/// One that takes no instructions and wants turns, as that of Gemma 2.
const STRICT: &str = "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}\
{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}\
{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}\
<start_of_turn>{{ 'model' if message['role'] == 'assistant' else message['role'] }}\n{{ message['content'] | trim }}<end_of_turn>\n{% endfor %}\
{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %}";

fn message(role: Role, text: &str) -> Message {
    Message {
        role,
        text: text.to_owned(),
    }
}

#[test]
fn what_templates_use_of_python_is_there() {
    let template = Template::new(CHATML, "", "").unwrap();
    let messages = [
        message(Role::System, "Be kind."),
        message(Role::User, "hi"),
        message(Role::Assistant, "<think>\nwell\n</think>\n\nHello. "),
        message(Role::User, "and?"),
    ];
    assert_eq!(
        template.render(&messages).unwrap(),
        "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n\
         <|im_start|>user\nand?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
    );
}

#[test]
fn a_template_that_refuses_instructions_has_them_from_the_person() {
    let template = Template::new(STRICT, "<bos>", "<eos>").unwrap();
    let messages = [
        message(Role::System, "Be kind."),
        message(Role::User, "hi"),
        message(Role::User, "there"),
    ];
    assert_eq!(
        template.render(&messages).unwrap(),
        "<bos><start_of_turn>user\nBe kind.\n\nhi\n\nthere<end_of_turn>\n<start_of_turn>model\n"
    );
}

#[test]
fn a_template_that_passes_instructions_over_has_them_from_the_person() {
    let source = "{% for m in messages if m.role != 'system' %}<{{ m.role }}>{{ m.content }}{% endfor %}";
    let template = Template::new(source, "", "").unwrap();
    let messages = [message(Role::System, "Be kind."), message(Role::User, "hi")];
    assert_eq!(template.render(&messages).unwrap(), "<user>Be kind.\n\nhi");
}

#[test]
fn a_template_gets_the_day_and_no_more_steps_than_it_may_have() {
    let dated = Template::new("{{ strftime_now('%Y') }}{{ messages[0].content }}", "", "").unwrap();
    let text = dated.render(&[message(Role::User, "hi")]).unwrap();
    assert!(text.starts_with("20") && text.ends_with("hi"), "{text}");
    let endless = "{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}";
    for bad in [
        endless,
        "{% for",
        "{{ messages.unknown() }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    ] {
        assert!(Template::new(bad, "", "").is_err(), "{bad}");
    }
}
