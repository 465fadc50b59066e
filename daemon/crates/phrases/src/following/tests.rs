//! The words by which people go on, in six languages.

use super::*;
use crate::Phrases;

fn read(lang: &str, text: &str) -> Vec<(Move, String)> {
    let following = &Phrases::of(lang).following;
    let ways = following.read(&words_and_figures(text)).into_iter();
    ways.map(|way| (way.how, way.rest)).collect()
}

#[test]
fn each_language_has_words_for_each_way_to_go_on() {
    for (lang, texts) in [
        (
            "en",
            [
                "and bread",
                "what about bread",
                "no bread",
                "no I meant bread",
                "again",
            ],
        ),
        (
            "de",
            [
                "und Brot",
                "was ist mit Brot",
                "nein Brot",
                "nein ich meinte Brot",
                "nochmal",
            ],
        ),
        (
            "fr",
            [
                "et pain",
                "quid pain",
                "non pain",
                "non je voulais dire pain",
                "encore une fois",
            ],
        ),
        (
            "es",
            [
                "y pan",
                "qué tal pan",
                "no pan",
                "no quería decir pan",
                "otra vez",
            ],
        ),
        (
            "it",
            [
                "e pane",
                "che ne dici pane",
                "no pane",
                "no volevo dire pane",
                "di nuovo",
            ],
        ),
        (
            "pt",
            [
                "e pão",
                "que tal pão",
                "não pão",
                "não queria dizer pão",
                "outra vez",
            ],
        ),
    ] {
        let ways = [Move::More, Move::Asks, Move::Corrects, Move::Insists, Move::Again];
        for (text, how) in texts.iter().zip(ways) {
            let read = read(lang, text);
            assert!(
                read.iter().any(|(way, _)| *way == how),
                "{lang}: {text}: {read:?}"
            );
        }
    }
}

#[test]
fn most_words_of_the_table_come_first_and_joiners_are_taken_away() {
    let ways = read("en", "no, I meant bread");
    assert_eq!(ways.first(), Some(&(Move::Insists, "bread".to_owned())));
    let following = &Phrases::of("en").following;
    let said = words_and_figures("another one for the oven");
    let cores: Vec<usize> = following.cores(&said).iter().map(|core| core.len()).collect();
    assert_eq!(cores, [5, 3, 2, 1]);
    assert!(following.brings_nothing(&words_and_figures("the one")));
    let half = following.with_hour(&words_and_figures("half past"), "six");
    assert_eq!(half.as_deref(), Some("half past six"));
    assert_eq!(following.with_hour(&words_and_figures("half a day"), "six"), None);
}

#[test]
fn words_stand_for_what_the_sentence_before_held() {
    let following = &Phrases::of("en").following;
    let held = |slot: &str, said: &str| [(slot.to_owned(), said.to_owned())];
    let recalled = |text: &str, held: &[(String, String)]| following.recalled(&words_and_figures(text), held);
    let there = recalled("will it rain there tomorrow", &held("place", "London"));
    assert_eq!(there, ["will it rain in London tomorrow"]);
    let then = recalled("how many days until then", &held("date", "Christmas"));
    assert_eq!(then, ["how many days until Christmas"]);
    assert!(recalled("there", &held("place", "London")).is_empty());
    assert!(recalled("will it rain there", &held("name", "London")).is_empty());
    let sum = |text: &str| following.with_sum(&words_and_figures(text), "66");
    assert_eq!(sum("divide that by three"), "divide 66 by three");
    assert_eq!(sum("plus 12"), "66 plus 12");
}

#[test]
fn sentences_are_whole_with_what_the_one_before_held() {
    let held = |slot: &str, said: &str| [(slot.to_owned(), said.to_owned())];
    let said = words_and_figures;
    let following = &Phrases::of("en").following;
    let completed = following.completed(&said("cross the ham off"), &held("list", "party list"));
    assert!(completed.contains(&"cross the ham off the party list".to_owned()));
    assert!(
        following
            .completed(&said("cross the ham off"), &held("name", "ham"))
            .is_empty()
    );
    for (lang, text, slot, name, expected) in [
        (
            "en",
            "not the ham",
            "list",
            "party list",
            "remove ham from the party list",
        ),
        (
            "de",
            "den Schinken doch nicht",
            "list",
            "Partyliste",
            "lösche Schinken von der Partyliste",
        ),
        (
            "fr",
            "pas le jambon",
            "list",
            "liste de courses",
            "supprime jambon de la liste de courses",
        ),
        (
            "es",
            "el jamón no",
            "list",
            "lista de la fiesta",
            "quita jamón de la lista de la fiesta",
        ),
        (
            "it",
            "il prosciutto no",
            "list",
            "lista della festa",
            "togli prosciutto dalla lista della festa",
        ),
        (
            "pt",
            "o fiambre não",
            "list",
            "lista da festa",
            "tira fiambre da lista da festa",
        ),
    ] {
        let reworded = Phrases::of(lang)
            .following
            .reworded(&said(text), &held(slot, name));
        assert_eq!(
            reworded.first().map(String::as_str),
            Some(expected),
            "{lang}: {text}"
        );
    }
}

#[test]
fn each_language_has_words_for_steps_for_several_and_for_what_was_said() {
    for (lang, more, less, both, recites) in [
        (
            "en",
            "two degrees more",
            "two degrees less",
            "close them both",
            "what did I just ask you",
        ),
        (
            "de",
            "zwei grad mehr",
            "zwei grad weniger",
            "mach beide zu",
            "was habe ich gerade gesagt",
        ),
        (
            "fr",
            "deux degrés de plus",
            "deux degrés de moins",
            "ferme les deux",
            "qu'est-ce que j'ai dit",
        ),
        (
            "es",
            "dos grados más",
            "dos grados menos",
            "cierra los dos",
            "qué he dicho",
        ),
        (
            "it",
            "due gradi in più",
            "due gradi in meno",
            "chiudi tutti e due",
            "cosa ho detto",
        ),
        (
            "pt",
            "dois graus a mais",
            "dois graus a menos",
            "fecha os dois",
            "o que é que eu disse",
        ),
    ] {
        let following = &Phrases::of(lang).following;
        let step = |text: &str| {
            following
                .step(&words_and_figures(text))
                .map(|(_, is_more)| is_more)
        };
        assert_eq!((step(more), step(less)), (Some(true), Some(false)), "{lang}");
        let several = following.of_several(&words_and_figures(both), &[]);
        assert!(
            several.is_some_and(|(several, _)| several == Several::Both),
            "{lang}"
        );
        assert!(following.recites(&words_and_figures(recites)), "{lang}");
        assert!(!following.recites(&words_and_figures(more)), "{lang}");
    }
}

#[test]
fn both_may_have_their_noun_behind_it_or_a_pronoun_at_the_end_of_the_verb() {
    for (lang, text, nouns, expected) in [
        ("en", "delete both timers", &["timers"][..], "delete it"),
        ("en", "delete both of the timers", &["timers"], "delete it"),
        ("de", "beide Timer löschen", &["Timer"], "sie löschen"),
        (
            "fr",
            "supprime les deux minuteurs",
            &["minuteurs"],
            "supprime celui-là",
        ),
        ("fr", "annule-les tous les deux", &[], "annule-le"),
        ("es", "bórralos los dos", &[], "bórralo"),
        ("it", "cancellali entrambi", &[], "cancellalo"),
        ("it", "cancella entrambi i timer", &["timer"], "cancella quello"),
        ("pt", "apaga-os os dois", &[], "apaga-o"),
    ] {
        let nouns: Vec<String> = nouns.iter().map(|noun| (*noun).to_owned()).collect();
        let following = &Phrases::of(lang).following;
        let several = following.of_several(&words_and_figures(text), &nouns);
        let texts = several.map(|(_, texts)| texts).unwrap_or_default();
        assert!(
            texts.iter().any(|text| text == expected),
            "{lang}: {text}: {texts:?}"
        );
    }
    let following = &Phrases::of("en").following;
    let texts = following.of_several(&words_and_figures("delete both alarms"), &["timers".to_owned()]);
    assert!(texts.is_some_and(|(_, texts)| texts.iter().all(|text| text.contains("alarms"))));
}

#[test]
fn one_more_is_told_from_as_many_as_before() {
    for (lang, one, several) in [
        ("en", "and a twenty-sided one", "and two four-sided ones"),
        ("de", "und einen W20", "und zwei W4"),
        ("fr", "et un d20", "et deux d4"),
        ("es", "y un d20", "y dos d4"),
        ("it", "e un d20", "e due d4"),
        ("pt", "e um d20", "e dois d4"),
    ] {
        let following = &Phrases::of(lang).following;
        assert!(following.is_single(&words_and_figures(one)), "{lang}: {one}");
        assert!(
            !following.is_single(&words_and_figures(several)),
            "{lang}: {several}"
        );
    }
    assert!(
        read("en", "and the same for the eggs")
            .iter()
            .any(|(how, rest)| { *how == Move::Same && rest.ends_with("eggs") })
    );
}

/// What a gap of the sentence before held.
fn held(slot: &str, said: &str) -> [(String, String); 1] {
    [(slot.to_owned(), said.to_owned())]
}

/// The first sentence that a text stands for.
fn reworded(lang: &str, text: &str, held: &[(String, String)]) -> Option<String> {
    let following = &Phrases::of(lang).following;
    let texts = following.reworded(&words_and_figures(text), held);
    texts.into_iter().next()
}

#[test]
fn braces_in_what_was_said_are_words_like_any_others() {
    let following = &Phrases::of("en").following;
    let held = held("list", "my {list} list");
    let completed = following.completed(&words_and_figures("who is {rest} or {list}"), &held);
    let expected = "who is {rest} or {list} on the my {list} list";
    assert!(completed.contains(&expected.to_owned()), "{completed:?}");
    assert_eq!(
        reworded("en", "not the {called} bread", &held).as_deref(),
        Some("remove {called} bread from the my {list} list")
    );
}

#[test]
fn a_number_alone_is_no_step_and_a_step_is_the_number_alone() {
    let step = |lang: &str, text: &str| Phrases::of(lang).following.step(&words_and_figures(text));
    for (lang, text) in [
        ("en", "fifteen degrees"),
        ("en", "make it 19 degrees"),
        ("de", "fünfzehn Grad"),
        ("fr", "quinze degrés"),
        ("es", "quince grados"),
        ("it", "quindici gradi"),
        ("pt", "quinze graus"),
        ("pt", "põe a 19 graus"),
    ] {
        assert_eq!(step(lang, text), None, "{lang}: {text}");
    }
    for (lang, text, number, is_more) in [
        ("en", "set it two degrees higher", "two", true),
        ("en", "turn it up by 3 degrees higher", "3", true),
        ("en", "turn it down by five percent", "five", false),
        ("de", "mach es um zwei Grad wärmer", "zwei", true),
        ("pt", "mais dois graus", "dois", true),
        ("pt", "dois graus mais", "dois", true),
        ("pt", "menos dois graus", "dois", false),
    ] {
        let expected = Some((number.to_owned(), is_more));
        assert_eq!(step(lang, text), expected, "{lang}: {text}");
    }
}

#[test]
fn everything_is_more_than_what_was_spoken_of() {
    for (lang, text) in [
        ("en", "switch everything off"),
        ("en", "switch the lot off"),
        ("de", "schalte alles ab"),
        ("fr", "coupe tout"),
        ("fr", "coupe le tout"),
        ("es", "apaga todo"),
        ("it", "spegni tutto"),
        ("pt", "desliga tudo"),
    ] {
        let following = &Phrases::of(lang).following;
        let several = following.of_several(&words_and_figures(text), &[]);
        assert_eq!(several, None, "{lang}: {text}");
    }
    let following = &Phrases::of("de").following;
    let all = following.of_several(&words_and_figures("schalte alle ab"), &[]);
    assert!(all.is_some_and(|(several, _)| several == Several::All));
}

#[test]
fn a_second_fact_is_joined_and_is_no_wish_and_no_question() {
    for (lang, text, expected) in [
        (
            "en",
            "and that the shed is locked",
            "remember that the shed is locked",
        ),
        ("en", "also that Tom snores", "remember that Tom snores"),
        ("de", "und dass das Tor klemmt", "merk dir dass das Tor klemmt"),
        ("de", "auch dass Tom schnarcht", "merk dir dass Tom schnarcht"),
        ("fr", "et que le portail grince", "retiens que le portail grince"),
        ("es", "y que la verja chirría", "recuerda que la verja chirría"),
        ("it", "e che il cancello cigola", "ricorda che il cancello cigola"),
        ("pt", "e que o portão range", "lembra-te que o portão range"),
    ] {
        let found = reworded(lang, text, &held("fact", "it rains"));
        assert_eq!(found.as_deref(), Some(expected), "{lang}: {text}");
    }
    for (lang, text) in [
        ("en", "that looks nice"),
        ("en", "that dog again"),
        ("en", "and that was that"),
        ("en", "and that will do"),
        ("de", "dass du das noch weißt"),
        ("fr", "que la fête commence"),
        ("fr", "et que dire de plus"),
        ("es", "que descanses"),
        ("es", "y que pases buena noche"),
        ("it", "che bella sorpresa"),
        ("it", "e che ora è"),
        ("pt", "que horror"),
        ("pt", "e que durmas bem"),
    ] {
        let found = reworded(lang, text, &held("fact", "it rains"));
        assert_eq!(found, None, "{lang}: {text}");
    }
}

#[test]
fn words_of_everyday_talk_take_nothing_off_a_list() {
    for (lang, texts) in [
        (
            "en",
            &[
                "leave the room",
                "take a seat",
                "get rid of the spider",
                "skip the meeting",
                "cross the street",
                "check the oven",
                "take your shoes off",
            ][..],
        ),
        (
            "de",
            &[
                "nimm die Treppe",
                "tu das Fenster zu",
                "lass den Hund raus",
                "das stimmt nicht",
                "das klappt doch nicht",
            ],
        ),
        (
            "fr",
            &["enlève ton manteau", "retire la casserole", "pas le temps"],
        ),
        ("es", &["saca al perro", "quita la mesa"]),
        ("it", &["togli le scarpe", "leva il disturbo"]),
        ("pt", &["tira uma selfie", "apaga a televisão", "retira o carro"]),
    ] {
        for text in texts {
            let found = reworded(lang, text, &held("list", "party list"));
            assert_eq!(found, None, "{lang}: {text}");
        }
    }
}

#[test]
fn words_that_cross_off_and_such_as_say_where_from_take_something_off_a_list() {
    for (lang, texts, expected) in [
        (
            "en",
            &[
                "cross the olives off",
                "cross off the olives",
                "strike the olives",
                "delete the olives",
                "leave out the olives",
                "leave the olives off",
                "take the olives back off again",
                "tick the olives off",
            ][..],
            "remove olives from the party list",
        ),
        (
            "de",
            &[
                "streich die Oliven",
                "lösch die Oliven wieder",
                "hak die Oliven ab",
                "nimm die Oliven wieder runter",
                "tu die Oliven wieder weg",
                "lass die Oliven weg",
            ],
            "lösche Oliven von der party list",
        ),
        (
            "fr",
            &[
                "raye les olives",
                "barre les olives aussi",
                "enlève aussi les olives",
            ],
            "supprime olives de la party list",
        ),
        (
            "es",
            &["tacha las olivas", "borra las olivas", "saca las olivas de ahí"],
            "quita olivas de la party list",
        ),
        (
            "it",
            &["depenna le olive", "spunta le olive", "leva anche le olive"],
            "togli olive dalla party list",
        ),
        (
            "pt",
            &[
                "risca as azeitonas",
                "remove as azeitonas",
                "tira as azeitonas da lista",
            ],
            "tira azeitonas da party list",
        ),
    ] {
        for text in texts {
            let found = reworded(lang, text, &held("list", "party list"));
            assert_eq!(found.as_deref(), Some(expected), "{lang}: {text}");
        }
    }
}

#[test]
fn what_is_enough_takes_the_place_of_what_was_set() {
    for (lang, text, rest) in [
        ("en", "half past eight will do", "half past eight"),
        ("en", "well, twenty is plenty", "twenty"),
        ("de", "ach, dreiviertel acht reicht auch", "dreiviertel acht"),
        ("de", "um neun tut's auch", "um neun"),
        ("de", "mir genügen zwanzig", "zwanzig"),
        ("fr", "neuf heures ça ira", "neuf heures"),
        ("es", "con veinte minutos basta", "veinte minutos"),
        ("it", "mi bastano venti minuti", "venti minuti"),
        ("pt", "vinte minutos chegam", "vinte minutos"),
    ] {
        let ways = read(lang, text);
        let is_it = |(how, said): &(Move, String)| *how == Move::Settles && said == rest;
        assert!(ways.iter().any(is_it), "{lang}: {text}: {ways:?}");
        assert!(Move::Settles.takes_back());
    }
    for (lang, text) in [
        ("en", "we will do it later"),
        ("en", "enough of that"),
        ("de", "reicht mir mal das Salz"),
        ("fr", "suffit"),
        ("es", "basta ya"),
        ("it", "basta"),
        ("pt", "chega"),
    ] {
        let ways = read(lang, text);
        assert!(
            ways.iter().all(|(how, _)| *how != Move::Settles),
            "{lang}: {text}"
        );
    }
}

#[test]
fn a_no_of_everyday_speech_corrects_too() {
    for (lang, text, rest) in [
        ("en", "nope, the blue one", "the blue one"),
        ("de", "nö, um elf", "um elf"),
        ("de", "ach nee doch lieber um elf", "um elf"),
        ("fr", "ah non, à onze heures", "à onze heures"),
        ("es", "ay no, a las once", "a las once"),
        ("it", "ma no, alle undici", "alle undici"),
        ("pt", "ah não, às onze", "às onze"),
    ] {
        let first = read(lang, text).into_iter().next();
        assert_eq!(first, Some((Move::Corrects, rest.to_owned())), "{lang}: {text}");
    }
    let insists = read("de", "nee, ich meinte das andere");
    assert!(insists.iter().any(|(how, _)| *how == Move::Insists));
}

#[test]
fn the_answer_is_wanted_once_more_in_so_many_words() {
    let retells = |lang: &str, text: &str| Phrases::of(lang).following.retells(&words_and_figures(text));
    for (lang, texts, others) in [
        (
            "en",
            &["come again?", "I couldn't hear you", "what was that"][..],
            &[
                "come again tomorrow",
                "I couldn't hear the bell",
                "what was the score",
            ][..],
        ),
        (
            "de",
            &["wie bitte", "was hast du gesagt", "hä?"],
            &["wie spät", "was hast du gemacht"],
        ),
        (
            "fr",
            &["pardon ?", "tu as dit quoi"],
            &["comment ça marche", "tu as dit non"],
        ),
        (
            "es",
            &["¿cómo?", "no te he oído"],
            &["cómo estás", "no te he llamado"],
        ),
        ("it", &["come?", "non ho capito"], &["come stai", "non ho fame"]),
        ("pt", &["como?", "não percebi"], &["como estás", "não quero"]),
    ] {
        for text in texts {
            assert!(retells(lang, text), "{lang}: {text}");
        }
        for text in others {
            assert!(!retells(lang, text), "{lang}: {text}");
        }
    }
}

#[test]
fn each_language_knows_years_needs_and_parts_of_a_unit() {
    for (lang, year, needs, fraction, hour) in [
        ("en", "next year", "the soup needs", "half", "at"),
        ("de", "nächstes Jahr", "die Suppe braucht", "halbe", "um"),
        ("fr", "l'année prochaine", "la soupe a besoin de", "demi", "à"),
        ("es", "el año que viene", "la sopa necesita", "media", "las"),
        ("it", "l'anno prossimo", "la zuppa ha bisogno di", "mezza", "alle"),
        ("pt", "o próximo ano", "a sopa precisa de", "meia", "às"),
    ] {
        let following = &Phrases::of(lang).following;
        let words = words_and_figures;
        assert_eq!(following.year(&words(year)), Some(1), "{lang}");
        assert_eq!(following.year(&words(needs)), None, "{lang}");
        let front = words(needs);
        assert_eq!(following.needed_in(&front), front.len() - 2, "{lang}");
        assert_eq!(following.needed_in(&words(year)), 0, "{lang}");
        assert!(
            words(fraction).iter().all(|word| following.is_fraction(word)),
            "{lang}"
        );
        assert!(
            words(hour).iter().all(|word| following.makes_hour(word)),
            "{lang}"
        );
        assert!(
            !words(fraction).iter().any(|word| following.makes_hour(word)),
            "{lang}"
        );
    }
}
