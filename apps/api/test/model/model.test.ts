import { connect } from "@findersfee/database/postgres/connect";
import { createTestDatabase } from "@findersfee/database/testing";
import { extent, seedOf } from "@findersfee/database/testing/full-tests";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serveTestDatabase } from "../test-service.ts";
import { themesOf } from "./deeds.ts";
import { MENDED } from "./examples.ts";
import { FAULTS, includedFaults } from "./faults.ts";
import { histories } from "./histories.ts";
import { ownAll, type WorkedService } from "./program.ts";
import { findDisagreement, runHistories } from "./run.ts";

/*
 * Random histories happen to the service, over HTTP, and to a model that was written from the documents alone: both must
 * say the same. MODEL_SEED repeats a run, MODEL_FAULTS=all includes the kinds of history that are left out for now.
 */

const HISTORIES = extent("MODEL_HISTORIES", { short: 300, full: 1_000 });
const SHORT_HISTORIES = 1_000;
const SEED = seedOf("MODEL_SEED");
/** Most of the time, a history waits for an answer. */
const LANES = 4;
/** The short form ends then. */
const SHORT_MILLISECONDS = 10_000;

let worked: WorkedService;

beforeAll(async () => {
  const { url, close } = await createTestDatabase();
  // Tables are small: plans for each value would take a fifth of the database's time.
  const generic = { url: `${url}?plan_cache_mode=force_generic_plan`, poolSize: LANES, prepare: true };
  const database = connect({ ...generic, name: "findersfee model" });
  const closeAll = async () => {
    await database.end({ timeout: 5 });
    await close();
  };
  worked = await ownAll(await serveTestDatabase({ database, url, close: closeAll }, {}));
});

afterAll(() => worked.service.close());

const LIMIT_MILLISECONDS = 240_000 + HISTORIES * 2_000;

it(`says what a model says that knows the documents alone, seed ${SEED}`, {
  timeout: LIMIT_MILLISECONDS + 60_000,
}, async ({ annotate }) => {
  const is_short = HISTORIES < SHORT_HISTORIES;
  const { agreed, failure } = await runHistories(worked, {
    arbitrary: histories(includedFaults(process.env.MODEL_FAULTS), themesOf(process.env.MODEL_THEMES)),
    seed: SEED,
    count: HISTORIES,
    lanes: LANES,
    limit: LIMIT_MILLISECONDS,
    until: is_short ? Date.now() + SHORT_MILLISECONDS : Number.POSITIVE_INFINITY,
  });
  await annotate(`${agreed} histories agreed`);
  if (failure !== null) throw new Error(`after ${agreed} histories, seed ${SEED}:\n${failure}`);
  expect(agreed).toBeGreaterThan(0);
});

it.each(Object.entries(MENDED))("agrees where it did not before: %s", async (_, history) => {
  expect(await findDisagreement(worked, history)).toBeNull();
});

it.each(Object.entries(FAULTS))(
  "finds the known fault %s, which is mended if this fails",
  async (_, fault) => {
    expect(await findDisagreement(worked, fault.example)).not.toBeNull();
  },
);
