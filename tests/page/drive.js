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
const VIEWS = ["/", "/turns", "/tools", "/timers", "/lists", "/memory", "/personas", "/settings", "/models", "/sound", "/check", "/log"];
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
        const name = `${view.slice(1) || "now"}-${width}-${scheme}${suffix}`;
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
    await seen(page.getByRole("heading", { name: "Now", level: 1 }));
    await page.goto(URL_IN);
    await seen(page.getByText("was used already"));
    await looked(page, "way in");
    await shot(page, "enter-desktop-light");
    await open(page, "/");
  },
  "a typed question is answered while the view is open": async (page) => {
    await page.getByLabel("Type to the device").fill("What is six times seven?");
    await page.keyboard.press("Enter");
    await seen(page.locator(".lines .device .veiled"));
    assert.equal(await page.locator("main", { hasText: "six times" }).count(), 0, "words are hidden");
    await seen(page.locator("#turns .badge.good").first());
  },
  "what was said is shown when asked for, and hidden again": async (page) => {
    await page.getByRole("button", { name: "Show what was said" }).click();
    await seen(page.locator(".lines").getByText("What is six times seven?"));
    await seen(page.locator(".lines .device").getByText("It is 42.").first());
    await page.getByRole("button", { name: "Hide what was said" }).click();
    await seen(page.locator(".lines .device .veiled").first());
    await page.getByRole("button", { name: "Show what was said" }).click();
  },
  "a turn shows its brain and tool calls, prompts and observations": async (page) => {
    await page.locator("#turns a").first().click();
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
    await tried(page, "loquat-alert-tools/set_timer", { duration: "10 minutes", name: "pasta" });
    await seen(page.locator(".badge.good"));
    await open(page, "/timers");
    await seen(page.getByText("timer", { exact: true }));
    await looked(page, "timers");
    await shot(page, "timers-full-desktop-light");
    await page.getByRole("button", { name: /Take away the timer/ }).click();
    await notice(page, "taken away");
  },
  "something is put on a list and taken off": async (page) => {
    await tried(page, "loquat-list-tools/add_to_list", { items: "milk and eggs", list: "shopping" });
    await seen(page.locator(".badge.good"));
    await open(page, "/lists");
    await seen(page.getByText("milk"));
    await looked(page, "lists");
    await shot(page, "lists-full-desktop-light");
    await page.getByRole("button", { name: "Take off number 1" }).click();
    await notice(page, "Taken off: 1");
    assert.equal(await page.getByText("milk").count(), 0);
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Clear" }).click();
    await notice(page, "Taken off: 1");
  },
  "something is remembered and forgotten": async (page) => {
    await tried(page, "loquat-memory-tools/remember", { fact: "the bins go out on Tuesday" });
    await seen(page.locator(".badge.good"));
    await open(page, "/memory");
    await seen(page.getByText("the bins go out"));
    await looked(page, "memory");
    await shot(page, "memory-full-desktop-light");
    await page.getByRole("checkbox").first().check();
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Forget what is marked" }).click();
    await notice(page, "Forgotten: 1");
  },
  "personas and settings are shown with their sources, and read again": async (page) => {
    await open(page, "/personas");
    await seen(page.getByRole("heading", { name: /Tester/ }));
    await seen(page.getByRole("article", { name: "Tester" }).getByText("Tester.json"));
    await open(page, "/settings");
    await seen(page.getByText("loquat.toml:").first());
    await page.getByRole("button", { name: "Read settings and personas again" }).click();
    await notice(page, "personas: ");
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
    await seen(page.locator(".lines .device").getByText("Testing one two three"));
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
    const before = await page.locator(".lines .person").count();
    await page.getByRole("button", { name: "Listen now" }).click();
    await page.waitForLoadState();
    await speak();
    await page.locator("#half-heard", { hasText: "hears" }).waitFor({ state: "visible", timeout: LONG });
    await page.locator(".lines .person").nth(before).waitFor({ state: "visible", timeout: LONG });
    await page.locator(".lines .device").last().waitFor({ state: "visible", timeout: LONG });
  },
  "the device is stopped": async (page) => {
    await open(page, "/");
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.waitForLoadState();
    assert.equal(await page.locator("#notice.fault").count(), 0);
  },
  "speed and model are chosen, and a wrong one is refused": async (page) => {
    await open(page, "/settings");
    await page.getByLabel("Words per minute").fill("200");
    await page.getByRole("button", { name: "Set the speed" }).click();
    await notice(page, "voice.words_per_minute is changed");
    assert.equal(await page.getByLabel("Words per minute").inputValue(), "200");
    await page.getByLabel("Words per minute").fill("a lot");
    await page.getByRole("button", { name: "Set the speed" }).click();
    await seen(page.locator("#notice.fault", { hasText: "words_per_minute" }));
    await page.getByRole("button", { name: "Use the model" }).click();
    await notice(page, "is changed");
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
    const before = await page.locator(".lines .device").count();
    await page.keyboard.press("Enter");
    await seen(page.locator(".lines .device").nth(before));
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
