//! What people say of what they need: a statement puts goods on the list and is a question only where it is put as one. Two orders
//! in one breath, and what is no thing on a list.

use loquat_agent::Speaker;

use super::*;

/// Statements that put goods on the shopping list.
const NEEDED: &[Asked] = &[
    (
        "en-US",
        "add_to_list",
        r#"{"items": "milk"}"#,
        &["we need milk", "we need to buy milk"],
    ),
    (
        "de-DE",
        "add_to_list",
        r#"{"items": "Klopapier"}"#,
        &["wir brauchen noch Klopapier"],
    ),
    (
        "it-IT",
        "add_to_list",
        r#"{"items": "latte"}"#,
        &[
            "ci serve il latte",
            "serve il latte",
            "mi serve del latte",
            "abbiamo bisogno di latte",
            "ho bisogno del latte",
            "dobbiamo comprare il latte",
            "devo ancora comprare il latte",
            "ci manca il latte",
        ],
    ),
    (
        "it-IT",
        "add_to_list",
        r#"{"items": "uova, pane"}"#,
        &["ci servono uova e pane", "ci servono ancora uova e pane"],
    ),
    (
        "it-IT",
        "add_to_list",
        r#"{"items": "olio"}"#,
        &["ci serve dell'olio"],
    ),
    (
        "es-ES",
        "add_to_list",
        r#"{"items": "leche"}"#,
        &[
            "necesitamos leche",
            "necesito leche",
            "necesitamos más leche",
            "necesitamos comprar leche",
            "nos hace falta leche",
            "hace falta leche",
            "falta leche",
            "hay que comprar leche",
            "tenemos que comprar leche",
        ],
    ),
    (
        "es-ES",
        "add_to_list",
        r#"{"items": "dos litros de leche"}"#,
        &["necesitamos dos litros de leche"],
    ),
    (
        "pt-PT",
        "add_to_list",
        r#"{"items": "leite"}"#,
        &[
            "precisamos de leite",
            "preciso de leite",
            "precisamos de mais leite",
            "precisamos de comprar leite",
            "é preciso leite",
            "falta leite",
            "falta-nos leite",
            "temos de comprar leite",
        ],
    ),
    (
        "pt-PT",
        "add_to_list",
        r#"{"items": "ovos, pão"}"#,
        &["precisamos de ovos e pão"],
    ),
    (
        "fr-FR",
        "add_to_list",
        r#"{"items": "lait"}"#,
        &[
            "il nous faut du lait",
            "on a besoin de lait",
            "j'ai encore besoin de lait",
            "il faut acheter du lait",
            "il manque du lait",
        ],
    ),
    (
        "fr-FR",
        "add_to_list",
        r#"{"items": "eau"}"#,
        &["on a besoin d'eau", "il nous faut de l'eau"],
    ),
];

/// Statements of need, put as questions.
const PUT_AS_QUESTIONS: &[Asked] = &[
    (
        "en-US",
        "find_on_list",
        r#"{"items": "milk"}"#,
        &["we need milk?", "do we need milk"],
    ),
    (
        "de-DE",
        "find_on_list",
        r#"{"items": "Milch"}"#,
        &["wir brauchen noch Milch?", "brauchen wir Milch"],
    ),
    (
        "it-IT",
        "find_on_list",
        r#"{"items": "latte"}"#,
        &["ci serve il latte?", "abbiamo bisogno di latte?"],
    ),
    (
        "es-ES",
        "find_on_list",
        r#"{"items": "leche"}"#,
        &[
            "¿necesitamos leche?",
            "¿hace falta leche?",
            "¿hay que comprar leche?",
        ],
    ),
    (
        "pt-PT",
        "find_on_list",
        r#"{"items": "leite"}"#,
        &["precisamos de leite?", "falta leite?", "temos de comprar leite?"],
    ),
    (
        "fr-FR",
        "find_on_list",
        r#"{"items": "lait"}"#,
        &["il nous faut du lait ?", "on a besoin de lait ?"],
    ),
];

/// What is needed and is not bought in a shop, and what is no thing on a list.
const LEFT: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "we need to talk?",
            "delete the first one",
            "take the last one off",
            "take the last one off the list",
            "remove the second item from my shopping list",
            "take everything but the tea off",
            "take everything but the tea off the list",
            "remove everything except milk from my list",
            "put cocoa on",
        ],
    ),
    (
        "de-DE",
        &[
            "streich das erste von der Liste",
            "nimm alles außer Tee von der Liste",
            "lösch den letzten Eintrag von der Liste",
        ],
    ),
    (
        "fr-FR",
        &[
            "on a besoin de vacances",
            "on a besoin d'aide",
            "il nous faut de l'argent",
            "j'ai besoin de parler du lait",
            "on a besoin de plus de temps",
            "il me faut une recette de poulet",
            "enlève le premier de la liste",
            "enlève tout sauf le thé de la liste",
        ],
    ),
    (
        "es-ES",
        &[
            "necesitamos hablar",
            "necesitamos vacaciones",
            "necesitamos ayuda",
            "necesitamos más tiempo",
            "necesitamos hablar de la leche",
            "necesito una receta de pollo",
            "necesito ayuda con el pan",
            "hace falta valor",
            "¿necesitamos hablar?",
            "falta poco",
            "quita el primero de la lista",
            "quita todo menos el té de la lista",
        ],
    ),
    (
        "it-IT",
        &[
            "abbiamo bisogno di parlare",
            "ci serve una vacanza",
            "ci serve aiuto",
            "ci servono soldi",
            "abbiamo bisogno di parlare del latte",
            "ci serve aiuto con il pane",
            "mi serve una ricetta per il pollo",
            "ho bisogno di tempo",
            "manca poco",
            "togli il primo dalla lista",
            "togli tutto tranne il tè dalla lista",
        ],
    ),
    (
        "pt-PT",
        &[
            "precisamos de férias",
            "precisamos de ajuda",
            "precisamos de falar",
            "preciso de falar do leite",
            "preciso de uma receita de frango",
            "preciso de ajuda com o pão",
            "é preciso coragem",
            "falta pouco",
            "tira o primeiro da lista",
            "tira tudo menos o chá da lista",
        ],
    ),
];

/// An order that takes off what is on the list, and one that puts something on it.
const BOTH: &[(&str, &[&str])] = &[
    (
        "en-US",
        &[
            "take tea off and put cocoa on",
            "take tea off and put cocoa on the list",
            "cross the tea off and add juice",
            "take the tea off and put cocoa on instead",
        ],
    ),
    (
        "de-DE",
        &[
            "streich Tee und setz Kakao auf die Liste",
            "nimm Tee runter und setz Kakao drauf",
        ],
    ),
    (
        "fr-FR",
        &[
            "enlève le thé et mets du cacao sur la liste",
            "enlève le thé et mets du cacao",
        ],
    ),
    (
        "es-ES",
        &["quita el té y pon cacao en la lista", "quita el té y pon cacao"],
    ),
    (
        "it-IT",
        &[
            "togli il tè e metti il cacao nella lista",
            "togli il tè e metti il cacao",
        ],
    ),
    (
        "pt-PT",
        &["tira o chá e põe cacau na lista", "tira o chá e põe cacau"],
    ),
];

/// What is to be done, without what says that it is.
const DEEDS: &[Asked] = &[
    (
        "en-US",
        "add_to_list",
        r#"{"items": "ring the bank", "list": "to-do list"}"#,
        &[
            "add that I have to ring the bank to my to-do list",
            "put that we need to ring the bank on the to-do list",
        ],
    ),
    (
        "fr-FR",
        "add_to_list",
        r#"{"items": "appeler la banque"}"#,
        &["ajoute que je dois appeler la banque à ma liste de tâches"],
    ),
    (
        "es-ES",
        "add_to_list",
        r#"{"items": "llamar al banco"}"#,
        &["añade que tengo que llamar al banco a mi lista de tareas"],
    ),
    (
        "it-IT",
        "add_to_list",
        r#"{"items": "chiamare la banca"}"#,
        &["aggiungi che devo chiamare la banca alla lista delle cose da fare"],
    ),
];

#[test]
fn what_is_needed_is_put_on_the_list_and_asked_for_only_in_a_question() {
    let spoken = spoken();
    let wrong = [NEEDED, PUT_AS_QUESTIONS, DEEDS]
        .map(|asked| wrong(&spoken, asked))
        .concat();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_no_thing_on_a_list_is_left_to_others() {
    let spoken = spoken();
    let mut caught = Vec::new();
    for (lang, sentences) in LEFT {
        for text in *sentences {
            let found = spoken.recognise(text, lang).or_else(|| spoken.guess(text, lang));
            caught.extend(found.map(|found| (text, found.intent_name, found.slots)));
        }
    }
    assert!(caught.is_empty(), "{caught:#?}");
}

#[tokio::test]
async fn one_thing_is_taken_off_and_another_put_on_in_one_breath() {
    let spoken = spoken();
    let resources = Resources::volatile(Arc::clone(spoken.locales()));
    let toolboxes = own_toolboxes(&resources);
    let lists = toolboxes
        .iter()
        .find(|toolbox| toolbox.id() == loquat_skills::lists::ID);
    let items = serde_json::from_value(json!({"items": "tea, Tee, thé, té, tè, chá"})).expect("an object");
    let person = Circumstances {
        speaker: Speaker::Owner,
        ..Circumstances::default()
    };
    let done = lists
        .expect("the lists")
        .call("add_to_list", items, &person)
        .await;
    done.expect("an outcome");
    resources.name_to(spoken.things());
    let mut wrong = Vec::new();
    for (lang, sentences) in BOTH {
        for text in *sentences {
            let found = spoken.recognise(text, lang).map(|found| found.intent_name);
            let wanted = found.and_then(|found| spoken.call(&found, text, lang));
            let calls = wanted.iter().flat_map(|wanted| wanted.call.all());
            let called: Vec<String> = calls.map(|call| call.tool.clone()).collect();
            wrong.extend((called != ["remove_from_list", "add_to_list"]).then_some((text, called)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
