//! The machine that figures come from, without which they mean nothing: what a table says of it.

use std::{fs, thread};

/// Tells the processor, the number of cores, the memory and how busy the machine is now.
pub fn told() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{cores} cores of {}, {} GiB of memory, load average {}",
        processor(),
        memory_gibibytes(),
        load()
    )
}

/// The load averages of the last one, five and fifteen minutes.
pub fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

fn processor() -> String {
    field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn memory_gibibytes() -> u64 {
    let kibibytes = field("/proc/meminfo", "MemTotal");
    let number = kibibytes.and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    number.unwrap_or_default() >> 20
}

/// Finds the first value of this name in a file of `name: value` lines.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = lines.find(|(own, _)| own.trim() == name)?;
    Some(value.trim().to_owned())
}
