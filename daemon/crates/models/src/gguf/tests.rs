//! What is read of heads of model files, whole and damaged.

use super::*;

/// Writes the head of a GGUF file.
#[derive(Default)]
pub(crate) struct Head {
    entries: u64,
    body: Vec<u8>,
}

impl Head {
    pub(crate) fn text(mut self, key: &str, value: &str) -> Self {
        self.key(key, 8);
        self.put_text(value.as_bytes());
        self
    }

    pub(crate) fn number(mut self, key: &str, value: u32) -> Self {
        self.key(key, 4);
        self.body.extend(value.to_le_bytes());
        self
    }

    fn texts(mut self, key: &str, values: &[&str]) -> Self {
        self.key(key, 9);
        self.body.extend(8_u32.to_le_bytes());
        self.body.extend((values.len() as u64).to_le_bytes());
        for value in values {
            self.put_text(value.as_bytes());
        }
        self
    }

    fn raw(mut self, key: &str, kind: u32, bytes: &[u8]) -> Self {
        self.key(key, kind);
        self.body.extend(bytes);
        self
    }

    fn key(&mut self, key: &str, kind: u32) {
        self.entries += 1;
        self.put_text(key.as_bytes());
        self.body.extend(kind.to_le_bytes());
    }

    fn put_text(&mut self, text: &[u8]) {
        self.body.extend((text.len() as u64).to_le_bytes());
        self.body.extend(text);
    }

    /// The file, with tensors of these dimensions.
    pub(crate) fn file(mut self, tensors: &[&[u64]]) -> Vec<u8> {
        let mut file = b"GGUF\x03\0\0\0".to_vec();
        file.extend((tensors.len() as u64).to_le_bytes());
        file.extend(self.entries.to_le_bytes());
        for dimensions in tensors {
            self.put_text(b"blk.0.attn_q.weight");
            self.body.extend((dimensions.len() as u32).to_le_bytes());
            for length in *dimensions {
                self.body.extend(length.to_le_bytes());
            }
            self.body.extend([0; 12]);
        }
        file.extend(&self.body);
        file
    }
}

/// The head of a small model that converses.
pub(crate) fn chat_model() -> Head {
    Head::default()
        .text("general.architecture", "qwen3")
        .text("general.name", "Qwen3 0.6B\u{1b}[31m")
        .text("general.license", "apache-2.0")
        .number("general.file_type", 7)
        .number("qwen3.context_length", 40_960)
        .texts("tokenizer.ggml.tokens", &["a", "b", ""])
        .raw("qwen3.rope.freq_base", 6, &1e6_f32.to_le_bytes())
        .raw("tokenizer.ggml.add_bos_token", 7, &[0])
        .text(
            "tokenizer.chat_template",
            "{% if tools %}{% endif %}{% if enable_thinking %}<think>{% endif %}",
        )
}

fn of(file: &[u8]) -> io::Result<Option<GgufFacts>> {
    GgufFacts::of(file)
}

#[test]
fn what_a_file_says_of_its_model_is_read() {
    let facts = of(&chat_model().file(&[&[1024, 1024], &[1024]]))
        .unwrap()
        .unwrap();
    assert_eq!(facts.architecture, "qwen3");
    assert_eq!(
        facts.name.as_deref(),
        Some("Qwen3 0.6B[31m"),
        "nothing steers a terminal"
    );
    assert_eq!(facts.licence.as_deref(), Some("apache-2.0"));
    assert_eq!(facts.parameters, 1024 * 1024 + 1024);
    assert_eq!(facts.context_length, Some(40_960));
    assert_eq!(facts.quantisation, Some("Q8_0"));
    assert!(facts.takes_tools());
    assert_eq!(facts.thinking(), Thinking::CanBeSwitchedOff);
    facts.check(Path::new("m.gguf")).unwrap();
}

#[test]
fn how_a_model_thinks_is_read_from_its_template() {
    let thinking = |template: &str| {
        let head = Head::default().text("tokenizer.chat_template", template);
        of(&head.file(&[])).unwrap().unwrap().thinking()
    };
    assert_eq!(thinking("{{ messages }}"), Thinking::Never);
    assert_eq!(thinking("{{ messages }}<think>"), Thinking::ByItself);
}

#[test]
fn what_is_no_model_of_a_conversation_is_refused_with_the_mend() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.gguf");
    let verdict = |file: &[u8]| {
        std::fs::write(&path, file).unwrap();
        let read = GgufFacts::read(&path);
        read.and_then(|facts| facts.check(&path)).unwrap_err().to_string()
    };
    for (file, complaint) in [
        (
            b"<!DOCTYPE html><title>404</title>".to_vec(),
            "it is no GGUF file; take one",
        ),
        (Vec::new(), "it is cut short or damaged; copy or fetch it again"),
        (
            b"GGUF\x01\0\0\0\x01\0\0\0\x01\0\0\0".to_vec(),
            "it is no GGUF file",
        ),
        (
            chat_model().file(&[])[..100].to_vec(),
            "it is cut short or damaged",
        ),
        (
            Head::default().text("general.architecture", "qwen3").file(&[]),
            "it has no chat template",
        ),
        (
            chat_model().raw("split.count", 2, &3_u16.to_le_bytes()).file(&[]),
            "it is one of 3 parts of a model; take a model that is one file",
        ),
    ] {
        let said = verdict(&file);
        assert!(said.contains(complaint), "{said}");
    }
    let said = GgufFacts::read(folder.path()).unwrap_err().to_string();
    assert!(said.contains("it is no GGUF file"), "{said}");
    let said = GgufFacts::read(&folder.path().join("none"))
        .unwrap_err()
        .to_string();
    assert!(said.contains("No such file"), "{said}");
}

#[test]
fn sizes_that_a_file_claims_are_not_believed() {
    let huge = u64::MAX.to_le_bytes();
    for damaged in [
        Head::default().raw("k", 8, &huge).file(&[]),
        Head::default()
            .raw("k", 9, &[&4_u32.to_le_bytes()[..], &huge].concat())
            .file(&[]),
        Head::default()
            .raw("k", 9, &[&12_u32.to_le_bytes()[..], &huge].concat())
            .file(&[]),
        Head::default()
            .raw("k", 9, &[&9_u32.to_le_bytes()[..], &huge].concat())
            .file(&[]),
        Head::default()
            .raw("k", 9, &[9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0].repeat(99))
            .file(&[]),
        Head::default().raw("k", 99, &[]).file(&[]),
        [b"GGUF\x03\0\0\0".as_slice(), &huge, &huge].concat(),
    ] {
        let error = of(&damaged).unwrap_err();
        assert!(
            [io::ErrorKind::UnexpectedEof, io::ErrorKind::InvalidData].contains(&error.kind()),
            "{error}"
        );
    }
    let large = [u64::MAX, 2];
    assert_eq!(
        of(&chat_model().file(&[&large, &large]))
            .unwrap()
            .unwrap()
            .parameters,
        u64::MAX
    );
}

#[test]
fn no_beginning_and_no_changed_byte_makes_it_panic() {
    let whole = chat_model().file(&[&[64, 64]]);
    for length in 0..whole.len() {
        assert!(
            !matches!(of(&whole[..length]), Ok(Some(_))),
            "{length} bytes are no whole head"
        );
    }
    for at in 0..whole.len() {
        for byte in [0, 1, 0x7f, 0xff] {
            let mut changed = whole.clone();
            changed[at] = byte;
            drop(of(&changed));
        }
    }
}
