//! Second sentences with a word for what the first one named, and such as are joined to it; what the last of them asks for.

use super::talks::Talk;

pub(super) const RECALLED: &[Talk] = &[
    (
        "en",
        &["what's the weather in London", "will it rain there tomorrow"],
        r#"[["will_it_rain",{"place":"London","when":"tomorrow"}]]"#,
    ),
    (
        "en",
        &["what time is it in Lima", "how's the weather there"],
        r#"[["get_weather",{"place":"Lima"}]]"#,
    ),
    (
        "en",
        &["is it raining in Oslo", "and what time is it there"],
        r#"[["get_current_datetime",{"timezone":"Oslo"}]]"#,
    ),
    (
        "en",
        &["what's the weather in Paris", "do I need a coat there"],
        r#"[["dress_for_weather",{"thing":"coat","place":"Paris"}]]"#,
    ),
    (
        "de",
        &["wie spät ist es in Lima", "wie ist das Wetter dort"],
        r#"[["get_weather",{"place":"Lima"}]]"#,
    ),
    (
        "de",
        &["wie ist das Wetter in Paris", "wie spät ist es da"],
        r#"[["get_current_datetime",{"timezone":"Paris"}]]"#,
    ),
    (
        "fr",
        &["quelle heure est-il à Lima", "quel temps fait-il là-bas"],
        r#"[["get_weather",{"place":"Lima"}]]"#,
    ),
    (
        "es",
        &["qué hora es en Lima", "qué tiempo hace allí"],
        r#"[["get_weather",{"place":"Lima"}]]"#,
    ),
    (
        "it",
        &["che ora è a Lima", "che tempo fa lì"],
        r#"[["get_weather",{"place":"Lima"}]]"#,
    ),
    (
        "pt",
        &["que horas são em Lima", "como está o tempo lá"],
        r#"[["get_weather",{"place":"Lima"}]]"#,
    ),
    (
        "en",
        &["what day is Christmas", "how many days until then"],
        r#"[["days_until",{"date":"Christmas"}]]"#,
    ),
    (
        "en",
        &["what's the weather on Friday", "will it rain then"],
        r#"[["will_it_rain",{"when":"on Friday"}]]"#,
    ),
    (
        "de",
        &[
            "an welchem Tag ist Weihnachten",
            "wie viele Tage sind es bis dahin",
        ],
        r#"[["days_until",{"date":"Weihnachten"}]]"#,
    ),
    (
        "es",
        &["qué día cae Navidad", "cuántos días faltan hasta entonces"],
        r#"[["days_until",{"date":"Navidad"}]]"#,
    ),
    (
        "pt",
        &["que dia é o Natal", "quantos dias faltam até lá"],
        r#"[["days_until",{"date":"Natal"}]]"#,
    ),
    (
        "en",
        &["add milk to the shopping list", "what's on it"],
        r#"[["read_list",{"list":"shopping list"}]]"#,
    ),
    (
        "en",
        &["what's on my shopping list", "put eggs on it"],
        r#"[["add_to_list",{"items":"eggs","list":"shopping list"}]]"#,
    ),
    (
        "en",
        &["make a camping list", "add a tent to it"],
        r#"[["add_to_list",{"items":"a tent","list":"camping list"}]]"#,
    ),
    (
        "en",
        &["add milk to the shopping list", "how many things are on there"],
        r#"[["read_list",{"list":"shopping list"}]]"#,
    ),
    (
        "en",
        &["start a list for the party", "put balloons on it"],
        r#"[["add_to_list",{"items":"balloons","list":"party list"}]]"#,
    ),
    (
        "de",
        &["setz Milch auf die Einkaufsliste", "was steht drauf"],
        r#"[["read_list",{"list":"Einkaufsliste"}]]"#,
    ),
    (
        "de",
        &["was steht auf der Einkaufsliste", "setz Eier drauf"],
        r#"[["add_to_list",{"items":"Eier","list":"Einkaufsliste"}]]"#,
    ),
    (
        "fr",
        &[
            "ajoute du lait à la liste de courses",
            "qu'est-ce qu'il y a dessus",
        ],
        r#"[["read_list",{"list":"liste de courses"}]]"#,
    ),
    (
        "es",
        &["añade leche a la lista de la compra", "qué hay en ella"],
        r#"[["read_list",{"list":"lista de la compra"}]]"#,
    ),
    (
        "pt",
        &["adiciona leite à lista de compras", "o que há nela"],
        r#"[["read_list",{"list":"lista de compras"}]]"#,
    ),
    (
        "en",
        &["what is 12 times 9", "plus 12"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) + 12"}]]"#,
    ),
    (
        "en",
        &["what is 12 times 9", "divide that by three"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) / 3"}]]"#,
    ),
    (
        "en",
        &["what is 12 times 9", "and times two"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) * 2"}]]"#,
    ),
    (
        "en",
        &["what is 12 times 9", "what's 15 percent of that"],
        r#"[["evaluate_expression",{"expression":"15 % of (12 * 9)"}]]"#,
    ),
    (
        "en",
        &["what is 12 times 9", "plus 12", "minus 20"],
        r#"[["evaluate_expression",{"expression":"((12 * 9) + 12) - 20"}]]"#,
    ),
    (
        "en",
        &["what's 18 percent of 240", "half of that"],
        r#"[["evaluate_expression",{"expression":"(1 / 2) * (18 % of 240)"}]]"#,
    ),
    (
        "en",
        &["what is 12 times 9", "what's fifteen percent tip on that"],
        r#"[["evaluate_expression",{"expression":"15 % of (12 * 9)"}]]"#,
    ),
    (
        "de",
        &["was ist 12 mal 9", "geteilt durch zwei"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) / 2"}]]"#,
    ),
    (
        "de",
        &["was ist 12 mal 9", "und plus zehn"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) + 10"}]]"#,
    ),
    (
        "fr",
        &["combien font 12 fois 9", "divisé par deux"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) / 2"}]]"#,
    ),
    (
        "es",
        &["cuánto es 12 por 9", "dividido por dos"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) / 2"}]]"#,
    ),
    (
        "it",
        &["quanto fa 12 per 9", "diviso due"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) / 2"}]]"#,
    ),
    (
        "pt",
        &["quanto é 12 vezes 9", "a dividir por dois"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) / 2"}]]"#,
    ),
    (
        "pt",
        &["quanto é 12 vezes 9", "mais dez"],
        r#"[["evaluate_expression",{"expression":"(12 * 9) + 10"}]]"#,
    ),
    (
        "en",
        &["wake me at seven", "move it an hour earlier"],
        r#"[["change_alert",{"by":"-an hour","kind":"alarm","name":"last"}]]"#,
    ),
    (
        "en",
        &["remind me to call mum at six", "half an hour later"],
        r#"[["change_alert",{"by":"half an hour","kind":"reminder","name":"last"}]]"#,
    ),
    (
        "en",
        &["wake me at seven", "push it back by ten minutes"],
        r#"[["change_alert",{"by":"ten minutes","kind":"alarm","name":"last"}]]"#,
    ),
    (
        "en",
        &["what alarms do I have", "bring it forward by an hour"],
        r#"[["change_alert",{"by":"-an hour","kind":"alarm"}]]"#,
    ),
    (
        "en",
        &["set a timer for 10 minutes", "two minutes later"],
        r#"[["change_alert",{"by":"two minutes","kind":"timer","name":"last"}]]"#,
    ),
    (
        "de",
        &["weck mich um sieben", "verschieb ihn um eine Stunde nach hinten"],
        r#"[["change_alert",{"by":"eine Stunde","kind":"alarm","name":"last"}]]"#,
    ),
    (
        "de",
        &["weck mich um sieben", "eine halbe Stunde früher"],
        r#"[["change_alert",{"by":"-eine halbe Stunde","kind":"alarm","name":"last"}]]"#,
    ),
    (
        "fr",
        &["réveille-moi à sept heures", "une heure plus tard"],
        r#"[["change_alert",{"by":"une heure","kind":"alarm","name":"last"}]]"#,
    ),
    (
        "es",
        &["despiértame a las siete", "una hora antes"],
        r#"[["change_alert",{"by":"-una hora","kind":"alarm","name":"last"}]]"#,
    ),
    (
        "it",
        &["svegliami alle sette", "mezz'ora più tardi"],
        r#"[["change_alert",{"by":"mezz'ora","kind":"alarm","name":"last"}]]"#,
    ),
    (
        "pt",
        &["acorda-me às sete", "uma hora mais tarde"],
        r#"[["change_alert",{"by":"uma hora","kind":"alarm","name":"last"}]]"#,
    ),
    (
        "en",
        &["move the training reminder an hour earlier"],
        r#"[["change_alert",{"kind":"reminder","name":"training","by":"-an hour"}]]"#,
    ),
    (
        "en",
        &["push my dentist reminder back by 20 minutes"],
        r#"[["change_alert",{"kind":"reminder","name":"dentist","by":"20 minutes"}]]"#,
    ),
    (
        "de",
        &["verschieb die Erinnerung an das Training um eine Stunde nach hinten"],
        r#"[["change_alert",{"kind":"reminder","name":"Training","by":"eine Stunde"}]]"#,
    ),
    (
        "fr",
        &["repousse le rappel dentiste de 20 minutes"],
        r#"[["change_alert",{"kind":"reminder","name":"dentiste","by":"20 minutes"}]]"#,
    ),
    (
        "es",
        &["adelanta el recordatorio del dentista media hora"],
        r#"[["change_alert",{"kind":"reminder","name":"dentista","by":"-media hora"}]]"#,
    ),
    (
        "it",
        &["posticipa il promemoria per il dentista di mezz'ora"],
        r#"[["change_alert",{"kind":"reminder","name":"dentista","by":"mezz'ora"}]]"#,
    ),
    (
        "pt",
        &["adia o lembrete do dentista meia hora"],
        r#"[["change_alert",{"kind":"reminder","name":"dentista","by":"meia hora"}]]"#,
    ),
    (
        "en",
        &["set a timer for 10 minutes", "cancel the last one"],
        r#"[["cancel_alert",{"name":"last","kind":"timer"}]]"#,
    ),
    (
        "en",
        &["cancel the pasta timer", "and the other one too"],
        r#"[["cancel_alert",{"name":"other","kind":"timer"}]]"#,
    ),
    (
        "en",
        &["set a timer for 10 minutes", "how long on the other one"],
        r#"[["list_alerts",{"name":"other","kind":"timer"}]]"#,
    ),
    (
        "en",
        &["cancel the pasta timer", "cancel it"],
        r#"[["cancel_alert",{"kind":"timer","name":"(gone)"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 10 Minuten", "lösch den letzten"],
        r#"[["cancel_alert",{"name":"last","kind":"timer"}]]"#,
    ),
    (
        "de",
        &["stell einen Timer auf 10 Minuten", "brich den anderen ab"],
        r#"[["cancel_alert",{"name":"other","kind":"timer"}]]"#,
    ),
    (
        "fr",
        &["mets un minuteur de 10 minutes", "annule le dernier"],
        r#"[["cancel_alert",{"name":"last","kind":"timer"}]]"#,
    ),
    (
        "es",
        &["pon un temporizador de 10 minutos", "cancela el último"],
        r#"[["cancel_alert",{"name":"last","kind":"timer"}]]"#,
    ),
    (
        "it",
        &["imposta un timer di 10 minuti", "cancella l'ultimo"],
        r#"[["cancel_alert",{"name":"last","kind":"timer"}]]"#,
    ),
    (
        "pt",
        &["põe um temporizador de 10 minutos", "cancela o último"],
        r#"[["cancel_alert",{"name":"last","kind":"timer"}]]"#,
    ),
    ("en", &["pause the timer", "resume"], r#"[["resume_timer",{}]]"#),
    (
        "en",
        &["pause the pasta timer", "carry on"],
        r#"[["resume_timer",{"name":"pasta"}]]"#,
    ),
    (
        "en",
        &["set a timer for 10 minutes", "resume"],
        r#"[["control_player",{"action":"play"}]]"#,
    ),
    (
        "en",
        &["pause the music", "carry on"],
        r#"[["control_player",{"action":"play"}]]"#,
    ),
    (
        "en",
        &["next song", "turn it off"],
        r#"[["control_player",{"action":"stop"}]]"#,
    ),
    (
        "de",
        &["pausiere den Timer", "weiter"],
        r#"[["resume_timer",{}]]"#,
    ),
    (
        "de",
        &["Musik stoppen", "mach weiter"],
        r#"[["control_player",{"action":"play"}]]"#,
    ),
    (
        "en",
        &["what's the weather", "and wake me at six"],
        r#"[["set_alarm",{"time":"six"}]]"#,
    ),
    (
        "en",
        &[
            "set a timer for 5 minutes",
            "and remind me to take the bins out tonight at eight",
        ],
        r#"[["set_reminder",{"text":"take the bins out","date":"tonight","time":"eight"}]]"#,
    ),
    (
        "en",
        &["wake me at six", "and what time is it"],
        r#"[["get_current_datetime",{}]]"#,
    ),
    (
        "de",
        &[
            "weck mich um sechs",
            "und erinnere mich morgen um acht an den Müll",
        ],
        r#"[["set_reminder",{"date":"morgen","time":"acht","text":"den Müll"}]]"#,
    ),
    (
        "fr",
        &["réveille-moi à six heures", "et quelle heure est-il"],
        r#"[["get_current_datetime",{}]]"#,
    ),
    (
        "es",
        &["despiértame a las seis", "y qué hora es"],
        r#"[["get_current_datetime",{}]]"#,
    ),
    (
        "it",
        &["svegliami alle sei", "e che ora è"],
        r#"[["get_current_datetime",{}]]"#,
    ),
    (
        "pt",
        &["acorda-me às seis", "e que horas são"],
        r#"[["get_current_datetime",{}]]"#,
    ),
    (
        "en",
        &["when's my next alarm"],
        r#"[["list_alerts",{"name":"next","kind":"alarm"}]]"#,
    ),
    (
        "en",
        &["set a laundry timer for 45 minutes", "when will it be done"],
        r#"[["list_alerts",{"kind":"timer","name":"last"}]]"#,
    ),
    (
        "en",
        &["what's the weather in London", "what was that again"],
        r#"[["get_weather",{"place":"London"}]]"#,
    ),
    ("en", &["set a timer for 10 minutes", "what was that again"], ""),
    (
        "de",
        &["wie ist das Wetter in Paris", "wie war das nochmal"],
        r#"[["get_weather",{"place":"Paris"}]]"#,
    ),
    (
        "de",
        &["weck mich um sechs", "doch lieber halb sieben"],
        r#"["back",["set_alarm",{"time":"halb sieben"}]]"#,
    ),
    (
        "en",
        &["wake me at six", "actually no, half past seven"],
        r#"["back",["set_alarm",{"time":"half past seven"}]]"#,
    ),
    (
        "en",
        &["remember that my locker is number 12", "no, it's 14"],
        r#"["back",["remember",{"fact":"my locker is number 14"}]]"#,
    ),
    (
        "fr",
        &["réveille-moi à six heures", "finalement sept heures"],
        r#"["back",["set_alarm",{"time":"sept heures"}]]"#,
    ),
    (
        "it",
        &["svegliami alle sei", "anzi no alle sette"],
        r#"["back",["set_alarm",{"time":"alle sette"}]]"#,
    ),
    (
        "en",
        &["make an alarm for 10 am on the weekend"],
        r#"[["set_alarm",{"time":"10 am","repeat":"weekends"}]]"#,
    ),
    (
        "en",
        &["wake me at 9 on the weekend"],
        r#"[["set_alarm",{"time":"9","repeat":"weekends"}]]"#,
    ),
    (
        "de",
        &["stell einen Wecker für 9 Uhr am Wochenende"],
        r#"[["set_alarm",{"time":"9 Uhr","repeat":"weekends"}]]"#,
    ),
    (
        "fr",
        &["mets un réveil à 9 heures le week-end"],
        r#"[["set_alarm",{"time":"9 heures","repeat":"weekends"}]]"#,
    ),
    (
        "es",
        &["pon una alarma a las 9 el fin de semana"],
        r#"[["set_alarm",{"time":"9","repeat":"weekends"}]]"#,
    ),
    (
        "it",
        &["imposta una sveglia alle 9 nel fine settimana"],
        r#"[["set_alarm",{"time":"9","repeat":"weekends"}]]"#,
    ),
    (
        "pt",
        &["põe um alarme para as 9 ao fim de semana"],
        r#"[["set_alarm",{"time":"9","repeat":"weekends"}]]"#,
    ),
    (
        "en",
        &["cancel the pasta timer", "and the other one"],
        r#"[["cancel_alert",{"name":"other","kind":"timer"}]]"#,
    ),
    (
        "en",
        &["how long is left on the pasta timer", "and the other one"],
        r#"[["list_alerts",{"name":"other","kind":"timer"}]]"#,
    ),
    (
        "de",
        &["lösch den Nudeltimer", "und den anderen auch"],
        r#"[["cancel_alert",{"name":"other","kind":"timer"}]]"#,
    ),
];
