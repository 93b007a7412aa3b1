/* The clock of a machine with a worker, which nobody asks whether it is ready. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { samplesOf } from "@findersfee/telemetry/testing/lint";
import { expect, it, onTestFinished } from "vitest";
import { CommandLine, serviceEnvironment } from "../command-line.ts";

const THREE_HOURS = 3 * 60 * 60;

/** A module that sets the clock of a process back. */
const BEHIND = `
const { now } = Date;
Date.now = () => now() - ${THREE_HOURS * 1000};
globalThis.Date = class extends Date {
  constructor(...values) {
    super(...(values.length === 0 ? [Date.now()] : values));
  }
};`;

async function clockBehind(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-clock-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "behind.mjs"), BEHIND);
  return `--import=${join(folder, "behind.mjs")}`;
}

async function offsetAt(url: string): Promise<number | undefined> {
  const response = await fetch(`${url}/metrics`);
  return samplesOf(await response.text()).get("findersfee_clock_offset_seconds");
}

it.each([
  ["like the database's", 0],
  ["three hours behind", THREE_HOURS],
])("has a worker show how far its clock is ahead, and log that it is wrong: %s", async (_name, behind) => {
  const test = await createTestDatabase();
  const settings = { METRICS_PORT: "0", ...(behind > 0 && { NODE_OPTIONS: await clockBehind() }) };
  const worker = new CommandLine(["worker"], serviceEnvironment(test.url, settings));
  try {
    const url = await worker.says(/metrics at (\S+)\/metrics/);
    await worker.says(/The worker is running/);
    await eventually(async () =>
      expect(Math.abs(((await offsetAt(url)) ?? Number.NaN) + behind)).toBeLessThan(60),
    );
    if (behind > 0)
      await worker.says(/"reason":"The clock of this machine is 10[78]\d\d s behind the database's\."/);
  } finally {
    const { stdout, code } = await worker.end("SIGTERM");
    expect([code, stdout.match(/The clock of this machine/g)?.length]).toEqual([
      0,
      behind > 0 ? 1 : undefined,
    ]);
    await test.close();
  }
});
