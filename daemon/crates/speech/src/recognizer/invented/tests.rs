//! What whisper invented in earnest, and what people say that looks like it.

use super::*;

const SURE: Evidence = Evidence {
    confidence: 0.9,
    no_speech: 0.0,
    seconds: 3.0,
};
const UNSURE: Evidence = Evidence {
    confidence: 0.5,
    ..SURE
};

fn heard(text: &str, evidence: Evidence) -> Option<String> {
    spoken(text, evidence)
}

#[test]
fn remarks_and_signs_are_no_words() {
    for text in [
        "",
        " ",
        " [BLANK_AUDIO]",
        " (water running)",
        " [Bell]",
        "(music",
        " ♪♪",
        "♪ la la la ♪",
        "*sighs*",
        "...",
        " .",
        "- -",
        "( ( ( ( ( (",
    ] {
        assert_eq!(heard(text, SURE), None, "{text:?}");
    }
}

#[test]
fn words_beside_a_remark_stay() {
    let expected = Some("Turn on the light.".to_owned());
    assert_eq!(
        heard(" (door closes) Turn on  the light. [BLANK_AUDIO]", SURE),
        expected
    );
    assert_eq!(heard(" - Turn on the light.", SURE), expected);
    assert_eq!(heard(">> Turn on the light.", SURE), expected);
}

#[test]
fn what_people_say_passes() {
    for text in [
        "What is 17% of 2,450?",
        "Stop.",
        "No, no, no!",
        "Call 5 5 5 5.",
        "Play the song thank you by Dido.",
        "Untertitle the movie.",
        "What does -5 plus 3 make?",
    ] {
        assert_eq!(heard(text, SURE).as_deref(), Some(text));
    }
}

#[test]
fn thanks_count_only_when_they_were_heard_clearly() {
    for text in ["Thank you.", " you", "Bye.", "I'm sorry.", "Okay."] {
        assert_eq!(heard(text, SURE).as_deref(), Some(text.trim()));
        assert_eq!(heard(text, UNSURE), None, "{text}");
        assert_eq!(
            heard(
                text,
                Evidence {
                    no_speech: 0.8,
                    ..SURE
                }
            ),
            None,
            "{text}"
        );
    }
    assert!(heard("Thank you for the music.", UNSURE).is_some());
}

#[test]
fn credits_never_count() {
    for text in [
        "Thanks for watching!",
        "Please subscribe to my channel.",
        "Subtitles by the Amara.org community",
        "Untertitel der Amara.org-Community",
        "ご視聴ありがとうございました",
        "Субтитры сделал DimaTorzok",
    ] {
        assert_eq!(heard(text, SURE), None, "{text}");
    }
}

#[test]
fn a_loop_is_found_whatever_its_length() {
    for text in [
        "go go go go go go go",
        "the end of the end of the end of the end of the end of the end of",
        "Turn it on. I said turn it on. I said turn it on. I said turn it on. I said turn it on. I said turn it on.",
        "( ( ( ( ( ( ( ( ( ( ( ( ( ( (",
    ] {
        assert!(repeats(text), "{text}");
    }
    for text in [
        "no no no no",
        "one two three one two three one two three",
        "Bora Bora",
        "",
    ] {
        assert!(!repeats(text), "{text}");
    }
}

#[test]
fn a_guess_and_a_torrent_of_words_are_refused() {
    assert_eq!(
        heard(
            "Burn the kitchen.",
            Evidence {
                confidence: 0.2,
                ..SURE
            }
        ),
        None
    );
    let torrent = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
    assert_eq!(heard(torrent, Evidence { seconds: 2.0, ..SURE }), None);
    assert!(heard(torrent, Evidence { seconds: 6.0, ..SURE }).is_some());
    assert!(heard("What time is it?", Evidence { seconds: 0.4, ..SURE }).is_some());
}

/// These are of no list: recognisers of eight languages have written them.
const SIGN_OFFS: &[&str] = &[
    "Thank you all so much for watching this video!",
    "Thanks for tuning in, everyone. See you in the next one. Bye-bye!",
    "If you enjoyed this video, please like, comment and subscribe.",
    "Don't forget to hit the like button and subscribe to my channel.",
    "I'll see you guys in the next video. Peace!",
    "Okay, thank you for listening. Have a great day.",
    "Vielen Dank fürs Zuschauen und bis zum nächsten Video!",
    "Danke euch fürs Einschalten. Tschüss!",
    "Ich danke Ihnen für Ihre Aufmerksamkeit.",
    "Abonniert gerne unseren Kanal und lasst ein Like da.",
    "Merci beaucoup d'avoir regardé cette vidéo, à bientôt !",
    "N'oubliez pas de vous abonner à la chaîne.",
    "Merci à tous pour votre attention.",
    "On se retrouve dans une prochaine vidéo, salut !",
    "Grazie a tutti per aver guardato questo video.",
    "Grazie per la visione e alla prossima!",
    "Iscrivetevi al canale e attivate la campanella.",
    "Ci vediamo nel prossimo video, ciao ciao!",
    "¡Muchas gracias por ver el vídeo!",
    "Suscríbete a mi canal y activa la campanita.",
    "Gracias a todos por acompañarnos. ¡Hasta la próxima!",
    "Nos vemos en el siguiente episodio. ¡Chao!",
    "Muito obrigado por assistirem ao vídeo!",
    "Inscreva-se no canal e ative o sininho.",
    "Obrigada pela companhia, pessoal. Até a próxima!",
    "Vejo vocês no próximo vídeo. Tchau!",
    "시청해주셔서 감사합니다.",
    "지금까지 시청해 주셔서 대단히 감사합니다!",
    "구독과 좋아요 부탁드려요~",
    "그럼 다음 영상에서 또 만나요. 안녕!",
    "谢谢大家观看",
    "感谢各位的收看，我们下期再见！",
    "請不吝點贊訂閱轉發打賞支持明鏡與點點欄目",
    "记得点赞和订阅哦",
];

const CREDITED: &[&str] = &[
    "Captions by Jane Doe",
    "Subtitles provided by the Amara.org community",
    "Transcribed by https://otter.ai",
    "Copyright WDR 2021",
    "Untertitelung im Auftrag des ZDF für funk, 2017",
    "Untertitel von Stephanie Geiges",
    "Untertitelung aufgrund der Amara.org-Community",
    "Sous-titrage Société Radio-Canada",
    "Sous-titres réalisés para la communauté d'Amara.org",
    "Sous-titrage ST' 501",
    "Subtítulos realizados por la comunidad de Amara.org",
    "Legendas pela comunidade Amara.org",
    "Transcrição e Legendas Pedro Negri",
    "Sottotitoli creati dalla comunità Amara.org",
    "Sottotitoli e revisione a cura di QTSS",
    "한글자막 by 한효정",
    "자막 제공 배달의민족",
    "MBC 뉴스 이덕영입니다.",
    "字幕由Amara.org社区提供",
    "中文字幕志愿者 李宗盛",
];

const MURMURS: &[&str] = &[
    "Oh, oh, oh.",
    "Mm-hmm.",
    "Hm? Hm?",
    "Uh-huh.",
    "Shh.",
    "Hmmmm...",
    "Ohhh!",
    "Ha ha ha ha!",
    "Mhm, mhm.",
    "Uh, um, uh.",
    "Ah. Oh.",
    "Shhh! Shhh!",
    "Ähm, hm.",
    "Öh... äh...",
    "Aha!",
    "Pst.",
    "Euh... euh...",
    "Hein ?",
    "Ehm, eh.",
    "Mah. Boh.",
    "Ay, ay, ay.",
    "¡Uy!",
    "Hã? Hum...",
    "Uhum.",
    "음... 어...",
    "아, 아, 아.",
    "嗯嗯嗯",
    "啊！哦。",
    "哈哈哈",
    "唉……",
];

/// These were written down when the phrases stood.
const FURTHER: &[&str] = &[
    "Thanks a lot for watching and I'll see you in the next video.",
    "Thank you for watching till the end.",
    "Please like, share and subscribe!",
    "Hit that subscribe button and the bell icon.",
    "Make sure you subscribe for more videos.",
    "So thanks again for watching guys, bye.",
    "Thank you very much for your attention.",
    "Leave a like and subscribe.",
    "Thanks for watching, and don't forget to subscribe!",
    "Danke fürs Zusehen!",
    "Vielen Dank für eure Aufmerksamkeit und bis zum nächsten Mal.",
    "Vergesst nicht, den Kanal zu abonnieren.",
    "Wir sehen uns im nächsten Video wieder.",
    "Bis zum nächsten Mal, danke fürs Zuschauen.",
    "Wenn euch das Video gefallen hat, lasst gerne ein Abo da.",
    "Danke fürs Zuhören, macht's gut.",
    "Merci d'avoir regardé !",
    "Merci de nous avoir suivis.",
    "Abonnez-vous !",
    "Pensez à liker et à vous abonner.",
    "Merci à toutes et à tous d'avoir suivi cette vidéo jusqu'au bout.",
    "À la prochaine vidéo !",
    "Grazie per aver guardato il video.",
    "Grazie a tutti per l'attenzione.",
    "Grazie per la visione!",
    "Iscriviti al canale!",
    "Se ti è piaciuto il video metti mi piace e iscriviti al canale.",
    "Alla prossima, grazie per averci seguito.",
    "Gracias por ver.",
    "Gracias por ver este video.",
    "¡Gracias por su atención!",
    "No olvides suscribirte al canal.",
    "Dale like y suscríbete.",
    "Hasta el próximo video.",
    "Muchas gracias por escucharnos.",
    "Obrigado por assistir.",
    "Obrigado por assistir até o final.",
    "Não esqueça de se inscrever no canal e deixar o seu like.",
    "Se inscreva no canal!",
    "Até o próximo vídeo!",
    "Obrigado pela atenção.",
    "Muito obrigado a todos por assistir.",
    "영상 시청해주셔서 감사합니다",
    "끝까지 봐주셔서 감사합니다.",
    "구독과 좋아요 부탁드립니다.",
    "좋아요와 구독 부탁드려요!",
    "다음 영상에서 만나요",
    "구독 좋아요 알림설정 부탁드립니다",
    "오늘도 시청해 주셔서 감사합니다. 안녕히 계세요.",
    "谢谢观看",
    "感谢收看",
    "谢谢大家",
    "谢谢收听，再见。",
    "请订阅我的频道",
    "喜欢的话请点赞订阅",
    "我们下期再见",
    "感谢您的观看，下期再见。",
    "謝謝收看",
    "感謝大家的觀看與支持",
    "Subtitled by Amara",
    "Untertitel im Auftrag des ZDF, 2020",
    "Sous-titres par Jean Dupont",
    "Subtitulado por Maria Lopez",
    "Legendado por João Silva",
    "Sottotitoli a cura di Mario Rossi",
    "한국어 자막 제공",
    "字幕制作：张三",
    "Untertitelung. BR 2018",
    "Translated by Google",
    "Mmm.",
    "Mm.",
    "Hmm?",
    "Oh!",
    "Aaah!",
    "Ugh.",
    "Huh?",
    "Heh heh.",
    "Uh... uh...",
    "Mmhmm, mmhmm.",
    "Oh, ah, oh.",
    "Tja.",
    "Mhm.",
    "Hum, hum.",
    "Ah, ah.",
    "Eeeh.",
    "흠.",
    "어...",
    "嗯。",
    "哎呀",
];

/// People say these to a device. Each is near to one of those.
const SAID: &[&str] = &[
    "Subscribe to the newsletter list.",
    "What does thanks for watching mean?",
    "Play the video that I was watching.",
    "Thank you for the music.",
    "Turn on the subtitles.",
    "Subtitles by default, please.",
    "See you is my favourite song, play it.",
    "Next video.",
    "Oh no, stop it.",
    "Um, what time is it?",
    "How do I say thank you for listening in German?",
    "Ring the bell at seven.",
    "Untertitel an.",
    "Untertitel der Serie ausschalten.",
    "Ja, ja.",
    "Nächste Folge.",
    "Schau nach, wann der Kanal das nächste Video hat.",
    "Ach so, mach das Licht an.",
    "La prochaine vidéo, s'il te plaît.",
    "Active les sous-titres.",
    "Merci de baisser le volume.",
    "Oh là, arrête.",
    "Prossimo episodio.",
    "Attiva i sottotitoli.",
    "Grazie, spegni la luce.",
    "Ho sete.",
    "El siguiente episodio.",
    "Subtítulos por favor.",
    "Gracias por nada, apaga la luz.",
    "Suscríbeme al boletín.",
    "Próximo vídeo.",
    "Um.",
    "Obrigado, apaga a luz.",
    "Liga as legendas.",
    "자막 켜줘.",
    "다음 영상 틀어줘.",
    "응, 켜 줘.",
    "네.",
    "打开字幕。",
    "下一集。",
    "谢谢，把灯关了。",
    "好的，打开音乐。",
    "AI.",
    "M.",
    "Thank you.",
    "Thanks, that's all.",
    "Watch the video.",
    "Subscribe me to the channel weather.",
    "Like this song.",
    "See you tomorrow.",
    "What's next?",
    "Say thanks for watching.",
    "Uh-huh, do it.",
    "Shh, be quiet.",
    "Hm, I don't know.",
    "Oh yes.",
    "Ah, light on.",
    "Who made the subtitles?",
    "Danke.",
    "Danke, mach das Licht aus.",
    "Abonniere den Podcast Lage der Nation.",
    "Aha, und morgen?",
    "Untertitel auf Deutsch.",
    "Merci.",
    "Merci, c'est bon.",
    "Abonne-moi au podcast.",
    "Euh, quelle heure est-il ?",
    "Grazie.",
    "Grazie per l'aiuto.",
    "Iscrivimi alla newsletter.",
    "Beh, accendi la luce.",
    "Gracias.",
    "Gracias por la ayuda.",
    "Suscríbete al podcast de noticias.",
    "Ay, apaga la luz.",
    "Obrigado.",
    "Obrigado pela ajuda.",
    "Inscreva-me no boletim.",
    "Ah, liga a luz.",
    "감사합니다.",
    "구독 취소해줘.",
    "어, 불 켜줘.",
    "아니.",
    "谢谢。",
    "订阅这个播客。",
    "嗯，开灯。",
    "哦，明天呢？",
    "no",
    "I see you.",
    "Bye.",
    "you",
    "OK",
    "To be or not to be.",
];

#[test]
fn what_only_videos_and_noise_say_was_never_said() {
    let all = || SIGN_OFFS.iter().chain(CREDITED).chain(MURMURS).chain(FURTHER);
    let taken: Vec<&&str> = all()
        .filter(|text| heard(text, SURE).is_some() || !is_made_up(text))
        .collect();
    assert!(taken.is_empty(), "{taken:#?}");
    // Some recognisers write no names large.
    let small = SIGN_OFFS.iter().chain(MURMURS).map(|text| text.to_lowercase());
    let taken: Vec<String> = small.filter(|text| !is_made_up(text)).collect();
    assert!(taken.is_empty(), "{taken:#?}");
}

#[test]
fn what_people_say_that_is_like_it_stays() {
    let lost = SAID
        .iter()
        .filter(|text| heard(text, SURE).as_deref() != Some(*text) || is_made_up(text));
    let lost: Vec<&&str> = lost.collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn a_sign_off_around_an_order_is_cut_off() {
    for (text, left) in [
        ("What time is it? Thanks for watching!", "What time is it?"),
        ("What time is it? you", "What time is it?"),
        (
            "Turn on the light. Please subscribe. Bye-bye.",
            "Turn on the light.",
        ),
        (
            "Mach das Licht an. Untertitel der Amara.org-Community",
            "Mach das Licht an.",
        ),
        ("Thank you for watching. Turn on the light.", "Turn on the light."),
        ("Wie spät ist es? Vielen Dank fürs Zuschauen!", "Wie spät ist es?"),
        ("现在几点？谢谢大家观看。", "现在几点？"),
        ("Stop. Oh.", "Stop. Oh."),
        ("Did she mention you", "Did she mention you"),
    ] {
        assert_eq!(heard(text, SURE).as_deref(), Some(left), "{text}");
    }
}

#[test]
fn words_that_are_said_twice_at_the_end_are_doubled() {
    for text in [
        "Switch on the light. Switch on the light.",
        "Is it going to rain on Saturday afternoon? Saturday afternoon",
    ] {
        assert!(doubles(text), "{text}");
    }
    for text in [
        "Louder, louder!",
        "Switch on the light on the stairs.",
        "Bye bye",
        "",
        "Stop",
    ] {
        assert!(!doubles(text), "{text}");
    }
}

#[test]
fn what_is_said_over_is_said_once() {
    for (text, said) in [
        (
            "Switch on the light. Switch on the light.",
            "Switch on the light.",
        ),
        (
            " Open the gate. Open the gate. Open the gate. Open th",
            "Open the gate.",
        ),
        (
            "Will it be cold on Monday morning? Monday morning.",
            "Will it be cold on Monday morning?",
        ),
        (
            "She sold the ill-fitted coat. She sold the ill-fitted coat.",
            "She sold the ill-fitted coat.",
        ),
        ("Mach das Fenster zu. Mach das Fenster zu", "Mach das Fenster zu."),
        ("Stop stop stop stop stop stop", "Stop"),
    ] {
        assert_eq!(once(text, "en-US").as_deref(), Some(said), "{text}");
    }
    for text in [
        "Louder, louder!",
        "Play New York, New York.",
        "Wer singt Mamma Mia, Mamma Mia",
        "No, no, no!",
        "Open the gate.",
        "Call 5 5 5 5 5 5 5 5.",
        "12 30 12 30",
        "Five five five five",
        "Over and over and over",
        "Read the news and then read the mail",
        "",
    ] {
        assert_eq!(once(text, "en-US"), None, "{text}");
    }
}
