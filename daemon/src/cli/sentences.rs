//! `loquat sentences`: what can be said to this device without a language model. Says nothing of what other programs understand.

pub(super) mod plain;

use self::plain::{plain, plainest};
use super::{Context, Exit, Style};
use crate::app;
use crate::settings::Sentences;
use crate::spoken_tools::{Saying, Writer};

/// How the forms are to be read.
const LEGEND: &str = "(this|that) is one of these, [this] may be left out, and {this} is a gap.";

/// Carries out `loquat sentences`.
pub(super) fn run(context: &Context, words: &[String], lang: Option<&str>) -> Exit {
    let lang = lang.unwrap_or(&context.settings.mycroft.lang);
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let all = app::understood_here(&context.settings, &context.environment).sayings(lang);
    if all.is_empty() {
        context.output.remark(none_in(context, lang));
        return Exit::Failed;
    }
    let found: Vec<Saying> = all
        .into_iter()
        .filter_map(|saying| holding(saying, &words))
        .collect();
    if found.is_empty() {
        let told = format!(
            "loquat: no sentence has {} in it; all are listed by: loquat sentences",
            words.join(" or ")
        );
        context.output.remark(told);
        return Exit::Failed;
    }
    show(context, &found, words.is_empty());
    context.output.value(&found);
    Exit::Ok
}

/// Why nothing is listed.
fn none_in(context: &Context, lang: &str) -> String {
    if context.settings.skills.intents == Sentences::Never {
        return "loquat: no sentence is understood without a language model, since skills.intents is \"never\"".to_owned();
    }
    format!("loquat: no sentences are known in {lang}")
}

/// What of it holds one of these words: all of it, where the skill or the intent has the word in its name.
fn holding(saying: Saying, words: &[String]) -> Option<Saying> {
    let holds = |text: &str| {
        let text = text.to_lowercase();
        words.iter().any(|word| text.contains(word.as_str()))
    };
    if words.is_empty() || holds(&saying.skill) || holds(&saying.intent) {
        return Some(saying);
    }
    let sentences: Vec<String> = saying.sentences.into_iter().filter(|line| holds(line)).collect();
    (!sentences.is_empty()).then_some(Saying { sentences, ..saying })
}

fn show(context: &Context, found: &[Saying], is_brief: bool) {
    let output = context.output;
    let mut skill = "";
    for saying in found {
        if saying.skill != skill {
            skill = &saying.skill;
            output.pieces(&[(Style::Bold, skill), (Style::Dim, written_by(saying.from))]);
        }
        if is_brief {
            output.line(format!("  {}", brief(saying)));
            continue;
        }
        output.pieces(&[
            (Style::Plain, "  "),
            (Style::Bold, &saying.intent),
            (Style::Dim, remark(saying)),
        ]);
        for sentence in &saying.sentences {
            output.line(format!("    {sentence}"));
        }
    }
    output.styled(Style::Dim, if is_brief { MORE } else { LEGEND });
}

/// Where the other forms are.
const MORE: &str = "Each can be said in more ways: loquat sentences WORD shows those with the word in them.";

fn brief(saying: &Saying) -> String {
    let shortest = plainest(saying.sentences.iter().map(String::as_str));
    let said = plain(shortest.unwrap_or_default());
    if saying.is_awaited {
        format!("when {said}, …")
    } else {
        said
    }
}

fn written_by(writer: Writer) -> &'static str {
    match writer {
        Writer::Loquat | Writer::Owner => "",
        Writer::Community => "  sentences of Home Assistant's community",
    }
}

fn remark(saying: &Saying) -> &'static str {
    match (saying.from, saying.is_awaited) {
        (Writer::Owner, _) => "  your own",
        (_, true) => "  behind \"when\", with an order",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saying() -> Saying {
        Saying {
            from: Writer::Loquat,
            skill: "alerts".to_owned(),
            intent: "set_timer".to_owned(),
            is_awaited: false,
            sentences: ["[set|start] a timer for {duration}", "wake me in {duration}"]
                .map(str::to_owned)
                .into(),
        }
    }

    fn found(words: &[&str]) -> usize {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        holding(saying(), &words).map_or(0, |saying| saying.sentences.len())
    }

    #[test]
    fn a_word_finds_a_whole_skill_a_whole_intent_or_the_sentences_that_hold_it() {
        for (words, count) in [
            (&[] as &[&str], 2),
            (&["alerts"], 2),
            (&["timer"], 2),
            (&["wake"], 1),
            (&["coffee", "wake"], 1),
            (&["coffee"], 0),
        ] {
            assert_eq!(found(words), count, "{words:?}");
        }
    }

    #[test]
    fn in_the_brief_list_the_plainest_form_stands_without_choices() {
        assert_eq!(brief(&saying()), "wake me in {duration}");
    }
}
