//! The commented sample of `loquat.toml`, made from the declarations so that it cannot fall behind them.

use crate::section::Table;

const HEADER: &str = "\
# Settings of Loquat. Every key is commented out and shows its default, or an example where it has none.
#
# Read in this order, later ones win: /etc/loquat/loquat.toml, /etc/loquat/loquat.d/*.toml,
# ~/.config/loquat/loquat.toml, environment variables such as LOQUAT_BUS__PORT, `--set bus.port=8181`.
# Language, units, place and the address of the bus are those of OVOS's own mycroft.conf unless they are set here.
";

/// Writes the text of the sample file.
pub fn sample(tables: &[Table]) -> String {
    let mut lines = vec![HEADER.to_owned()];
    for table in tables {
        describe_table(&mut lines, table);
    }
    lines.join("\n")
}

fn describe_table(lines: &mut Vec<String>, table: &Table) {
    let Table { name, doc, keys } = table;
    lines.extend(comment(doc));
    lines.push(format!("[{name}]"));
    lines.push(String::new());
    for key in keys {
        lines.extend(comment(key.doc));
        let value = key.default.as_ref().or(key.example.as_ref());
        lines.extend(value.map(|value| format!("#{} = {value}", key.name)));
        lines.push(String::new());
    }
}

fn comment(doc: &str) -> impl Iterator<Item = String> {
    doc.lines().map(|line| format!("## {}", line.trim()))
}
