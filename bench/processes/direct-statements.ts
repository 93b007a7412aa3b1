/*
 * Runs the statements of `POST /v1/commissions` directly through postgres.js: the throughput of the database
 * and its driver from one process, without HTTP, checks or views. The texts of events and of the idempotency
 * key's response are captured from the operation itself.
 */
import { randomBytes } from "node:crypto";
import { type CommissionCreation, insertCommissions } from "@findersfee/database/commissions/creation";
import { findReferral } from "@findersfee/database/customers/referrals";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { listEvents } from "@findersfee/database/webhooks/events";
import { PAYMENT_KEYS } from "@findersfee/domain/attribution/facts/fact-names";
import { CommissionBatchWriter } from "@findersfee/domain/commissions/batch-writer";
import { createCommission } from "@findersfee/domain/commissions/create";
import { newId } from "@findersfee/domain/ids";
import { runJobs } from "../jobs.ts";
import { type Measurement, startMeasurement, type Until, untilOver } from "../measurement.ts";
import { contextOf } from "../program.ts";

export interface DirectJob {
  database_url: string;
  organization_id: string;
  referral_ids: string[];
  pool_size: number;
  loops: number;
  /** Whether concurrent commissions are batched, as in the service, or written separately. */
  together: boolean;
  until: Until;
}

/** The texts written with each commission. */
interface Texts {
  answer: string;
  created: string;
  converted: string;
}

let opened: Promise<{ database: Database; texts: Texts }> | null = null;

runJobs(run, async () => {
  const open = await opened;
  await open?.database.end({ timeout: 5 });
});

async function run(job: DirectJob): Promise<Measurement> {
  opened ??= open(job);
  const { database, texts } = await opened;
  const insert = insertions(database, job, texts);
  const measurement = startMeasurement();
  const goesOn = untilOver(job.until);
  const loop = async () => {
    while (goesOn()) {
      const started_at = performance.now();
      await insert();
      measurement.record(performance.now() - started_at);
    }
  };
  await Promise.all(Array.from({ length: job.loops }, loop));
  return measurement.finish();
}

async function open({ database_url, organization_id, referral_ids, pool_size }: DirectJob) {
  const database = connect({
    url: database_url,
    poolSize: pool_size,
    prepare: true,
    name: "findersfee bench",
  });
  return {
    database,
    texts: await readTexts(database, { organization_id, referral_id: referral_ids[0] ?? "" }),
  };
}

/** Lets the operation create a commission for a referral without one, and reads the texts it wrote. */
async function readTexts(
  database: Database,
  { organization_id, referral_id }: { organization_id: string; referral_id: string },
): Promise<Texts> {
  const not_before = new Date();
  const commission = await createCommission(contextOf(database, organization_id), {
    referral_id,
    revenue_amount: 100,
    commission_amount: 30,
    processor_payment_id: paymentId(randomBytes(6).toString("hex"), 0),
  });
  const events = await listEvents(database, organization_id, {
    after: null,
    types: null,
    not_before,
    limit: 2,
  });
  const bodyOf = (type: string) => {
    const event = events.find((candidate) => candidate.type === type);
    if (event === undefined) throw new Error(`no ${type} was recorded`);
    return event.body;
  };
  return {
    answer: JSON.stringify(commission),
    created: bodyOf("commission.created"),
    converted: bodyOf("referral.converted"),
  };
}

/** The same payment ids as the load generator's. */
function paymentId(run: string, number: number): string {
  return `pi_${run}_${String(number).padStart(9, "0")}`;
}

/** The two statements, separate or batched with concurrent ones. */
function statementsOf(database: Database, { organization_id, together }: DirectJob) {
  if (together) {
    const writer = new CommissionBatchWriter(database);
    return {
      find: (id: string) => writer.findReferral(organization_id, id),
      insert: async (creation: CommissionCreation) =>
        (await writer.insert(organization_id, creation)) === "created",
    };
  }
  return {
    find: (id: string) => findReferral(database, organization_id, id),
    insert: async (creation: CommissionCreation) => {
      const expired_before = new Date(Date.now() - 24 * 60 * 60 * 1000);
      const creations = [creation];
      const input = { creations, expired_before, payment_keys: PAYMENT_KEYS };
      return (await insertCommissions(database, organization_id, input)).created.size === 1;
    },
  };
}

/** Returns a function that creates one commission, like `createCommission` of the domain. */
function insertions(database: Database, job: DirectJob, texts: Texts): () => Promise<void> {
  const { referral_ids } = job;
  const statements = statementsOf(database, job);
  const run = randomBytes(6).toString("hex");
  const request_hash = randomBytes(32);
  let made = 0;
  return async () => {
    const number = made++;
    const referral_id = referral_ids[Math.floor(Math.random() * referral_ids.length)] ?? "";
    const referral = await statements.find(referral_id);
    if (referral === null) throw new Error(`referral ${referral_id} does not exist`);
    const created_at = new Date();
    const eventOf = (type: string, body: string) => ({ id: newId(created_at), type, body, created_at });
    const inserted = await statements.insert({
      commission: {
        id: newId(created_at),
        affiliate_id: referral.affiliate.id,
        referral_id,
        revenue_minor: 10_000n,
        commission_minor: 3_000n,
        currency: "USD",
        referral_date: created_at,
        cause: "bench",
        processor_payment_id: paymentId(run, number),
        created_at,
      },
      created: eventOf("commission.created", texts.created),
      converted: referral.converted_at === null ? eventOf("referral.converted", texts.converted) : null,
      answer: {
        key: `${run}-${String(number).padStart(9, "0")}`,
        request_hash,
        response: texts.answer,
        created_at,
        expired_before: new Date(created_at.getTime() - 24 * 60 * 60 * 1000),
      },
    });
    if (!inserted) throw new Error("an idempotency key was already used");
  };
}
