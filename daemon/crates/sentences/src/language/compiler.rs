//! Compiles the sentences of a language: templates become nodes, lists and rules are found by their names.

mod lists;
mod scope;

use std::collections::HashMap;

use super::complaint::{Complaint, DEEPEST, Problem};
use super::{Block, Language, Node, Parts, Sentence, Shape};
use crate::choices::NodeId;
use crate::number_words::NumberWords;
use crate::phrase::Phrase;
use crate::sketch::{Clauses, of_all, of_either, of_words};
use crate::skip::SkipWords;
use crate::source::{self, EmptyPart, Source};
use crate::template::{Piece, Template};

use scope::Scope;

/// What is known of a node beside itself.
#[derive(Debug, Clone)]
struct Compiled {
    node: NodeId,
    needs: Clauses,
    has_slots: bool,
}

/// A language on its way.
struct Compiler<'a> {
    source: &'a Source,
    language: Language,
    phrases: HashMap<String, u32>,
    slots: HashMap<String, u32>,
    words: HashMap<String, u32>,
    complaints: Vec<Complaint>,
}

pub(super) fn compile(source: &Source) -> (Language, Vec<Complaint>) {
    let mut compiler = Compiler::new(source);
    let mut shared = Scope::new(&source.lists, &source.rules);
    for intent in &source.intents {
        compiler.intent(intent, &mut shared);
    }
    (compiler.language, compiler.complaints)
}

impl<'a> Compiler<'a> {
    fn new(source: &'a Source) -> Self {
        Self {
            source,
            language: Language {
                code: source.language.clone(),
                ignores_whitespace: source.ignore_whitespace,
                skip_words: SkipWords::new(&source.skip_words, source.ignore_whitespace),
                nodes: Vec::new(),
                parts: Vec::new(),
                phrases: Vec::new(),
                slots: Vec::new(),
                lists: Vec::new(),
                number_words: Vec::new(),
                intents: Vec::new(),
                blocks: Vec::new(),
                slight: crate::slight::Slight::default(),
            },
            phrases: HashMap::new(),
            slots: HashMap::new(),
            words: HashMap::new(),
            complaints: Vec::new(),
        }
    }

    fn intent(&mut self, intent: &source::Intent, shared: &mut Scope<'a>) {
        let number = self.language.intents.len() as u32;
        self.language.intents.push(intent.name.clone());
        for (at, block) in intent.blocks.iter().enumerate() {
            let is_local = !block.lists.is_empty() || !block.rules.is_empty();
            let sentences = if is_local {
                let (lists, rules) = (
                    with_local(&self.source.lists, &block.lists),
                    with_local(&self.source.rules, &block.rules),
                );
                self.sentences(intent, at, &mut Scope::new(&lists, &rules))
            } else {
                self.sentences(intent, at, shared)
            };
            self.language.blocks.push(Block {
                intent: number,
                number: at as u32,
                response: block.response.clone(),
                slots: block.slots.clone(),
                requires: block.requires.clone(),
                sentences,
            });
        }
    }

    /// The sentences of a block: those with open text first, of these those with more words first.
    fn sentences(&mut self, intent: &source::Intent, at: usize, scope: &mut Scope<'_>) -> Vec<Sentence> {
        let mut ordered = Vec::new();
        for text in intent
            .blocks
            .get(at)
            .map(|block| block.sentences.as_slice())
            .unwrap_or_default()
        {
            match self.sentence(text, scope) {
                Ok(sentence) => ordered.push(sentence),
                Err(problem) => self.complaints.push(Complaint {
                    intent: Some(intent.name.clone()),
                    block: at,
                    sentence: Some(text.chars().take(200).collect()),
                    problem,
                }),
            }
        }
        ordered.sort_by_key(|(words, _)| std::cmp::Reverse(*words));
        ordered.into_iter().map(|(_, sentence)| sentence).collect()
    }

    fn sentence(&mut self, text: &str, scope: &mut Scope<'_>) -> Result<(usize, Sentence), Problem> {
        let template = Template::read(text, self.source.spelling)?;
        let compiled = self.piece(&template.root, scope)?;
        let names_open = template.lists().iter().any(|list| self.is_open(list));
        let words = if names_open { template.word_count() } else { 0 };
        let sentence = Sentence {
            root: compiled.node,
            needs: compiled.needs,
            shape: self.shape(&template.root),
            text: text.to_owned(),
        };
        Ok((words, sentence))
    }

    /// Whether a list that all templates may name takes any text.
    fn is_open(&self, list: &str) -> bool {
        matches!(self.source.lists.get(list), Some(source::List::Open))
    }

    fn shape(&self, root: &Piece) -> Shape {
        let Piece::Sequence(parts) = root else {
            return Shape::Closed;
        };
        let is_open =
            |part: Option<&Piece>| matches!(part, Some(Piece::Slot { list, .. }) if self.is_open(list));
        match (is_open(parts.first()), is_open(parts.last())) {
            (true, _) if parts.len() == 1 => Shape::AllOpen,
            (true, _) => Shape::OpenStart,
            (_, true) => Shape::OpenEnd,
            _ => Shape::Closed,
        }
    }

    fn piece(&mut self, piece: &Piece, scope: &mut Scope<'_>) -> Result<Compiled, Problem> {
        match piece {
            Piece::Words(words) => Ok(self.words(words)),
            Piece::Sequence(parts) => self.group(parts, scope, Node::Sequence, of_all),
            Piece::AnyOrder(parts) => self.group(parts, scope, Node::AnyOrder, of_all),
            Piece::Either(parts, _) => self.group(parts, scope, Node::Either, of_either),
            Piece::Slot {
                list,
                slot,
                ends_word,
            } => self.slot(list, slot, *ends_word, scope),
            Piece::Rule(rule) => self.rule(rule, scope),
        }
    }

    fn words(&mut self, words: &str) -> Compiled {
        let node = if words.is_empty() {
            Node::Nothing
        } else {
            Node::Words(self.phrase(words))
        };
        Compiled {
            node: self.node(node),
            needs: of_words(words),
            has_slots: false,
        }
    }

    fn phrase(&mut self, words: &str) -> u32 {
        if let Some(phrase) = self.phrases.get(words) {
            return *phrase;
        }
        let phrase = self.language.phrases.len() as u32;
        self.language.phrases.push(Phrase::new(words));
        self.phrases.insert(words.to_owned(), phrase);
        phrase
    }

    fn node(&mut self, node: Node) -> NodeId {
        self.language.nodes.push(node);
        (self.language.nodes.len() - 1) as NodeId
    }

    fn group(
        &mut self,
        parts: &[Piece],
        scope: &mut Scope<'_>,
        node: fn(Parts) -> Node,
        needs: fn(&[Clauses]) -> Clauses,
    ) -> Result<Compiled, Problem> {
        if parts.is_empty() && self.source.empty_part == EmptyPart::Nothing {
            return Ok(self.words(""));
        }
        let compiled: Vec<Compiled> = parts
            .iter()
            .map(|part| self.piece(part, scope))
            .collect::<Result<_, _>>()?;
        if let [only] = compiled.as_slice() {
            return Ok(only.clone());
        }
        let first = self.language.parts.len() as u32;
        self.language.parts.extend(compiled.iter().map(|part| part.node));
        let parts = Parts {
            first,
            count: compiled.len() as u32,
        };
        Ok(Compiled {
            node: self.node(node(parts)),
            has_slots: compiled.iter().any(|part| part.has_slots),
            needs: needs(&compiled.into_iter().map(|part| part.needs).collect::<Vec<_>>()),
        })
    }

    fn slot(
        &mut self,
        list: &str,
        slot: &str,
        ends_word: bool,
        scope: &mut Scope<'_>,
    ) -> Result<Compiled, Problem> {
        let list = self.list(list, scope)?;
        let next = self.language.slots.len() as u32;
        let slot = *self.slots.entry(slot.to_owned()).or_insert_with(|| {
            self.language.slots.push(slot.to_owned());
            next
        });
        Ok(Compiled {
            node: self.node(Node::Slot {
                list,
                slot,
                ends_word,
            }),
            needs: Clauses::new(),
            has_slots: true,
        })
    }

    fn rule(&mut self, rule: &str, scope: &mut Scope<'_>) -> Result<Compiled, Problem> {
        if let Some(known) = scope.known_rule(rule) {
            return known;
        }
        let text = scope.begin_rule(rule)?;
        let template = Template::read(&text, self.source.spelling).map_err(Problem::from);
        let compiled = template.and_then(|template| self.piece(&template.root, scope));
        scope.end_rule(rule, &compiled);
        compiled
    }

    /// The words of numbers of a language.
    fn number_words(&mut self, language: &str) -> u32 {
        if let Some(known) = self.words.get(language) {
            return *known;
        }
        let number = self.language.number_words.len() as u32;
        self.language.number_words.push(NumberWords::of(language));
        self.words.insert(language.to_owned(), number);
        number
    }
}

fn with_local<T: Clone>(
    shared: &std::collections::BTreeMap<String, T>,
    local: &std::collections::BTreeMap<String, T>,
) -> std::collections::BTreeMap<String, T> {
    let mut all = shared.clone();
    all.extend(local.iter().map(|(name, one)| (name.clone(), one.clone())));
    all
}
