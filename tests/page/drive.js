// Drives the page of a running daemon in a real browser: each function once, every view at two widths and in both colour
// schemes, looked through by axe. Prints one line a step; the first thing that is not as it should be ends it.
//
// Usage: PAGE_URL=address-that-lets-in PAGE_SHOTS=folder PAGE_SETTINGS=folder-of-loquat.toml PAGE_SPEECH=arguments-of-paplay node drive.js; packages are those of package.json.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const assert = require("node:assert/strict");

const peers = process.env.LOQUAT_PAGE_PEERS || path.join(os.homedir(), ".cache/loquat/peers/page");
const { chromium } = require(path.join(peers, "node_modules/playwright-core"));
const axe = fs.readFileSync(path.join(peers, "node_modules/axe-core/axe.min.js"), "utf8");

const URL_IN = process.env.PAGE_URL;
const SHOTS = process.env.PAGE_SHOTS;
const PATIENCE = 15_000;
// A small whisper on a busy machine.
const LONG = 60_000;
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const VIEWS = [
  "/", "/setup", "/timers", "/lists", "/memory", "/routines", "/settings", "/personas", "/personas/edit?from=kitchen", "/models",
  "/sound", "/check", "/turns", "/tools", "/log", "/search?q=a",
];
const WIDTHS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

const faults = [];

// A person says something in front of the microphone; the page goes on meanwhile.
const speak = () => new Promise((said, failed) => {
  const player = spawn("paplay", JSON.parse(process.env.PAGE_SPEECH), { stdio: "ignore" });
  player.on("error", failed).on("exit", (code) => (code ? failed(new Error(`paplay ended with ${code}`)) : said()));
});

// Nothing that a person with a screen reader or a keyboard cannot use.
const looked = async (page, name) => {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  const told = violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target} ${node.failureSummary}`));
  assert.deepEqual(told, [], `axe on ${name}`);
};

const shot = (page, name) => page.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: true });

const views = async (page, suffix) => {
  for (const [width, size] of Object.entries(WIDTHS)) {
    await page.setViewportSize(size);
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const view of VIEWS) {
        await page.goto(new URL(view, URL_IN).href);
        const name = `${view.slice(1).replace(/\W/g, "-") || "now"}-${width}-${scheme}${suffix}`;
        await looked(page, name);
        await shot(page, name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} pixels too wide`);
      }
    }
  }
  await page.setViewportSize(WIDTHS.desktop);
  await page.emulateMedia({ colorScheme: "light" });
};

// What is in sight of a phone without scrolling.
const inSight = async (page, place) => {
  const box = await place.boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= page.viewportSize().height, `${place} is out of sight`);
};

const open = (page, view) => page.goto(new URL(view, URL_IN).href);
const seen = (place) => place.waitFor({ state: "visible", timeout: PATIENCE });
const notice = async (page, words) => seen(page.locator("#notice", { hasText: words }));

// A tool is tried with these arguments; the turn that comes of it is open then.
const tried = async (page, tool, fields) => {
  await open(page, `/tools/${tool}`);
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`[name="arg:${name}"]`);
    const is = await field.evaluate((element) => element.tagName);
    await (is === "SELECT" ? field.selectOption(value) : field.fill(value));
  }
  await page.getByRole("button", { name: "Try it" }).click();
  await page.waitForURL(/\/turns\//);
};

const STEPS = {
  "lets in once": async (page) => {
    await page.goto(URL_IN);
    await seen(page.getByRole("heading", { name: "Set up this device", level: 1 }));
    await page.goto(URL_IN);
    await seen(page.getByText("was used already"));
    await looked(page, "way in");
    await shot(page, "enter-desktop-light");
    await open(page, "/");
  },
  "a typed question is answered while the view is open": async (page) => {
    await seen(page.getByText("Nothing was said yet."));
    await page.getByLabel("Type to the device").fill("What is six times seven?");
    await page.keyboard.press("Enter");
    await seen(page.locator(".lines").getByText("What is six times seven?"));
    await seen(page.locator("#lines .device").getByText("It is 42.").first());
    await seen(page.locator("#turns .badge.good").first());
    await seen(page.locator("#turns").getByText("What is six times seven?"));
    assert.equal(await page.getByText("Nothing was said yet.").isVisible(), false);
  },
  "another browser is asked once whether it shows what was said, and keeps that": async (page) => {
    const question = page.getByRole("heading", { name: "May this browser show what was said?" });
    await open(page, "/timers");
    assert.equal(await question.isVisible(), false, "nothing is covered");
    await page.getByLabel("How long").fill("1 hour");
    await page.getByLabel("For what").fill("surprise cake");
    await page.getByRole("button", { name: "Set the timer" }).click();
    await seen(page.locator(".rows .veiled"));
    await seen(question);
    await looked(page, "choice");
    await shot(page, "choice-desktop-light");
    await page.getByRole("button", { name: "Keep it covered" }).click();
    await page.waitForLoadState();
    assert.equal(await question.count(), 0, "it is asked once");
    await open(page, "/search?q=surprise");
    await seen(page.getByText("What is covered was not looked through"));
    assert.equal(await page.getByText("cake").count(), 0);
    await looked(page, "search of what is covered");
    await shot(page, "found-covered-desktop-light");
    await open(page, "/timers");
    await page.getByRole("button", { name: "Show what was said" }).click();
    await page.waitForLoadState();
    await page.getByRole("button", { name: "Hide what was said" }).click();
    await page.waitForLoadState();
    await page.getByRole("button", { name: "Show what was said" }).click();
    await seen(page.locator(".rows").getByText("surprise cake"));
    await page.getByRole("button", { name: /Delete the timer/ }).click();
    await page.waitForLoadState();
    const cookies = await page.context().cookies();
    assert.ok(cookies.some(({ name, value, httpOnly }) => name === "loquat_words" && value === "shown" && httpOnly));
  },
  "the device is set up on its first view": async (page) => {
    await open(page, "/");
    await page.getByRole("link", { name: "Set it up" }).click();
    await seen(page.getByRole("heading", { name: "Set up this device", level: 1 }));
    await page.getByText("Write the coordinates instead").click();
    await page.getByLabel("What it is called").fill("Lisbon");
    await page.getByLabel("Degrees north").fill("38.72");
    await page.getByLabel("Degrees east").fill("-9.14");
    await page.locator("#coordinates").getByRole("button", { name: "Save" }).click();
    await notice(page, "counts from now on");
    await seen(page.getByText("Lisbon (latitude 38.72"));
    await page.locator("#units").getByLabel("Measures are told in").selectOption("imperial");
    await page.locator("#units").getByRole("button", { name: "Save" }).click();
    await notice(page, "counts from now on");
    await page.getByRole("button", { name: "Done" }).click();
    await notice(page, "set up");
    assert.equal(await page.getByText("not set up yet").count(), 0);
    const written = fs.readFileSync(path.join(process.env.PAGE_SETTINGS, "loquat.toml"), "utf8");
    assert.ok(/latitude = 38\.72/.test(written) && /units = "imperial"/.test(written), written);
  },
  "a phone shows the input without scrolling, and its menu whole": async (page) => {
    await page.setViewportSize(WIDTHS.phone);
    await open(page, "/");
    await inSight(page, page.getByLabel("Type to the device"));
    await inSight(page, page.getByRole("button", { name: "Send" }));
    await page.getByRole("button", { name: "Menu" }).click();
    for (const name of ["Now", "Routines", "Settings", "Log", "Leave"]) {
      await inSight(page, page.locator("nav").getByText(name, { exact: true }));
    }
    await looked(page, "menu");
    await shot(page, "menu-phone-light");
    await page.locator("nav").getByRole("link", { name: "Timers" }).click();
    await seen(page.getByRole("heading", { name: "Timers, alarms and reminders" }));
    await page.setViewportSize(WIDTHS.desktop);
  },
  "a turn shows its brain and tool calls, prompts and observations": async (page) => {
    await open(page, "/");
    await page.locator("#turns a", { hasText: "six times seven" }).click();
    await seen(page.getByRole("heading", { name: "What happened" }));
    const tool = page.locator(".waterfall .tool summary").first();
    await tool.focus();
    await page.keyboard.press("Enter");
    await seen(page.locator(".tool .inside").getByText("42").first());
    await page.locator(".waterfall .brain summary").first().click();
    await seen(page.locator(".brain .inside").getByRole("heading", { name: "Instructions" }).first());
    await looked(page, "turn");
    await shot(page, "turn-desktop-light");
    await page.setViewportSize(WIDTHS.phone);
    await looked(page, "turn on a phone");
    await shot(page, "turn-phone-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await looked(page, "turn on a phone at night");
    await shot(page, "turn-phone-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(WIDTHS.desktop);
  },
  "a tool is tried": async (page) => {
    await open(page, "/tools");
    await page.getByRole("link", { name: "evaluate_expression" }).first().click();
    await seen(page.getByRole("button", { name: "Try it" }));
    await looked(page, "tool");
    await shot(page, "tool-desktop-light");
    await page.locator('[name="arg:expression"]').fill("12 * 12");
    await page.getByRole("button", { name: "Try it" }).click();
    await page.locator(".waterfall .tool summary").first().click();
    await seen(page.locator(".tool .inside").getByText("144").first());
  },
  "a tool that may do harm asks, and is run by a yes only": async (page) => {
    const list = { list: "shopping" };
    await tried(page, "loquat-list-tools/add_to_list", { items: "milk", ...list });
    await seen(page.locator(".badge.good"));
    await tried(page, "loquat-list-tools/clear_list", list);
    await seen(page.getByText("May this run?"));
    await looked(page, "question");
    await shot(page, "question-desktop-light");
    await page.getByRole("button", { name: "No", exact: true }).click();
    await seen(page.locator(".waterfall").getByText("failed").first());
    await open(page, "/lists");
    await seen(page.getByText("milk").or(page.locator(".rows .veiled")).first());
    await tried(page, "loquat-list-tools/clear_list", list);
    await page.getByRole("button", { name: "Yes, run it" }).click();
    await seen(page.locator(".waterfall .tool").first());
    await open(page, "/lists");
    await seen(page.getByText("Nothing is on any list"));
  },
  "a timer is set and taken away": async (page) => {
    await open(page, "/timers");
    await seen(page.getByText("Nothing is set."));
    await page.getByLabel("How long").fill("10 minutes");
    await page.getByLabel("For what").fill("pasta");
    await page.getByRole("button", { name: "Set the timer" }).click();
    await notice(page, "timer set for 10 minutes");
    const left = page.locator("[data-left]");
    const before = await left.innerText();
    await page.waitForFunction((before) => document.querySelector("[data-left]").innerText !== before, before);
    await looked(page, "timers");
    await shot(page, "timers-full-desktop-light");
    await page.locator("summary", { hasText: "Change" }).click();
    await page.getByLabel("How long from now").fill("2 hours");
    await page.locator(".change").getByRole("button", { name: "Change" }).click();
    await seen(page.locator("#notice:not(.fault)"));
    await seen(page.locator("[data-left]", { hasText: /^(2:00:00|1:59:)/ }));
    await page.getByRole("button", { name: /Pause the timer/ }).click();
    await seen(page.getByText("left, paused"));
    await page.getByRole("button", { name: /Go on the timer/ }).click();
    await seen(page.locator("[data-left]"));
    await page.getByRole("button", { name: /Delete the timer/ }).click();
    await notice(page, "cancelled");
    await seen(page.getByText("Nothing is set."));
  },
  "what cannot be a time is refused with the tool's own reason": async (page) => {
    await open(page, "/timers");
    await page.getByLabel("How long").fill("purple");
    await page.getByRole("button", { name: "Set the timer" }).click();
    await seen(page.locator("#notice.fault", { hasText: "purple" }));
  },
  "routines are set, and deleted": async (page) => {
    await open(page, "/routines");
    await seen(page.getByText("Nothing is done by itself."));
    await page.getByLabel("What to do", { exact: true }).fill("what time is it");
    await page.locator("#deed-time").fill("7 am");
    await page.getByLabel("How often").selectOption("daily");
    await page.getByRole("button", { name: "Keep it" }).first().click();
    await notice(page, "every day");
    await seen(page.getByText("again every day"));
    await page.getByLabel("When I say").fill("good night");
    await page.getByLabel("Do this, a line each").fill("set a timer for 5 minutes");
    await page.getByRole("button", { name: "Keep it" }).nth(1).click();
    // The sentences of skills are off in this home, and a routine holds nothing else.
    await notice(page, "do not understand this step");
    await looked(page, "routines");
    await shot(page, "routines-full-desktop-light");
    await page.getByRole("button", { name: /Delete the deed/ }).click();
    await seen(page.getByText("Nothing is done by itself."));
  },
  "another persona is chosen for the conversation, which begins anew and goes on": async (page) => {
    await open(page, "/");
    await page.getByRole("button", { name: "Tester answers" }).click();
    await seen(page.getByRole("heading", { name: "Who answers in this conversation?" }));
    await seen(page.locator("#personas [aria-current]", { hasText: "Tester" }));
    await looked(page, "personas to choose from");
    await shot(page, "choose-persona-desktop-light");
    await page.keyboard.press("Escape");
    await page.locator("#personas").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Tester answers" }).click();
    await page.locator("#personas").getByRole("button", { name: /^Pirate/ }).click();
    await notice(page, "Pirate answers in this conversation.");
    await page.getByLabel("Type to the device").fill("Who is there?");
    await page.keyboard.press("Enter");
    await seen(page.locator("#lines .device", { hasText: "Arr, it is me." }).getByText("Pirate"));
    await page.getByRole("button", { name: "New conversation" }).click();
    await seen(page.locator("#lines .mark", { hasText: "A new conversation begins." }));
    await seen(page.getByRole("button", { name: "Tester answers" }));
    await seen(page.locator("#lines").getByText("Arr, it is me."));
    await looked(page, "new conversation");
    await shot(page, "new-conversation-desktop-light");
    await page.setViewportSize(WIDTHS.phone);
    await page.emulateMedia({ colorScheme: "dark" });
    await inSight(page, page.getByLabel("Type to the device"));
    await looked(page, "new conversation on a phone");
    await shot(page, "new-conversation-phone-dark");
    await page.getByRole("button", { name: "Tester answers" }).click();
    await seen(page.getByRole("heading", { name: "Who answers in this conversation?" }));
    await looked(page, "personas to choose from on a phone");
    await shot(page, "choose-persona-phone-dark");
    await page.keyboard.press("Escape");
    await page.setViewportSize(WIDTHS.desktop);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Go on with the one before" }).click();
    await seen(page.locator("#lines .mark", { hasText: "goes on" }));
    assert.equal(await page.getByRole("button", { name: "Go on with the one before" }).count(), 0);
  },
  "each view has its icon, which nobody hears": async (page) => {
    await open(page, "/");
    const [links, icons] = await page.evaluate(() => [
      document.querySelectorAll("nav a").length, document.querySelectorAll("nav a > svg.icon[aria-hidden=true]").length,
    ]);
    assert.ok(links > 10 && links === icons, `${icons} icons of ${links} views`);
    const drawn = await page.locator("nav a > svg.icon").evaluateAll((all) => all.map((one) => one.innerHTML));
    assert.equal(new Set(drawn).size, drawn.length, "each is another one");
    await seen(page.locator("nav").getByRole("link", { name: "Timers", exact: true }));
  },
  "a search finds what was said, kept and set, and leads there": async (page) => {
    await open(page, "/lists");
    await page.getByLabel("Add to the shopping list").fill("quokka food");
    await page.getByRole("button", { name: "Add", exact: true }).first().click();
    await open(page, "/timers");
    await page.getByLabel("How long").fill("1 hour");
    await page.getByLabel("For what").fill("quokka pie");
    await page.getByRole("button", { name: "Set the timer" }).click();
    await open(page, "/turns");
    // A key leads to the field, and is a letter where something is typed.
    await page.keyboard.press("/");
    await page.keyboard.type("quokka/");
    assert.equal(await page.locator("#search-field").inputValue(), "quokka/");
    await page.locator("#search-field").fill("quokka");
    await page.keyboard.press("Enter");
    await seen(page.getByText("2 places were found."));
    await looked(page, "found");
    await shot(page, "found-desktop-light");
    await page.getByRole("link", { name: /quokka pie/ }).click();
    await seen(page.locator("li:target, li.sought", { hasText: "quokka pie" }));
    await shot(page, "found-place-desktop-light");
    await page.getByRole("button", { name: /Delete the timer/ }).click();
    await seen(page.getByText("Quokka pie timer cancelled."));
    await page.goBack();
    await page.getByLabel("Search this device").last().fill("seven");
    await page.keyboard.press("Enter");
    await page.locator("section", { hasText: "Conversation" }).getByRole("link").first().click();
    await page.waitForURL(/#line/);
    await inSight(page, page.locator(".sought, :target").last());
    await open(page, "/search?q=words_per_minute");
    await page.getByRole("link", { name: /words_per_minute/ }).first().click();
    await inSight(page, page.getByLabel("Words per minute"));
    await page.setViewportSize(WIDTHS.phone);
    await page.emulateMedia({ colorScheme: "dark" });
    await open(page, "/search?q=quokka");
    await looked(page, "found on a phone");
    await shot(page, "found-phone-dark");
    await page.getByRole("link", { name: /quokka food/ }).click();
    await seen(page.locator("section:target"));
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Delete list" }).first().click();
    await seen(page.getByText("Nothing is on any list."));
    await page.keyboard.press("/");
    await page.waitForURL(/\/search$/);
    await seen(page.getByText("It looks through"));
    await open(page, "/search?q=wombat");
    await seen(page.getByText("Nothing was found for"));
    await seen(page.getByText("Looked through:"));
    await looked(page, "nothing found");
    await shot(page, "found-nothing-phone-dark");
    await page.setViewportSize(WIDTHS.desktop);
    await page.emulateMedia({ colorScheme: "light" });
  },
  "something is put on a list and taken off": async (page) => {
    await open(page, "/lists");
    await page.getByLabel("Add to the shopping list").fill("milk and eggs");
    await page.getByRole("button", { name: "Add", exact: true }).first().click();
    await seen(page.locator(".rows").getByText("milk"));
    await looked(page, "lists");
    await shot(page, "lists-full-desktop-light");
    await page.getByRole("button", { name: "Take off number 1" }).click();
    await notice(page, "Taken off");
    assert.equal(await page.locator(".rows").getByText("milk").count(), 0);
    await page.locator("summary", { hasText: "Change" }).click();
    await page.getByLabel("What it says").fill("twelve eggs");
    await page.locator(".change").getByRole("button", { name: "Change" }).click();
    await seen(page.locator(".rows").getByText("twelve eggs"));
    await page.getByLabel("Begin another list").fill("packing list");
    await page.getByRole("button", { name: "Begin" }).click();
    await seen(page.getByText("Nothing is on it yet."));
    for (const left of [1, 0]) {
      page.once("dialog", (dialog) => dialog.accept());
      await page.getByRole("button", { name: "Delete list" }).first().click();
      await page.waitForFunction((left) => document.querySelectorAll("section.card").length === left, left);
    }
    await seen(page.getByText("Nothing is on any list."));
  },
  "something is remembered and forgotten": async (page) => {
    await open(page, "/memory");
    await page.getByLabel("Have something remembered").fill("the bins go out on Tuesday");
    await page.getByRole("button", { name: "Remember" }).click();
    await seen(page.locator(".rows").getByText("the bins go out"));
    await looked(page, "memory");
    await shot(page, "memory-full-desktop-light");
    await page.locator("summary", { hasText: "Change" }).click();
    await page.getByLabel("What is remembered").fill("the bins go out on Friday");
    await page.locator(".change").getByRole("button", { name: "Change" }).click();
    await seen(page.locator(".rows").getByText("on Friday"));
    assert.equal(await page.locator(".rows").getByText("on Tuesday").count(), 0);
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: /^Forget number/ }).click();
    await notice(page, "Forgotten");
  },
  "personas and settings are shown with their sources, and read again": async (page) => {
    await open(page, "/personas");
    await seen(page.getByRole("heading", { name: /Tester/ }));
    await page.getByRole("article", { name: "Tester" }).getByText("How it answers").click();
    await seen(page.getByRole("article", { name: "Tester" }).getByText("Tester.json"));
    await open(page, "/settings");
    await page.locator("summary", { hasText: "[page]" }).click();
    await seen(page.locator("details[open] .source", { hasText: "loquat.toml:" }).first());
    await page.getByRole("button", { name: "Read settings and personas again" }).click();
    await notice(page, "personas: ");
  },
  "a persona is made of a sample, checked, used, edited and deleted": async (page) => {
    await open(page, "/personas");
    await page.getByLabel("A persona of your own").selectOption("kitchen");
    await page.getByRole("button", { name: "New persona" }).click();
    await page.getByLabel("Name").fill("Baker");
    await page.getByText("The rest of its file").click();
    const rest = page.getByLabel("As JSON");
    const right = await rest.inputValue();
    await rest.fill(right.replace('"ovos-react-loop"', '"ovos-react-lop"').replace("handlers", "handlerz"));
    await page.getByRole("button", { name: "Check and save" }).click();
    await seen(page.getByText("nothing is saved"));
    await looked(page, "persona with a mistake");
    await shot(page, "persona-mistake-desktop-light");
    await page.getByLabel("As JSON").fill(right);
    await page.getByRole("button", { name: "Only check" }).click();
    await seen(page.getByText("It can answer."));
    await page.getByRole("button", { name: "Check and save" }).click();
    await notice(page, "It is saved");
    await page.getByRole("button", { name: "Use this one: Baker" }).click();
    await notice(page, "Baker answers from now on");
    await seen(page.getByRole("article", { name: "Baker" }).getByText("answers", { exact: true }));
    await page.getByRole("link", { name: "Edit Baker" }).click();
    await page.getByLabel("What it is for").fill("Bakes.");
    await page.getByRole("button", { name: "Check and save" }).click();
    await seen(page.getByRole("article", { name: "Baker" }).getByText("Bakes."));
    await page.getByRole("button", { name: "Use this one: Tester" }).click();
    await notice(page, "Tester answers from now on");
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Delete Baker" }).click();
    await notice(page, "It is deleted");
    assert.equal(await page.getByRole("article", { name: "Baker" }).count(), 0);
  },
  "a model is fetched, and how that goes is told": async (page) => {
    await open(page, "/models");
    await page.getByRole("button", { name: "Fetch hey_mycroft" }).click();
    await seen(page.locator("#fetching").getByText(/failed to|is there/));
    await looked(page, "models");
    await shot(page, "models-full-desktop-light");
  },
  "a sentence is spoken": async (page) => {
    await open(page, "/sound");
    await page.getByLabel("To be spoken").fill("Testing one two three");
    await page.getByRole("button", { name: "Speak" }).click();
    await notice(page, "being spoken");
    await open(page, "/");
    await seen(page.locator("#lines .device").getByText("Testing one two three"));
  },
  "the microphone's level moves": async (page) => {
    await open(page, "/sound");
    const said = speak();
    await page.waitForFunction(() => document.getElementById("level").value > 4, undefined, { timeout: PATIENCE });
    await looked(page, "sound");
    await shot(page, "sound-loud-desktop-light");
    await said;
  },
  "what is heard is seen while it is heard": async (page) => {
    await open(page, "/");
    const before = await page.locator("#lines .person").count();
    await page.getByRole("button", { name: "Listen now" }).click();
    await page.waitForLoadState();
    await speak();
    await page.locator("#half-heard", { hasText: "hears" }).waitFor({ state: "visible", timeout: LONG });
    await page.locator("#lines .person").nth(before).waitFor({ state: "visible", timeout: LONG });
    await page.locator("#lines .device").last().waitFor({ state: "visible", timeout: LONG });
  },
  "the device is stopped": async (page) => {
    await open(page, "/");
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.waitForLoadState();
    assert.equal(await page.locator("#notice.fault").count(), 0);
  },
  "speed and model are chosen, and a wrong one is refused": async (page) => {
    await open(page, "/settings");
    const save = (form) => page.locator(form).getByRole("button", { name: "Save" }).click();
    await page.getByLabel("Words per minute").fill("200");
    await save("#voice");
    await notice(page, "counts from now on");
    assert.equal(await page.getByLabel("Words per minute").inputValue(), "200");
    await page.getByLabel("Words per minute").fill("a lot");
    await save("#voice");
    await seen(page.locator("#notice.fault", { hasText: "words_per_minute" }));
    await save("#model");
    await notice(page, "Nothing was to be changed");
    await page.getByLabel("It listens when it hears").selectOption("alexa");
    await save("#wake-word");
    await notice(page, "speech.wake_word");
  },
  "a mistake in the settings is told, and stops nothing": async (page) => {
    const settings = path.join(process.env.PAGE_SETTINGS, "loquat.toml");
    const right = fs.readFileSync(settings);
    fs.appendFileSync(settings, '\n[dessk]\npersona = "Tester"\n');
    await open(page, "/settings");
    await page.getByRole("button", { name: "Read settings and personas again" }).click();
    await seen(page.locator("#notice.fault", { hasText: "dessk" }));
    await open(page, "/check");
    await seen(page.getByText("dessk").first());
    await looked(page, "check with a mistake");
    await shot(page, "check-mistake-desktop-light");
    fs.writeFileSync(settings, right);
    await open(page, "/settings");
    await page.getByRole("button", { name: "Read settings and personas again" }).click();
    await notice(page, "personas: ");
    await open(page, "/check");
    assert.equal(await page.getByText("dessk").count(), 0);
    await seen(page.locator("dd strong", { hasText: "ok" }).first());
  },
  "a conversation is forgotten": async (page) => {
    await open(page, "/settings");
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Forget this conversation" }).click();
    await notice(page, "forgotten");
  },
  "the log grows": async (page) => {
    await open(page, "/log");
    const lines = page.locator(".log", { hasText: "read again" });
    await seen(lines);
    const before = (await lines.innerText()).length;
    const other = await page.context().newPage();
    await open(other, "/settings");
    await other.getByRole("button", { name: "Read settings and personas again" }).click();
    await notice(other, "personas: ");
    await other.close();
    await page.waitForFunction((least) => document.querySelector(".log").innerText.length > least, before);
  },
  "the view goes on after the browser was offline": async (page) => {
    await open(page, "/");
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.getByLabel("Type to the device").fill("What is six times seven?");
    const before = await page.locator("#lines .device").count();
    await page.keyboard.press("Enter");
    await seen(page.locator("#lines .device").nth(before));
  },
  "every view is fit for everybody": (page) => views(page, ""),
  "leaving shuts the door": async (page) => {
    await open(page, "/");
    await page.getByRole("button", { name: "Leave" }).click();
    await seen(page.getByText("loquat page", { exact: true }));
    const answer = await page.goto(new URL("/turns", URL_IN).href);
    assert.equal(answer.status(), 401);
  },
};

const main = async () => {
  fs.mkdirSync(SHOTS, { recursive: true });
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
  const context = await browser.newContext({ viewport: WIDTHS.desktop });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("console", (said) => {
    // The browser says so of every refusal and of the lost connection, which some steps ask for.
    if (said.type() === "error" && !/status of 40[14]|ERR_INTERNET_DISCONNECTED/.test(said.text())) faults.push(`console: ${said.text()}`);
  });
  const only = process.env.PAGE_STEPS?.split(",");
  for (const [name, step] of Object.entries(STEPS)) {
    if (only && !only.some((part) => name.includes(part))) continue;
    const since = Date.now();
    try {
      await step(page);
    } catch (error) {
      await shot(page, "failed");
      throw new Error(`${name}: ${error.message}`);
    }
    assert.deepEqual(faults, [], name);
    console.log(`ok ${name} (${Date.now() - since} ms)`);
  }
  await browser.close();
};

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
