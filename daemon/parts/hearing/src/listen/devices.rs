//! `loquat listen --devices`: the microphones and how each stands. Opens none.

use loquat_part::output::{Exit, Style};
use loquat_speech::{DeviceState, HostDevices, InputDevice, ServerEcho, input_devices, server_echo};

use super::Listener;

/// Lists them.
pub(super) async fn list(context: &Listener<'_>) -> Exit {
    let speech = context.speech();
    let all = input_devices(speech.host, speech.device.as_deref()).await;
    let output = context.output;
    output.value(&all);
    for host in &all {
        output.styled(Style::Bold, host.host.name());
        if let Some(fault) = &host.fault {
            output.line(format!("  {fault}"));
        }
        for device in &host.devices {
            output.line(format!("  {} {:<44} {}", mark(device), device.id, device.name));
            let echo = if device.is_without_echo {
                "; without what the loudspeaker plays"
            } else {
                ""
            };
            output.styled(Style::Dim, format!("      {}{echo}", standing(&device.state)));
        }
    }
    if let Some(ServerEcho {
        switched_on_by: Some(line),
        ..
    }) = server_echo(speech.host).await
    {
        let what = "A microphone without what other programs play, for the time until the sound server ends:";
        output.styled(Style::Dim, format!("{what}\n  {line}"));
    }
    if let Some(wanted) = &speech.device {
        let is_there = all
            .iter()
            .flat_map(|host| &host.devices)
            .any(|device| device.is_wanted);
        if !is_there {
            output.remark(format!(
                "loquat: none of them is \"{wanted}\", which speech.device names"
            ));
            return Exit::Failed;
        }
    }
    let can_be_heard = |host: &HostDevices| host.devices.iter().any(is_usable);
    if all.iter().any(can_be_heard) {
        Exit::Ok
    } else {
        Exit::Failed
    }
}

/// Marks what the settings name, and what the sound system takes by itself.
fn mark(device: &InputDevice) -> char {
    match (device.is_wanted, device.is_default) {
        (true, _) => '>',
        (false, true) => '*',
        (false, false) => ' ',
    }
}

fn is_usable(device: &InputDevice) -> bool {
    !matches!(device.state, DeviceState::Monitor | DeviceState::Unusable { .. })
}

fn standing(state: &DeviceState) -> String {
    match state {
        DeviceState::Ready => "ready".to_owned(),
        DeviceState::InUse => "in use, and can be heard all the same".to_owned(),
        DeviceState::Muted => {
            "muted: nothing is heard until it is switched on in the sound system".to_owned()
        }
        DeviceState::Faint { percent } => {
            format!("turned down to {percent} %: hardly anything is heard until it is turned up")
        }
        DeviceState::Monitor => "no microphone, it repeats what a loudspeaker plays".to_owned(),
        DeviceState::Unusable { reason } => format!("cannot be used: {reason}"),
        _ => "not known".to_owned(),
    }
}
