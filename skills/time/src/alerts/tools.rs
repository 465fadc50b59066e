//! The table of the tools: what each is called, what a brain is told of it, and the function that does it.
//!
//! Does nothing itself.

use super::{
    AlertTools, DO_WHEN, FORESEE, RESTORE, cancelling, changing, later, listing, pausing, restarting,
    routines, setting, snoozing, triggers, undo,
};
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
    let shared: [AlertTools; 7] = std::array::from_fn(|_| shared.clone());
    let [timer, alarm, reminder, deed, foreseen, trigger, routine] = shared;
    vec![
        Function::waiting(
            "set_timer",
            "Count down a while, for food or the like, and ring.",
            move |arguments, person| Box::pin(setting::set_timer(timer.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "set_alarm",
            "Wake the person, or ring, at a time of day.",
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
            "Tell the person at a time, or after a while, to do something.",
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
            later::TOOL,
            "Do later, or again and again, what a sentence asks for.",
            move |arguments, person| Box::pin(later::do_later(deed.clone(), arguments, person)),
        )
        .hinted(
            "The heating should go off when I am in bed, at eleven.",
            "This is to be done later.",
            json!({"command": "turn off the heating", "time": "eleven"}),
        )
        .asked_in(later::question)
        .changing()
        .undone_by(RESTORE)
        .with(|tool| tool.resolved_by = Some(FORESEE.to_owned())),
        Function::waiting(
            DO_WHEN,
            "Do something, or tell the person, when something is so: a door open, the music over, the battery low.",
            move |arguments, person| Box::pin(triggers::do_when(trigger.clone(), arguments, person)),
        )
        .hinted(
            "I want to know as soon as somebody opens the garage.",
            "This waits for something.",
            json!({"event": "the garage is open"}),
        )
        .asked_in(later::question)
        .changing()
        .undone_by(RESTORE)
        .with(|tool| tool.resolved_by = Some(FORESEE.to_owned())),
        Function::waiting(
            routines::TOOL,
            "Keep what to do whenever the person says a phrase.",
            move |arguments, person| Box::pin(routines::set_routine(routine.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE)
        // A sentence sets one; each tool more misleads a small model.
        .with(|tool| tool.unseen = true),
        Function::new(
            routines::MISS,
            "Tell that a step of a routine is understood no more.",
            routines::miss_step,
        )
        .only_undoing(),
        Function::waiting(
            FORESEE,
            "Find out what a sentence would do later.",
            move |arguments, person| Box::pin(later::foresee(foreseen.clone(), arguments, person)),
        )
        .only_undoing(),
    ]
}

/// Those for what is set.
fn other_functions(shared: &AlertTools) -> Vec<Function> {
    let shared: [AlertTools; 8] = std::array::from_fn(|_| shared.clone());
    let [list, cancel, change, pause, resume, restart, snooze, restore] = shared;
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
            "restart_timer",
            "Begin a timer anew, also one that was cancelled or has rung.",
            move |arguments, person| Box::pin(restarting::restart(restart.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE)
        // Sentences alone know which was spoken of last.
        .with(|tool| tool.unseen = true),
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
