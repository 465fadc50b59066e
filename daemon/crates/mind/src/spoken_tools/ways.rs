//! Which of many tools fit what was said in words that are no sentence of theirs. Nothing here calls one, and what fits best
//! may still be wrong.

use std::collections::HashMap;
use std::sync::Arc;

use loquat_agent::relevance::{Candidate, Fit, Said, Told, Way, fits};
use loquat_agent::toolbox::{Tool, Toolbox};
use loquat_agent::turn::Likely;
use loquat_sentences::{Spelling, Template};

use super::{SpokenTools, primary};

/// Forms of a sentence among which the shortest is looked for.
const FORMS: usize = 32;

/// So many tools are told of.
const MOST: usize = 24;

/// The sentences of a language, by toolbox and tool.
#[derive(Debug, Default)]
pub(super) struct Ways(HashMap<(String, String), Vec<Way>>);

impl Ways {
    fn of(&self, tool: &Tool) -> &[Way] {
        let key = (tool.toolbox_id.clone(), tool.name.clone());
        self.0.get(&key).map(Vec::as_slice).unwrap_or_default()
    }
}

impl SpokenTools {
    /// Those of these toolboxes' tools that fit the words at all, the best first.
    pub fn likely(&self, text: &str, lang: &str, toolboxes: &[Arc<dyn Toolbox>]) -> Vec<Likely> {
        let lists: Vec<_> = toolboxes.iter().map(|toolbox| toolbox.tools()).collect();
        let tools = lists.iter().flat_map(|tools| tools.iter());
        let tools: Vec<&Tool> = tools.filter(|tool| !(tool.unseen || tool.only_undoes)).collect();
        let told: Vec<Told> = tools.iter().map(|tool| Told::of(tool)).collect();
        let ways = self.ways(lang);
        let candidates = tools.iter().zip(&told);
        let candidates: Vec<Candidate<'_>> = candidates
            .map(|(tool, told)| Candidate {
                toolbox_id: &tool.toolbox_id,
                told,
                ways: ways.as_ref().map(|ways| ways.of(tool)).unwrap_or_default(),
            })
            .collect();
        let said = Said::new(text, self.intents.filled_by(text, lang));
        let mut fitting: Vec<(Fit, &Tool)> = fits(&said, &candidates).into_iter().zip(tools).collect();
        fitting.retain(|(fit, _)| fit.score > 0.0);
        fitting.sort_by(|(one, _), (other, _)| other.score.total_cmp(&one.score));
        let said_as = |fit: Fit, tool: &Tool| {
            let way = ways.as_ref()?.of(tool).get(fit.way?)?;
            Some(way.shortest().to_owned())
        };
        fitting.truncate(MOST);
        let is_shown = |toolbox_id: &str, name: &str| {
            let mut shown = fitting.iter();
            shown.any(|(_, tool)| tool.toolbox_id == toolbox_id && tool.name == name)
        };
        let mut measures = self.intents.measures_in(text, lang, is_shown);
        let likely = fitting.into_iter().map(|(fit, tool)| Likely {
            toolbox_id: tool.toolbox_id.clone(),
            tool: tool.name.clone(),
            is_near: fit.is_near,
            is_sure: fit.is_sure,
            said_as: said_as(fit, tool),
            measures: measures
                .remove(&(tool.toolbox_id.clone(), tool.name.clone()))
                .unwrap_or_default(),
        });
        likely.collect()
    }

    fn ways(&self, lang: &str) -> Option<Arc<Ways>> {
        let lang = primary(lang);
        self.ways.of(&lang, || {
            // Also where no sentence is to be understood without a brain: these help the brain.
            let spoken = self.intents.sentences();
            let mut ways = Ways::default();
            for sentences in spoken.filter(|sentences| primary(sentences.lang) == lang) {
                if let Some((toolbox_id, tool)) = self.intents.tool(&sentences.name) {
                    let key = (toolbox_id.to_owned(), tool.to_owned());
                    let lines = sentences.lines.iter();
                    let own = lines.filter_map(|line| way(&sentences.name, &line.text));
                    ways.0.entry(key).or_default().extend(own);
                }
            }
            Some(ways)
        })
    }
}

fn way(intent: &str, sentence: &str) -> Option<Way> {
    let template = Template::read(sentence, Spelling::Words).ok()?;
    let forms = template.sentences(FORMS);
    let shortest = forms.iter().min_by_key(|form| form.split_whitespace().count())?;
    let gaps = template.slots().into_iter().map(str::to_owned);
    Some(Way::new(intent, &without_gaps(sentence), gaps, shortest))
}

/// The words of a template alone.
fn without_gaps(sample: &str) -> String {
    let mut depth = 0_u32;
    let is_word = |letter: &char| {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    };
    sample.chars().filter(is_word).collect()
}
