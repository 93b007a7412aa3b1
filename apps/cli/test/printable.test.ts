import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { eventTypes } from "@findersfee/contract/webhooks/events";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { createOrganization } from "@findersfee/domain/organizations/create";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { Steps } from "../src/demo/steps.ts";
import { parserOutput, printJson, printLine, printList, printNotice, printOne } from "../src/print.ts";
import type { ForwardResponse } from "../src/webhooks/listen/forwarder.ts";
import { jsonPrinter, linePrinter } from "../src/webhooks/listen/printer.ts";
import { findersfee, serviceEnvironment } from "./command-line.ts";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));

/**
 * Characters that control a terminal: C0 and C1 controls, direction overrides, zero-width characters, Unicode
 * line breaks.
 */
const HARMFUL = /[^\P{C}\p{Cn}\p{Co}\n]|[\u2028\u2029]/u;

/** Clears the screen, opens a link (OSC 8), reverses the text, starts a C1 sequence, forges a line. */
const NASTY =
  "\u001b[2J\u001b]8;;http://evil.example\u0007x\u202e\u009b31m\u2066\r\nerror: forged\u2028\u{e0041}";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

afterEach(() => vi.restoreAllMocks());

/** Collects standard output and standard error. */
function capture(): string[] {
  const printed: string[] = [];
  const keep = (text: unknown) => {
    printed.push(String(text));
    return true;
  };
  vi.spyOn(console, "log").mockImplementation((line = "") => void keep(line));
  vi.spyOn(console, "error").mockImplementation((line = "") => void keep(line));
  vi.spyOn(process.stdout, "write").mockImplementation(keep);
  vi.spyOn(process.stderr, "write").mockImplementation(keep);
  return printed;
}

const character = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(...NASTY),
);
const anyText = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(""));

function answerOf(text: string, status: number | null): ForwardResponse {
  return {
    delivered: false,
    status,
    error_code: status === null ? "refused" : "http_status",
    error_message: text,
    response: text,
    duration_milliseconds: 1,
    retry_after_seconds: null,
    gone: false,
  };
}

function eventOf(text: string) {
  return {
    id: text,
    type: eventTypes[0],
    created_at: text,
    data: { email: text, campaign: { name: text } },
  };
}

it("prints no terminal control character for any text", async () => {
  const printed = capture();
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      printed.length = 0;
      const thing = { [`name${text}`]: text, list: [text, text] };
      printLine(text);
      printNotice(`error: ${text}`);
      parserOutput.writeErr(`error: unknown command '${text}'\n`);
      printOne(thing, { json: false });
      printList([thing, thing], { json: false, none: text });
      printList([], { json: false, none: text });
      const forwarding = { answer: answerOf(text, 500), attempts: 1, given_up: true };
      linePrinter.event(eventOf(text));
      linePrinter.retry(answerOf(text, null), 5);
      linePrinter.done(eventOf(text), forwarding);
      await new Steps(1, { json: false }).take(text, async () => ({ lines: [text], data: {} }));
      for (const line of printed) expect(line).not.toMatch(HARMFUL);
      // One line each: text cannot add lines. Only help has several.
      for (const line of printed.filter((line) => !line.includes("unknown command"))) {
        expect(line).not.toContain("\n");
      }
    }),
    { numRuns: 300 },
  );
});

it("prints JSON with the same text, escaped", async () => {
  const printed = capture();
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      printed.length = 0;
      printJson({ [text]: text });
      printOne({ text }, { json: true });
      printList([{ text }], { json: true, none: "" });
      jsonPrinter.done(eventOf(text), { answer: answerOf(text, 500), attempts: 1, given_up: false });
      await new Steps(1, { json: true }).take(text, async () => ({ lines: [], data: { text } }));
      for (const line of printed) expect(line).not.toMatch(HARMFUL);
      const [plain, item, list, event, step] = printed.map((line): unknown => JSON.parse(line));
      expect(plain).toEqual(JSON.parse(JSON.stringify({ [text]: text })));
      expect(item).toEqual({ text });
      expect(list).toEqual([{ text }]);
      expect(event).toMatchObject({ id: text, data: { email: text } });
      expect(step).toMatchObject({ title: text, data: { text } });
    }),
    { numRuns: 300 },
  );
});

it("sanitizes names from the database in tables, JSON and errors", async () => {
  const input = { name: `Acme ${NASTY}`, currency: "USD", subscription_status: "active" } as const;
  await createOrganization(test.database, input);
  const environment = serviceEnvironment(test.url);
  const table = await findersfee("org list", environment);
  expect(table.stdout).toContain("Acme \ufffd[2J\ufffd]8;;http://evil.example\ufffdx\ufffd");
  expect(table.stdout).not.toMatch(HARMFUL);
  expect(table.stdout.trim().split("\n")).toHaveLength(2);

  const json = await findersfee("org list --json", environment);
  expect(json.stdout).not.toMatch(HARMFUL);
  expect(JSON.parse(json.stdout)).toMatchObject([{ name: `Acme ${NASTY}`, test_of: null }]);

  for (const typed of [[NASTY], ["key", "list", "--org", NASTY], ["org", `--${NASTY}`]]) {
    const { code, stderr } = await findersfee(typed, environment);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(HARMFUL);
  }
});

it("logs JSON lines with the same text, escaped", async () => {
  const program = `
    import { createLogger } from "@findersfee/log/log";
    createLogger({ name: "test", level: "info", version: "1.2.3" }).info({ text: ${JSON.stringify(NASTY)} }, "logged");`;
  const parameters = ["--import", "tsx", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: join(SOURCES, "..") });
  expect(stdout).not.toMatch(HARMFUL);
  expect(JSON.parse(stdout)).toMatchObject({ text: NASTY, msg: "logged" });
});

it("writes to standard output and standard error in one place only", async () => {
  const files = await readdir(SOURCES, { recursive: true });
  const writers: string[] = [];
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    const source = await readFile(join(SOURCES, file), "utf8");
    if (/\bconsole\.|process\.std(out|err)\.write/.test(source)) writers.push(file);
  }
  // main.ts checks Node's version before it imports anything.
  expect(writers.sort()).toEqual(["main.ts", "print.ts"]);
});
