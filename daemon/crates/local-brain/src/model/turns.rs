//! Brings a conversation into a form that a template takes. Never drops what was said.

use crate::request::{Message, Role};

/// A form of conversations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    /// Instructions only at the beginning and in one piece; the person and the assistant take turns.
    InTurns,
    /// All turns, with the instructions at the beginning of what the person says first.
    WithoutInstructions,
}

impl Form {
    /// All of them, the one nearest to what was asked first.
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::InTurns, Self::WithoutInstructions];
}

/// The conversation in a form.
pub(crate) fn in_form(messages: &[Message], form: Form) -> Vec<Message> {
    if form == Form::Plain {
        return messages.to_vec();
    }
    let mut turns: Vec<Message> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let is_leading = messages
            .iter()
            .take(index)
            .all(|earlier| earlier.role == Role::System);
        let role = match (message.role, form) {
            (Role::System, Form::InTurns) if is_leading => Role::System,
            (Role::System, _) => Role::User,
            (role, _) => role,
        };
        match turns.last_mut().filter(|last| last.role == role) {
            Some(last) => {
                last.text.push_str("\n\n");
                last.text.push_str(&message.text);
            }
            None => turns.push(Message {
                role,
                text: message.text.clone(),
            }),
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(messages: &[(Role, &str)], form: Form) -> Vec<(Role, String)> {
        let message = |(role, text): &(Role, &str)| Message {
            role: *role,
            text: (*text).to_owned(),
        };
        let messages: Vec<Message> = messages.iter().map(message).collect();
        let turns = in_form(&messages, form).into_iter();
        turns.map(|turn| (turn.role, turn.text)).collect()
    }

    #[test]
    fn who_speaks_twice_is_heard_once_and_nothing_is_lost() {
        let messages = [
            (Role::System, "be kind"),
            (Role::System, "be brief"),
            (Role::User, "hi"),
            (Role::Assistant, "hello"),
            (Role::User, "and?"),
            (Role::System, "be quick"),
        ];
        assert_eq!(
            said(&messages, Form::InTurns),
            [
                (Role::System, "be kind\n\nbe brief".to_owned()),
                (Role::User, "hi".to_owned()),
                (Role::Assistant, "hello".to_owned()),
                (Role::User, "and?\n\nbe quick".to_owned()),
            ]
        );
        assert_eq!(
            said(&messages, Form::WithoutInstructions),
            [
                (Role::User, "be kind\n\nbe brief\n\nhi".to_owned()),
                (Role::Assistant, "hello".to_owned()),
                (Role::User, "and?\n\nbe quick".to_owned()),
            ]
        );
        assert_eq!(said(&messages, Form::Plain).len(), messages.len());
    }
}
