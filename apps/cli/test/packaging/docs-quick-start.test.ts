import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type CodeBlock, codeBlocksOf, ROOT } from "@findersfee/api/testing/openapi/documents";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { freePort } from "@findersfee/database/testing/free-port";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

/*
 * Executes the quick start block by block, with the service that it starts: files are saved under the name
 * after their fence, commands run in a shell in their folder, and values that a reader would copy from a
 * response (ids, the secret) are inserted where the next block needs them.
 */

const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const PROGRAM = inject("program");

/**
 * The service runs from the beginning. `npx findersfee` and `pnpm findersfee` are the command that was built for all tests. `pnpm
 * --filter … build` and `npm pack` run in the repository, as in the reader's clone, and everything else in the reader's folder.
 */
const PRELUDE = `set -euo pipefail
npm() { if [ "$1" = pack ]; then (cd "${ROOT}" && command npm "$@"); else command npm "$@" --offline --no-audit; fi; }
npx() {
  if [ "$1" = --yes ]; then shift; fi
  shift
  case "$1" in
    start) ;;
    findersfee) shift; command node "${PROGRAM}" "$@" ;;
    --filter) (cd "${ROOT}/packages/sdk" && command node --import "${TSX}" scripts/build.ts) ;;
    *) command node "${PROGRAM}" "$@" ;;
  esac
}
`;

let folder: string;
let own: TestDatabase;
let service: Running;
const running: Running[] = [];

/** The values that a reader has by now, by their placeholders. */
const known = new Map<string, string>();

interface Running {
  child: ChildProcess;
  output: string;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-quick-start-"));
  // The packed SDK belongs to this folder, not to another run.
  known.set("/tmp", folder);
  own = await createTestDatabase({ migrated: false });
  service = launch(process.execPath, [PROGRAM, "start"]);
  known.set("http://127.0.0.1:3000", await says(service, /API +(http:\S+)\/v1/));
  const organization = { name: "Demo", currency: "USD", subscription_status: "active" } as const;
  // Commands find the service by it, instead of at the default port.
  exported.set("FINDERSFEE_URL", known.get("http://127.0.0.1:3000") ?? "");
  known.set("ff_sk_…", (await createOrganization(own.database, organization)).api_key);
  known.set("4242", String(await freePort()));
  // Dates near today, so that the sample is always valid.
  const day_milliseconds = 24 * 60 * 60 * 1000;
  known.set("2027-01-31", new Date(Date.now() + 30 * day_milliseconds).toISOString().slice(0, 10));
  known.set("2026-11-20T09:00:00Z", new Date(Date.now() - day_milliseconds).toISOString());
});

afterAll(async () => {
  for (const { child } of running.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    // Including everything the shell started.
    process.kill(-(child.pid ?? 0), "SIGTERM");
    await once(child, "close");
  }
  await own.close();
  await rm(folder, { recursive: true });
});

function launch(program: string, parameters: string[], environment: Record<string, string> = {}): Running {
  const child = spawn(program, parameters, {
    cwd: folder,
    detached: true,
    env: {
      PATH: process.env.PATH ?? "",
      PORT: "0",
      DATA_DIR: join(folder, "data"),
      XDG_STATE_HOME: folder,
      DATABASE_URL: own.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOW_PRIVATE: "true",
      LOG_LEVEL: "warn",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const started = { child, output: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      started.output += chunk;
    });
  }
  running.push(started);
  return started;
}

/** Resolves with the match of `pattern` in the output, once there is one. */
async function says(one: Running, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(one.output);
    if (found !== null) return found[1] ?? found[0];
    if (one.child.exitCode !== null)
      throw new Error(`The process exited before printing ${pattern}: ${one.output}`);
    const { stdout, stderr } = one.child;
    const printed = [stdout, stderr].map((stream) => once(stream ?? one.child, "data"));
    await Promise.race([...printed, once(one.child, "close")]);
  }
}

/** A block with all known values inserted. */
function filled(code: string): string {
  let text = code;
  for (const [placeholder, value] of known) text = text.replaceAll(placeholder, value);
  return text;
}

/** The values in a response that later blocks need. */
function learn(code: string, output: string): void {
  const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
  const id = ID.exec(output)?.[0] ?? "";
  if (code.includes("org list")) known.set("<organization id>", id);
  if (code.includes("key create")) known.set("<key id>", id);
  if (code.includes("replay create")) known.set("<replay id>", id);
  if (code.includes("endpoint test")) known.set("<webhook-id>", /event_id +(\S+)/.exec(output)?.[1] ?? "");
  if (code.includes("endpoint create") && !known.has("<endpoint id>")) {
    known.set("<endpoint id>", id);
    known.set("whsec_…", /whsec_\S+/.exec(output)?.[0] ?? "");
    // Later, `listen` and `trigger` sign with the receiver's secret.
    exported.set("WEBHOOK_SECRET", known.get("whsec_…") ?? "");
  }
  const created = /\$API\/(\w+)s .*-d/s.exec(code)?.[1];
  if (created !== undefined) known.set(`<${created} id>`, JSON.parse(output).data.id);
}

const exported = new Map<string, string>();

/** The command that a block starts, and that runs on. */
function runningBlock(command: string): Running {
  const found = running.findLast(({ child }) => child.spawnargs.join(" ").includes(command));
  if (found === undefined) throw new Error(`nothing runs ${command}`);
  return found;
}

/** Ends a command that runs on, as Ctrl-C in its terminal. */
async function interrupt({ child }: Running): Promise<void> {
  const closed = once(child, "close");
  process.kill(-(child.pid ?? 0), "SIGINT");
  await closed;
}

/** Executes a block; returns its output. A block that keeps running is left running. */
async function follow({ code, remark, language }: CodeBlock): Promise<string> {
  const text = filled(code);
  if (language !== "sh") {
    await writeFile(join(folder, remark), text);
    return "";
  }
  expect(text).not.toMatch(/…|<[a-z]+[ -]id>/);
  for (const [, name = "", value = ""] of text.matchAll(/^export (\w+)=(\S+)$/gm)) exported.set(name, value);
  const shell = launch("bash", ["-c", `${PRELUDE}${text}`], Object.fromEntries(exported));
  if (remark === "background") return "";
  const [code_of_exit] = await once(shell.child, "close");
  expect(code_of_exit, `${text}\n${shell.output}`).toBe(0);
  learn(code, shell.output);
  return shell.output;
}

const blocks = codeBlocksOf("docs/quick-start.md").filter(
  ({ language, remark }) => language === "sh" || remark !== "",
);

describe("the quick start", () => {
  it.each(blocks.map((block) => [block.line, block] as const))("line %i", async (_, block) => {
    if (block.code.startsWith("WEBHOOK_SECRET=")) {
      await interrupt(runningBlock("listen --forward-to"));
      await interrupt(runningBlock("node receive.mjs"));
    }
    const output = await follow(block);
    if (block.code.startsWith("node first-commission")) {
      const announced = [...block.code.matchAll(/^# (.*)$/gm)].map(([, line]) => line);
      expect(output.trim().split("\n")).toEqual(announced);
    }
    if (block.code.includes("$API/")) expect(JSON.parse(output)).toMatchObject({ success: true });
    if (block.code.includes("listen --forward-to")) await says(runningBlock("listen --forward-to"), /Ready:/);
    if (/endpoint test|trigger/.test(block.code))
      await says(runningBlock("node receive.mjs"), /commission\.created 30 jane@example\.com/);
    if (block.code.startsWith("node first-commission"))
      await says(runningBlock("node receive.mjs"), /referral\.converted/);
  });

  it("fails as documented when the first program runs again", async () => {
    const [first] = blocks.filter(({ code }) => code.startsWith("node first-commission.mjs"));
    if (first === undefined) throw new Error("the quick start does not run the first program");
    expect(await follow(first)).toContain("referral_exists");
  });

  it("delivers later events automatically", async () => {
    await says(runningBlock("node receive.mjs"), /commission\.created 20 joe@example\.com/);
  });

  it("leaves the addresses of the programs for other languages free", async () => {
    const program = join(ROOT, "examples/curl/first-commission.sh");
    const shell = launch("bash", [program], Object.fromEntries(exported));
    const [code] = await once(shell.child, "close");
    expect(code, shell.output).toBe(0);
  });
});

describe.runIf(FULL_TESTS).each(["docs/pagination.md", "docs/idempotency.md"])("%s", (source) => {
  const commands = codeBlocksOf(source).filter(({ language }) => language === "sh");
  it.each(commands.map((block) => [block.line, block] as const))("line %i", async (_, block) => {
    expect(JSON.parse(await follow(block))).toMatchObject({ success: true });
  });
});

describe.runIf(FULL_TESTS).each(["docs/webhooks.md", "docs/security.md"])("%s", (source) => {
  const commands = codeBlocksOf(source)
    .filter(({ language }) => language === "sh")
    .flatMap((block) =>
      block.code
        .trim()
        .split("\n")
        .map((code) => ({ ...block, code })),
    );
  it.each(commands.map((block) => [block.code, block] as const))("%s", async (_, block) => {
    await follow(block);
  });
});
