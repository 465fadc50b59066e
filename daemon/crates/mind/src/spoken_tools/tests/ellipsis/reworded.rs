//! Second sentences that lack a few words of the first, are about several things, or consist of a time alone; what the last of them
//! asks for.

use super::talks::Talk;

pub(super) const REWORDED: &[Talk] = &[
    // Days on which it is repeated, a day or a part of one alone.
    (
        "en",
        &["set an alarm for 6 am", "every Tuesday"],
        r#"["back",["set_alarm",{"time":"6 am","repeat":"every Tuesday"}]]"#,
    ),
    (
        "en",
        &["wake me at quarter past six", "in the evening"],
        r#"["back",["set_alarm",{"time":"quarter past six in the evening"}]]"#,
    ),
    (
        "en",
        &["remind me to water the plants at 6 pm", "no, half past"],
        r#"["back",["set_reminder",{"text":"water the plants","time":"half past 6 pm"}]]"#,
    ),
    (
        "de",
        &["weck mich um sieben", "jeden Dienstag"],
        r#"["back",["set_alarm",{"time":"sieben","repeat":"jeden Dienstag"}]]"#,
    ),
    (
        "fr",
        &["réveille-moi à sept heures du soir", "non, à huit heures"],
        r#"["back",["set_alarm",{"time":"20:00"}]]"#,
    ),
    (
        "pt",
        &["acorda-me às oito da noite", "não, às nove"],
        r#"["back",["set_alarm",{"time":"21:00"}]]"#,
    ),
    (
        "en",
        &["what's the weather in Oslo", "on Friday?"],
        r#"[["get_weather",{"place":"Oslo","when":"on Friday"}]]"#,
    ),
    // The same again.
    (
        "en",
        &[
            "remind me to call mum tonight at seven",
            "and the same on Thursday",
        ],
        r#"[["set_reminder",{"text":"call mum","date":"on Thursday","time":"19:00"}]]"#,
    ),
    ("en", &["set a timer for 20 minutes", "do it again at nine"], ""),
    // At the same time, and here.
    (
        "en",
        &["what's the weather in Oslo tomorrow", "is it going to snow there"],
        r#"[["will_it_rain",{"what":"snow","place":"Oslo","when":"tomorrow"}]]"#,
    ),
    (
        "en",
        &["what's the weather in Oslo tomorrow", "and here?"],
        r#"[["get_weather",{"when":"tomorrow"}]]"#,
    ),
    (
        "en",
        &["what time is it in Lima", "and at home?"],
        r#"[["get_current_datetime",{}]]"#,
    ),
    (
        "es",
        &["qué hora es en Lima", "¿y aquí?"],
        r#"[["get_current_datetime",{}]]"#,
    ),
    // A sum that is corrected.
    (
        "en",
        &["what is 12 plus 5", "times two", "no, times three"],
        r#"[["evaluate_expression",{"expression":"(12 + 5) * 3"}]]"#,
    ),
    ("en", &["what is 12 plus 5", "no, times three"], ""),
    // What something is called.
    (
        "en",
        &["wake me at six", "cancel the one on Sunday"],
        r#"[["cancel_alert",{"kind":"alarm","within":"on Sunday"}]]"#,
    ),
    (
        "de",
        &["weck mich um sechs", "den am Sonntag kannst du löschen"],
        r#"[["cancel_alert",{"kind":"alarm","within":"am Sonntag"}]]"#,
    ),
    (
        "fr",
        &["réveille-moi à six heures", "annule celui de dimanche"],
        r#"[["cancel_alert",{"kind":"alarm","within":"dimanche"}]]"#,
    ),
    (
        "es",
        &["despiértame a las seis", "borra la del domingo"],
        r#"[["cancel_alert",{"kind":"alarm","within":"domingo"}]]"#,
    ),
    (
        "it",
        &["svegliami alle sei", "cancella quella di domenica"],
        r#"[["cancel_alert",{"kind":"alarm","within":"domenica"}]]"#,
    ),
    (
        "pt",
        &["acorda-me às seis", "apaga o de domingo"],
        r#"[["cancel_alert",{"kind":"alarm","within":"domingo"}]]"#,
    ),
    (
        "en",
        &["cancel all my alarms", "set one for 8 am"],
        r#"[["set_alarm",{"time":"8 am"}]]"#,
    ),
    // What a list is about.
    (
        "en",
        &["add milk to the party list", "take the milk off again"],
        r#"[["remove_from_list",{"items":"milk","list":"party list"}]]"#,
    ),
    (
        "en",
        &["add milk to the shopping list", "what's on it now"],
        r#"[["read_list",{"list":"shopping list"}]]"#,
    ),
    (
        "en",
        &["add olives to the party list", "cross the olives off"],
        r#"[["remove_from_list",{"items":"olives","list":"party list"}]]"#,
    ),
    (
        "de",
        &["setz Oliven auf die Partyliste", "lass die Oliven weg"],
        r#"[["remove_from_list",{"items":"Oliven","list":"Partyliste"}]]"#,
    ),
    // Everyday talk takes nothing off it.
    ("en", &["add milk to the shopping list", "take a seat"], ""),
    ("en", &["add milk to the shopping list", "leave the room"], ""),
    ("de", &["setz Milch auf die Einkaufsliste", "nimm die Treppe"], ""),
    (
        "fr",
        &["ajoute du lait à la liste de courses", "enlève ton manteau"],
        "",
    ),
    (
        "es",
        &["añade leche a la lista de la compra", "saca al perro"],
        "",
    ),
    (
        "it",
        &["aggiungi latte alla lista della spesa", "togli le scarpe"],
        "",
    ),
    (
        "pt",
        &["adiciona leite à lista de compras", "tira uma selfie"],
        "",
    ),
    // One more fact.
    (
        "en",
        &[
            "remember that the key is under the mat",
            "and that the spare is at Anna's",
        ],
        r#"[["remember",{"fact":"the spare is at Anna's"}]]"#,
    ),
    (
        "de",
        &[
            "merk dir, dass der Schlüssel unter der Matte liegt",
            "und dass Tom Nüsse nicht verträgt",
        ],
        r#"[["remember",{"fact":"Tom Nüsse nicht verträgt"}]]"#,
    ),
    (
        "en",
        &["remember that the ladder is in the shed", "that sounds great"],
        "",
    ),
    (
        "de",
        &[
            "merk dir, dass der Schlüssel unter der Matte liegt",
            "dass du so gut zuhörst",
        ],
        "",
    ),
    (
        "es",
        &["recuerda que la llave está en el cajón", "que te diviertas"],
        "",
    ),
    (
        "pt",
        &["lembra-te de que a chave está na gaveta", "que corra tudo bem"],
        "",
    ),
    // A unit of what was converted.
    (
        "en",
        &["how many kilometers are 5 miles", "how much is that in meters"],
        r#"[["unit_convert",{"value":5.0,"from_unit":"miles","to_unit":"meters"}]]"#,
    ),
    // Several.
    (
        "en",
        &[
            "set a timer for 5 minutes",
            "and another for 9 minutes",
            "delete both of them",
        ],
        r#"["back","back"]"#,
    ),
    (
        "de",
        &[
            "stell einen Timer auf 5 Minuten",
            "und einen auf 9 Minuten",
            "lösch alle beide",
        ],
        r#"["back","back"]"#,
    ),
    ("en", &["set a timer for 5 minutes", "delete both of them"], ""),
    (
        "en",
        &["set a timer for 5 minutes", "no, fifteen", "delete both of them"],
        "",
    ),
    // An order for later.
    (
        "en",
        &["mute the sound at seven tomorrow morning", "no, half past"],
        r#"["back",["do_later",{"command":"mute the sound","time":"at half past seven tomorrow morning"}]]"#,
    ),
    (
        "en",
        &["mute the sound at seven in the evening", "every day"],
        r#"["back",["do_later",{"command":"mute the sound","time":"at seven in the evening","repeat":"every day"}]]"#,
    ),
    // A word for the thing of before, that no list holds.
    ("en", &["do I need an umbrella", "add one to my packing list"], ""),
    // "The list" is the one that was spoken of.
    (
        "en",
        &["add socks to the packing list", "clear the list"],
        r#"[["clear_list",{"list":"packing list"}]]"#,
    ),
    (
        "en",
        &["what's on the party list", "add balloons to the list"],
        r#"[["add_to_list",{"items":"balloons","list":"party list"}]]"#,
    ),
    (
        "en",
        &["create a holiday list", "what is on the list"],
        r#"[["read_list",{"list":"holiday list"}]]"#,
    ),
    (
        "en",
        &["what time is it", "clear the list"],
        r#"[["clear_list",{"list":"shopping"}]]"#,
    ),
    (
        "en",
        &["what's on the party list", "clear the shopping list"],
        r#"[["clear_list",{"list":"shopping"}]]"#,
    ),
    (
        "de",
        &["setz Socken auf die Packliste", "lösch die Liste"],
        r#"[["clear_list",{"list":"Packliste"}]]"#,
    ),
    (
        "fr",
        &["qu'y a-t-il sur la liste de fête", "vide la liste"],
        r#"[["clear_list",{"list":"liste de fête"}]]"#,
    ),
    (
        "es",
        &["añade calcetines a la lista de viaje", "vacía la lista"],
        r#"[["clear_list",{"list":"lista de viaje"}]]"#,
    ),
    (
        "it",
        &["aggiungi calze alla lista del viaggio", "svuota la lista"],
        r#"[["clear_list",{"list":"lista del viaggio"}]]"#,
    ),
    (
        "pt",
        &["adiciona meias à lista de viagem", "limpa a lista"],
        r#"[["clear_list",{"list":"lista de viagem"}]]"#,
    ),
    // One of each kind, of which no name is cut out.
    (
        "en",
        &["cancel the alarm and the timer"],
        r#"[["cancel_alert",{"kind":"alarm"}],["cancel_alert",{"kind":"timer"}]]"#,
    ),
    (
        "en",
        &["delete the reminder and the timer"],
        r#"[["cancel_alert",{"kind":"reminder"}],["cancel_alert",{"kind":"timer"}]]"#,
    ),
    (
        "de",
        &["stell den Wecker und den Timer ab"],
        r#"[["cancel_alert",{"kind":"alarm"}],["cancel_alert",{"kind":"timer"}]]"#,
    ),
    (
        "fr",
        &["arrête le minuteur et l'alarme"],
        r#"[["cancel_alert",{"kind":"timer"}],["cancel_alert",{"kind":"alarm"}]]"#,
    ),
    (
        "it",
        &["cancella il timer e la sveglia"],
        r#"[["cancel_alert",{"kind":"timer"}],["cancel_alert",{"kind":"alarm"}]]"#,
    ),
    (
        "es",
        &["cancela el temporizador y la alarma"],
        r#"[["cancel_alert",{"kind":"timer"}],["cancel_alert",{"kind":"alarm"}]]"#,
    ),
    (
        "pt",
        &["cancela o temporizador e o alarme"],
        r#"[["cancel_alert",{"kind":"timer"}],["cancel_alert",{"kind":"alarm"}]]"#,
    ),
    // With a reason beside it that asks for nothing.
    (
        "en",
        &[
            "wake me on thursday at nine",
            "wake me tomorrow at seven",
            "cancel the thursday one, I'm on holiday",
        ],
        r#"[["cancel_alert",{"kind":"alarm","within":"on thursday"}]]"#,
    ),
    (
        "en",
        &[
            "set a timer for ten minutes",
            "they're tiny ones, so take three minutes off",
        ],
        "",
    ),
    (
        "en",
        &[
            "set a timer for ten minutes",
            "hm, the oven's too hot, take three minutes off",
        ],
        r#"[["change_alert",{"by":"-three minutes","kind":"timer","name":"last"}]]"#,
    ),
    // What was looked for on a list is put on it, or taken off it.
    (
        "en",
        &["is soap on the packing list", "well, put it on then"],
        r#"[["add_to_list",{"items":"soap","list":"packing list"}]]"#,
    ),
    (
        "en",
        &["is soap on the packing list", "take it off again"],
        r#"[["remove_from_list",{"items":"soap","list":"packing list"}]]"#,
    ),
    (
        "de",
        &["steht Seife auf der Packliste", "dann setz sie drauf"],
        r#"[["add_to_list",{"items":"Seife","list":"Packliste"}]]"#,
    ),
    (
        "fr",
        &["est-ce que le savon est sur la liste de courses", "ajoute-le"],
        r#"[["add_to_list",{"items":"savon","list":"liste de courses"}]]"#,
    ),
    (
        "en",
        &[
            "add soap to the packing list",
            "what's the time in Rome",
            "put it on",
        ],
        "",
    ),
    (
        "de",
        &["setz Seife auf die Packliste", "Shampoo auch dazu"],
        r#"[["add_to_list",{"items":"Shampoo","list":"Packliste"}]]"#,
    ),
    // Another word is spelled, and a time is enough.
    (
        "en",
        &["how do you spell banana", "and what about zucchini"],
        r#"[["spell_word",{"word":"zucchini"}]]"#,
    ),
    (
        "en",
        &["wake me at six", "eight's fine"],
        r#"["back",["set_alarm",{"time":"eight"}]]"#,
    ),
    (
        "en",
        &[
            "set an alarm for nine tonight",
            "set an alarm for five",
            "get rid of the nine o'clock one",
        ],
        r#"[["cancel_alert",{"kind":"alarm","time":"nine o'clock"}]]"#,
    ),
    (
        "en",
        &["remind me to call Ann at nine", "get rid of the mice"],
        "",
    ),
    ("en", &["set a timer for nine minutes", "stop the nonsense"], ""),
    // What is on the list, and whether something is.
    (
        "en",
        &["add soap to the packing list", "what have we got so far"],
        r#"[["read_list",{"list":"packing list"}]]"#,
    ),
    (
        "en",
        &["add soap to the packing list", "are the socks on there already"],
        r#"[["find_on_list",{"items":"socks","list":"packing list"}]]"#,
    ),
    (
        "de",
        &["setz Seife auf die Packliste", "lies mal vor"],
        r#"[["read_list",{"list":"Packliste"}]]"#,
    ),
    (
        "de",
        &["setz Seife auf die Packliste", "stehen die Socken schon drauf"],
        r#"[["find_on_list",{"items":"Socken","list":"Packliste"}]]"#,
    ),
    (
        "en",
        &["is the soap on the packing list", "put both on the list"],
        "",
    ),
    // An hour for a day that was said, as people round it.
    (
        "en",
        &["remind me on Sunday to call Ben", "around ten"],
        r#"["back",["set_reminder",{"date":"Sunday","text":"call Ben","time":"around ten"}]]"#,
    ),
    (
        "de",
        &["erinner mich heute Abend daran, Ben anzurufen", "so gegen neun"],
        r#"["back",["set_reminder",{"date":"heute Abend","text":"Ben anzurufen","time":"so gegen neun"}]]"#,
    ),
    // The day that was asked about.
    (
        "en",
        &["how long until the ninth of october", "what weekday is that"],
        r#"[["days_until",{"date":"the ninth of october"}]]"#,
    ),
    (
        "de",
        &[
            "auf welchen Tag fällt der neunte Oktober",
            "wie lange ist das noch hin",
        ],
        r#"[["days_until",{"date":"neunte Oktober"}]]"#,
    ),
    ("en", &["pause the alarm and the timer"], ""),
    ("en", &["cancel the alarm and the meeting"], ""),
];
