//! The table of the tools: what each is called, what a brain is told of it, and the function that does it.
//!
//! Does nothing itself.

use super::{AlertTools, RESTORE, cancelling, changing, later, listing, pausing, setting, snoozing, undo};
use loquat_kit::function::Function;
use serde_json::json;

/// All of them.
pub(super) fn functions(shared: &AlertTools) -> Vec<Function> {
    let mut functions = setting_functions(shared);
    functions.extend(other_functions(shared));
    let tells_figures = |function: Function| function.with(|tool| tool.retold = vec!["timers".to_owned()]);
    functions.into_iter().map(tells_figures).collect()
}

/// Those that set something.
fn setting_functions(shared: &AlertTools) -> Vec<Function> {
    let shared: [AlertTools; 4] = std::array::from_fn(|_| shared.clone());
    let [timer, alarm, reminder, deed] = shared;
    vec![
        Function::waiting(
            "set_timer",
            "Start a timer that rings after a while.",
            move |arguments, person| Box::pin(setting::set_timer(timer.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "set_alarm",
            "Set an alarm for a time of day, or wake the person.",
            move |arguments, person| Box::pin(setting::set_alarm(alarm.clone(), arguments, person)),
        )
        .hinted(
            "I need to get up at seven on Friday.",
            "This asks for an alarm.",
            json!({"time": "seven", "date": "Friday"}),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "set_reminder",
            "Remind the person of something later.",
            move |arguments, person| Box::pin(setting::set_reminder(reminder.clone(), arguments, person)),
        )
        .hinted(
            "I must not forget to call Ben at noon.",
            "This is to be remembered later.",
            json!({"text": "call Ben", "time": "noon"}),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "do_later",
            "Do later what a sentence asks for.",
            move |arguments, person| Box::pin(later::do_later(deed.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE)
        // What a brain has read could be done later, when nothing asks for it any more.
        .with(|tool| tool.unseen = true),
    ]
}

/// Those for what is set.
fn other_functions(shared: &AlertTools) -> Vec<Function> {
    let shared: [AlertTools; 7] = std::array::from_fn(|_| shared.clone());
    let [list, cancel, change, pause, resume, snooze, restore] = shared;
    vec![
        Function::waiting(
            "list_alerts",
            "Tell which timers, alarms and reminders are set, and how long they run.",
            move |arguments, person| Box::pin(listing::list(list.clone(), arguments, person)),
        )
        .hinted(
            "How long do I still have to wait?",
            "This asks what is set.",
            json!({}),
        )
        .with(|tool| tool.idempotent = false),
        Function::waiting(
            "cancel_alert",
            "Cancel a timer, an alarm or a reminder.",
            move |arguments, person| Box::pin(cancelling::cancel(cancel.clone(), arguments, person)),
        )
        .hinted(
            "The laundry is done, it needs no timer.",
            "This ends what is set.",
            json!({"name": "laundry"}),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "change_alert",
            "Change when a timer, an alarm or a reminder is due.",
            move |arguments, person| Box::pin(changing::change(change.clone(), arguments, person)),
        )
        .hinted(
            "Give the laundry another ten minutes.",
            "This changes what is set.",
            json!({"name": "laundry", "by": "ten minutes"}),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "pause_timer",
            "Have a timer stand still until it is resumed.",
            move |arguments, person| Box::pin(pausing::pause(pause.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "resume_timer",
            "Have a timer that is paused go on.",
            move |arguments, person| Box::pin(pausing::resume(resume.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "snooze_alert",
            "Have what rings ring again later.",
            move |arguments, person| Box::pin(snoozing::snooze(snooze.clone(), arguments, person)),
        )
        .changing(),
        Function::waiting(
            RESTORE,
            "Make timers, alarms and reminders what they were.",
            move |arguments, person| Box::pin(undo::restore(restore.clone(), arguments, person)),
        )
        .only_undoing(),
    ]
}
