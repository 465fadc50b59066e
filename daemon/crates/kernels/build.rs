//! Says of which kernels the program will consist: of all, or, where `KERNELS_FOR` is `this-processor`, of the plain one
//! and the best of the machine that builds, for a program that is not carried elsewhere. Never compiles any.
#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells build scripts by the environment"
)]

#[path = "src/kernel.rs"]
#[expect(
    dead_code,
    unreachable_pub,
    reason = "of the file that the library shares only the best kernel's name is asked for"
)]
mod kernel;

use std::env;

fn main() -> Result<(), String> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/kernel.rs");
    println!("cargo:rerun-if-env-changed=KERNELS_FOR");
    match env::var("KERNELS_FOR").as_deref() {
        Err(_) | Ok("all") => Ok(()),
        Ok("this-processor") if env::var("TARGET") == env::var("HOST") => {
            let best = kernel::Kernel::best().name();
            println!("cargo:rustc-env=LOQUAT_BUILT_KERNEL={best}");
            Ok(())
        }
        Ok("this-processor") => {
            Err("KERNELS_FOR=this-processor cannot be had for another target; leave it out".into())
        }
        Ok(other) => Err(format!(
            "KERNELS_FOR is {other:?}; it must be \"all\" or \"this-processor\""
        )),
    }
}
