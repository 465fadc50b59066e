# Read by the build of llama.cpp behind its `project`: leaves out its library for programs ("common"), which llama-cpp-sys-2
# asks for by default and nothing of ours links. Changes nothing else.
set(LLAMA_BUILD_COMMON OFF CACHE BOOL "" FORCE)
