//! Currencies, as labels that an amount keeps.
//!
//! Knows no rates: amounts in two currencies are never compared, added or converted.

use loquat_kit::folded;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Currency {
    /// Several of it; also its name in the list of what currencies are called.
    pub(super) plural: &'static str,
    /// It is written so, in its own case.
    signs: &'static [&'static str],
    /// Names in several languages, folded.
    words: &'static [&'static str],
}

const CURRENCIES: &[Currency] = &[
    Currency {
        plural: "euros",
        signs: &["\u{20ac}", "EUR"],
        words: &["euro", "euros"],
    },
    Currency {
        plural: "dollars",
        signs: &["$", "USD"],
        words: &[
            "dollar", "dollars", "dolar", "dolares", "dollaro", "dollari", "bucks",
        ],
    },
    Currency {
        plural: "pounds sterling",
        signs: &["\u{a3}", "GBP"],
        words: &[
            "sterling",
            "quid",
            "pound sterling",
            "pounds sterling",
            "british pounds",
        ],
    },
    Currency {
        plural: "yen",
        signs: &["\u{a5}", "JPY"],
        words: &["yen", "yens"],
    },
    Currency {
        plural: "francs",
        signs: &["CHF"],
        words: &[
            "franc",
            "francs",
            "franken",
            "franco",
            "francos",
            "franchi",
            "swiss francs",
        ],
    },
    Currency {
        plural: "rupees",
        signs: &["\u{20b9}", "INR"],
        words: &["rupee", "rupees", "rupien", "roupies", "rupias", "rupie"],
    },
    Currency {
        plural: "yuan",
        signs: &["CNY", "RMB"],
        words: &["yuan"],
    },
    Currency {
        plural: "pesos",
        signs: &["MXN"],
        words: &["peso", "pesos"],
    },
    Currency {
        plural: "reais",
        signs: &["BRL"],
        words: &["reais"],
    },
    Currency {
        plural: "cents",
        signs: &["\u{a2}"],
        words: &["cent", "cents", "centimes", "centavos", "centesimi"],
    },
];

/// The currency of this sign, code or name.
pub(super) fn find(name: &str) -> Option<&'static Currency> {
    let plain = folded(name);
    let is_called =
        |currency: &&Currency| currency.signs.contains(&name) || currency.words.contains(&plain.as_str());
    CURRENCIES.iter().find(is_called)
}
