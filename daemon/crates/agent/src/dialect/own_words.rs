//! What an assistant says in other languages than that of its instructions: something known, small talk, and that it
//! cannot do something.
//!
//! A small model answers as its examples do. Shown in English alone, it promises in German what it declines in English.

use crate::conversation::language;

/// Answers to the examples that call no tool.
pub(super) struct OwnWords {
    /// As the language is called in English.
    pub(super) language: &'static str,
    /// Who painted the Mona Lisa.
    pub(super) painter: &'static str,
    /// How it is going.
    pub(super) greeting: &'static str,
    /// To any wish that no tool fulfils. The same words for each, since a model repeats them most surely then.
    pub(super) apology: &'static str,
}

/// Those of the person's language, if it is a foreign one and has some.
pub(super) fn own_words(lang: Option<&str>) -> Option<&'static OwnWords> {
    let language = language::foreign(lang?)?;
    ALL.iter().find(|words| words.language == language)
}

const ALL: &[OwnWords] = &[
    OwnWords {
        language: "Catalan",
        painter: "La va pintar Leonardo da Vinci.",
        greeting: "Molt bé, gràcies! Què puc fer per tu?",
        apology: "Ho sento, no ho puc fer.",
    },
    OwnWords {
        language: "Dutch",
        painter: "Leonardo da Vinci heeft haar geschilderd.",
        greeting: "Goed, dank je! Wat kan ik voor je doen?",
        apology: "Sorry, dat kan ik niet.",
    },
    OwnWords {
        language: "French",
        painter: "C'est Léonard de Vinci qui l'a peinte.",
        greeting: "Je vais bien, merci ! Que puis-je faire pour vous ?",
        apology: "Désolé, je ne peux pas faire cela.",
    },
    OwnWords {
        language: "German",
        painter: "Leonardo da Vinci hat sie gemalt.",
        greeting: "Mir geht es gut, danke! Was kann ich für dich tun?",
        apology: "Das kann ich leider nicht.",
    },
    OwnWords {
        language: "Italian",
        painter: "L'ha dipinta Leonardo da Vinci.",
        greeting: "Bene, grazie! Cosa posso fare per te?",
        apology: "Mi dispiace, non posso farlo.",
    },
    OwnWords {
        language: "Portuguese",
        painter: "Foi Leonardo da Vinci que a pintou.",
        greeting: "Tudo bem, obrigado! Em que posso ajudar?",
        apology: "Desculpe, não posso fazer isso.",
    },
    OwnWords {
        language: "Spanish",
        painter: "La pintó Leonardo da Vinci.",
        greeting: "¡Muy bien, gracias! ¿Qué puedo hacer por ti?",
        apology: "Lo siento, no puedo hacer eso.",
    },
];
