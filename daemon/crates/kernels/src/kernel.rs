//! One kernel: what it is called, what it needs of the processor, and whether that is there. Never compiles any.

use std::fmt;
use std::str::FromStr;

/// ggml's arithmetic for one kind of processor. `Display` is for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    pub(crate) name: &'static str,
    title: &'static str,
    /// What the processor must have, as both Rust and gcc call it.
    pub(crate) needs: &'static [&'static str],
}

/// Lists those of an architecture, the plain one first and the fastest last.
pub(crate) fn of(architecture: &str) -> &'static [Kernel] {
    match architecture {
        "x86_64" => X86_64,
        "aarch64" => AARCH64,
        _ => PLAIN,
    }
}

const PLAIN: &[Kernel] = &[kernel("plain", "plain", &[])];

// Quantised weights gain nothing from BF16 and VBMI.
const X86_64: &[Kernel] = &[
    kernel("plain", "plain (SSE2)", &[]),
    kernel("sse42", "SSE4.2", &["sse4.2"]),
    kernel("avx2", "AVX2", &["avx2", "fma", "f16c", "bmi2"]),
    kernel(
        "avx512",
        "AVX-512 (VNNI)",
        &[
            "avx2",
            "fma",
            "f16c",
            "bmi2",
            "avx512f",
            "avx512cd",
            "avx512vl",
            "avx512dq",
            "avx512bw",
            "avx512vnni",
        ],
    ),
];

const AARCH64: &[Kernel] = &[
    kernel("plain", "plain (NEON)", &[]),
    kernel("dotprod", "NEON (dot product)", &["dotprod", "fp16"]),
    kernel("i8mm", "NEON (matrices of bytes)", &["dotprod", "fp16", "i8mm"]),
];

const fn kernel(name: &'static str, title: &'static str, needs: &'static [&'static str]) -> Kernel {
    Kernel { name, title, needs }
}

impl Kernel {
    /// Finds the fastest that this processor can run.
    pub fn best() -> Self {
        let usable = Self::usable().last();
        usable.unwrap_or(kernel("plain", "plain", &[]))
    }

    /// Those of this program that this processor can run, the fastest last.
    pub fn usable() -> impl Iterator<Item = Self> {
        let all = of(std::env::consts::ARCH).iter().copied();
        all.filter(|kernel| kernel.is_part_of(option_env!("LOQUAT_BUILT_KERNEL")))
            .filter(|kernel| kernel.needs.iter().all(|feature| is_there(feature) == Some(true)))
    }

    /// Tells whether a program has it that was built with all kernels, or with the named one alone.
    pub(crate) fn is_part_of(self, built: Option<&str>) -> bool {
        built.is_none_or(|name| name == self.name)
    }

    /// Its short name, by which it is asked for.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Tells whether it brings most of a model's weights into an order of its own, as a copy of those in the
    /// file.
    pub fn reorders_weights(self) -> bool {
        ["avx2", "dotprod"]
            .iter()
            .any(|feature| self.needs.contains(feature))
    }

    /// Gives the number by which the program knows it.
    pub fn number(self) -> u32 {
        let position = of(std::env::consts::ARCH).iter().position(|other| *other == self);
        position
            .and_then(|position| u32::try_from(position).ok())
            .unwrap_or(0)
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title)
    }
}

/// There is none of this name for this processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownKernel;

impl fmt::Display for UnknownKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Kernel::usable().map(|kernel| kernel.name).collect();
        write!(f, "this processor runs {}", names.join(", "))
    }
}

impl std::error::Error for UnknownKernel {}

impl FromStr for Kernel {
    type Err = UnknownKernel;

    fn from_str(name: &str) -> Result<Self, UnknownKernel> {
        Self::usable()
            .find(|kernel| kernel.name == name)
            .ok_or(UnknownKernel)
    }
}

macro_rules! ask_processor {
    ($is_detected:ident, $($feature:tt),+) => {
        /// Tells whether the processor has a feature; `None` for one that is not asked about.
        fn is_there(feature: &str) -> Option<bool> {
            match feature {
                $($feature => Some(std::arch::$is_detected!($feature)),)+
                _ => None,
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
ask_processor!(
    is_x86_feature_detected,
    "sse4.2",
    "avx2",
    "fma",
    "f16c",
    "bmi2",
    "avx512f",
    "avx512cd",
    "avx512vl",
    "avx512dq",
    "avx512bw",
    "avx512vnni"
);

#[cfg(target_arch = "aarch64")]
ask_processor!(is_aarch64_feature_detected, "dotprod", "fp16", "i8mm");

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn is_there(_: &str) -> Option<bool> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_kernel_needs_nothing() {
        for architecture in ["x86_64", "aarch64", "riscv64"] {
            assert!(of(architecture)[0].needs.is_empty());
        }
        assert_eq!(of("x86_64")[0].name(), "plain");
    }

    #[test]
    fn the_best_kernel_has_all_that_it_needs() {
        let best = Kernel::best();
        assert!(best.needs.iter().all(|feature| is_there(feature) == Some(true)));
        assert_eq!(Kernel::usable().last(), Some(best));
    }

    #[test]
    fn a_program_for_one_processor_has_one_kernel() {
        let of_one: Vec<_> = X86_64
            .iter()
            .filter(|kernel| kernel.is_part_of(Some("avx2")))
            .map(|kernel| kernel.name)
            .collect();
        assert_eq!(of_one, ["avx2"]);
        assert!(X86_64.iter().all(|kernel| kernel.is_part_of(None)));
    }

    #[test]
    fn what_is_asked_of_the_processor_is_known() {
        for kernel in of(std::env::consts::ARCH) {
            for feature in kernel.needs {
                assert!(is_there(feature).is_some(), "{feature} is never asked about");
            }
        }
        let unknown = "avx1024".parse::<Kernel>().unwrap_err().to_string();
        assert!(unknown.ends_with(Kernel::best().name()), "{unknown}");
    }
}
