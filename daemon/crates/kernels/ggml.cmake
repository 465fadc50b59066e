# Read by the builds of whisper.cpp and llama.cpp at ggml's `project`: where a program is for this processor alone, ggml's
# arithmetic is compiled once, with what `Kernel::best` of kernel.rs asks of this processor. `built_as_chosen` of compile.rs
# refuses a build in which the two chose differently. Changes nothing of a program that has all kernels.
if(NOT "$ENV{KERNELS_FOR}" STREQUAL "this-processor")
    return()
endif()

file(STRINGS /proc/cpuinfo has REGEX "^(flags|Features)" LIMIT_COUNT 1)
string(REGEX REPLACE "[ \t:]+" ";" has "${has}")

# Puts into the variable whether the processor has all of what follows.
function(processor_has variable)
    set(${variable} TRUE PARENT_SCOPE)
    foreach(feature ${ARGN})
        if(NOT feature IN_LIST has)
            set(${variable} FALSE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

processor_has(has_avx2 avx2 fma f16c bmi2)
processor_has(has_avx512 avx2 fma f16c bmi2 avx512f avx512cd avx512vl avx512dq avx512bw avx512_vnni)
processor_has(has_sse42 sse4_2)
processor_has(has_dotprod asimddp fphp asimdhp)
processor_has(has_i8mm asimddp fphp asimdhp i8mm)
set(switches "")
if(has_avx512)
    set(switches AVX2 FMA F16C BMI2 AVX512 AVX512_VNNI)
elseif(has_avx2)
    set(switches AVX2 FMA F16C BMI2)
elseif(has_sse42)
    set(switches SSE42)
elseif(has_i8mm)
    set(GGML_CPU_ARM_ARCH "armv8.2-a+dotprod+fp16+i8mm" CACHE STRING "" FORCE)
elseif(has_dotprod)
    set(GGML_CPU_ARM_ARCH "armv8.2-a+dotprod+fp16" CACHE STRING "" FORCE)
endif()
foreach(switch ${switches})
    set(GGML_${switch} ON CACHE BOOL "" FORCE)
endforeach()

# Arithmetic is optimised in every build; what lies around it is not (.cargo/config.toml).
foreach(kind RELEASE RELWITHDEBINFO)
    set(CMAKE_C_FLAGS_${kind} "-O3 -DNDEBUG")
    set(CMAKE_CXX_FLAGS_${kind} "-O3 -DNDEBUG")
endforeach()
