import { Readable } from "node:stream";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { importAffiliates } from "@findersfee/domain/affiliates/import/start";
import type { Context } from "@findersfee/domain/context";
import { listPayoutRuns } from "@findersfee/domain/payouts/runs/list";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { verifyTotals } from "@findersfee/domain/reports/totals/verify";
import { addPartner, click } from "@findersfee/domain/testing/attribution/program";
import {
  addEarner,
  brokenRules,
  earn,
  makePayoutContext,
  payouts,
} from "@findersfee/domain/testing/ledger/program";
import { disableEndpoint } from "@findersfee/domain/webhooks/endpoints/disable";
import { enableEndpoint } from "@findersfee/domain/webhooks/endpoints/enable";
import { listReplays } from "@findersfee/domain/webhooks/replays/list";
import { readJobFile } from "@findersfee/domain/work/jobs/file";
import { getJob } from "@findersfee/domain/work/jobs/get";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { expect } from "vitest";
import { Program } from "../mailing.ts";
import {
  commissionsOf,
  makeTestOrganization,
  messageStates,
  paymentBody,
  storeGeneric,
} from "../processing.ts";
import { POLICY } from "../subscriptions.ts";
import type { Script } from "./round.ts";
import { Subscriber } from "./subscriber.ts";

const EARNERS = 2;
const PAYMENTS = 3;
const MAILS = 2;
const MISSED = 3;
const CLICKS = 2;
const LINES = 3;
const CLICKED_HOURS_AGO = 4;

let rounds = 0;

/** Each message is processed once, with one commission. */
export const processMessages: Script = async (stage) => {
  const numbers = Array.from({ length: PAYMENTS }, (_, number) => number);
  const organization = await makeTestOrganization(stage.database, {
    customers: numbers.map((number) => `cus_${number}`),
  });
  const { organization_id } = organization;
  return {
    name: "messages",
    start: async () => {
      const bodies = numbers.map((number) => [
        `msg_${number}`,
        paymentBody(`msg_${number}`, { payment_id: `pay_${number}`, customer_id: `cus_${number}` }),
      ]);
      await storeGeneric(stage.database, organization_id, Object.fromEntries(bodies));
      stage.notifyInboundWebhooks(organization_id);
    },
    check: async () => {
      expect(await messageStates(stage.database, organization_id)).toEqual({ done: PAYMENTS });
      const expected = numbers.map((number) => `pay_${number}:3000`);
      expect(await commissionsOf(stage.database, organization_id)).toEqual(expected);
    },
    makeDue: async () => {
      await stage.database`
        update processor_messages set due_at = now()
        where organization_id = ${organization_id} and state = 'received'`;
      stage.notifyInboundWebhooks(organization_id);
    },
  };
};

/** Each mail is sent at least once and marked as sent. */
export const sendMails: Script = async (stage) => {
  rounds += 1;
  const program = await Program.create(stage.database);
  const { organization_id } = program;
  const emails = Array.from({ length: MAILS }, (_, number) => `mail-${rounds}-${number}@example.com`);
  const referrals: string[] = [];
  for (const email of emails) referrals.push((await program.refer(await program.affiliate(email))).id);
  return {
    name: "mails",
    start: async () => {
      for (const referral of referrals) await program.pay(referral);
      stage.notifyWorkers(organization_id);
    },
    check: async () => {
      const mails = await stage.database`
        select state, count(*)::int as count from mails where organization_id = ${organization_id} group by state`;
      expect(mails).toEqual([{ state: "sent", count: MAILS }]);
      const received = new Set(stage.mails.received.flatMap(({ recipients }) => recipients));
      expect(emails.filter((email) => !received.has(email))).toEqual([]);
    },
    makeDue: async () => {
      // Only a permanent error delays the next attempt of a mail.
      await stage.database`
        update mails set due_at = now()
        where organization_id = ${organization_id} and failures > 0 and due_at > now()`;
      stage.notifyWorkers(organization_id);
    },
  };
};

/** A payout run finishes with a payout of the right amount for each affiliate, and with all ledger rules kept. */
export const payOut: Script = async (stage) => {
  const context = await makePayoutContext(stage.database);
  for (let number = 0; number < EARNERS; number++) {
    await earn(context, await addEarner(context), { amount: 10 + number });
  }
  return {
    name: "a payout run",
    start: async () => {
      await startPayoutRun(context, { method: "manual" });
    },
    check: async () => {
      const { data } = await listPayoutRuns(context, { limit: 10 });
      expect(data).toMatchObject([{ finished_at: expect.any(String), payouts: EARNERS }]);
      const amounts = (await payouts(context)).map(({ amount_minor }) => Number(amount_minor));
      expect(amounts.sort()).toEqual(Array.from({ length: EARNERS }, (_, number) => 1_000 + number * 100));
      expect(await brokenRules(context)).toEqual([]);
    },
  };
};

/** A replay finishes, and its events are delivered. */
export const replay: Script = async (stage) => {
  const subscriber = await Subscriber.create(stage);
  const { context, endpoint_id } = subscriber;
  await disableEndpoint(context, endpoint_id);
  await subscriber.record(MISSED);
  return {
    name: "a replay",
    start: async () => {
      await enableEndpoint(context, { id: endpoint_id, replay_missed: true }, POLICY);
    },
    check: async () => {
      const replays = await listReplays(context, endpoint_id);
      expect(replays).toMatchObject([{ finished_at: expect.any(String), deliveries: MISSED }]);
      await subscriber.check();
    },
  };
};

/** An export finishes, with each affiliate once in its file. */
export const exportAffiliates: Script = async (stage) => {
  const context = await makePayoutContext(stage.database);
  const ids: string[] = [];
  for (let number = 0; number < EARNERS; number++) ids.push((await addEarner(context)).affiliate_id);
  let job_id = "";
  return {
    name: "an export",
    start: async () => {
      job_id = (await startJob(context, { kind: "affiliates_export", input: {} })).id;
    },
    check: async () => {
      expect(await getJob(context, job_id)).toMatchObject({ state: "finished", done: EARNERS });
      const lines = await linesOf(context, job_id);
      expect(lines.map((line) => line.split(",")[0]).sort()).toEqual(ids.sort());
    },
  };
};

/** An import finishes: each line created one affiliate with one event, and its result file says so. */
export const importFile: Script = async (stage) => {
  const context = await makePayoutContext(stage.database);
  const { campaign_id } = await addPartner(context);
  const emails = Array.from({ length: LINES }, (_, number) => `line-${number}@example.com`);
  let job_id = "";
  return {
    name: "an import",
    start: async () => {
      const file = Readable.from([Buffer.from(["email", ...emails].join("\n"))]);
      job_id = (await importAffiliates(context, { campaign_id, approved: true }, file)).id;
    },
    check: async () => {
      expect(await getJob(context, job_id)).toMatchObject({
        state: "finished",
        result: { created: LINES, existed: 0, wrong: 0 },
      });
      const lines = await linesOf(context, job_id);
      expect(lines.map((line) => line.split(",")[1])).toEqual(emails);
      const created = await stage.database`
        select affiliate.email, count(event.id)::int as events from affiliates affiliate
        left join events event on event.organization_id = affiliate.organization_id
          and event.type = 'affiliate.created' and event.body like '%' || affiliate.id || '%'
        where affiliate.organization_id = ${context.organization.id} and affiliate.email like 'line-%'
        group by affiliate.id, affiliate.email order by affiliate.email`;
      expect(created).toEqual(emails.map((email) => ({ email, events: 1 })));
    },
  };
};

/** The lines of a job's file, without the heading. */
async function linesOf(context: Context, job_id: string): Promise<string[]> {
  let text = "";
  for await (const part of (await readJobFile(context, job_id)).content) text += part;
  return text.trimEnd().split("\r\n").slice(1);
}

/** The hours that are over are summed up once, and the next turn is planned. */
export const sealHours: Script = async (stage) => {
  const context = await makePayoutContext(stage.database);
  const { affiliate_id } = await addEarner(context);
  const { id } = context.organization;
  const at = new Date(Date.now() - CLICKED_HOURS_AGO * 3_600_000);
  for (let number = 0; number < CLICKS; number++) await click(context, { affiliate_id, at });
  const makeDue = async () => {
    await stage.database`
      update total_seals set due_at = now(), is_outdated = true where organization_id = ${id} and is_outdated`;
    await notifyWorkers(stage.database, "totals", [id]);
  };
  return {
    name: "totals",
    start: async () => {
      await stage.database`update total_seals set is_outdated = true where organization_id = ${id}`;
      await makeDue();
    },
    check: async () => {
      const [seal] = await stage.database`
        select is_outdated, failures, due_at > now() as is_planned from total_seals where organization_id = ${id}`;
      expect(seal).toEqual({ is_outdated: false, failures: 0, is_planned: true });
      const [{ clicks }] = await stage.database<[{ clicks: number }]>`
        select coalesce(sum(clicks), 0)::int as clicks from hourly_totals total
        join total_seals seal using (organization_id, generation) where organization_id = ${id}`;
      // The visitor is the same, and counts once in an hour.
      expect(clicks).toBe(1);
      expect(await verifyTotals(stage.database, id)).toEqual([]);
    },
    makeDue,
  };
};

export const JOBS: readonly Script[] = [
  processMessages,
  sendMails,
  payOut,
  replay,
  exportAffiliates,
  importFile,
  sealHours,
];
