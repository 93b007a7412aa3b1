import { Readable } from "node:stream";
import { addDays } from "@findersfee/contract/reports/periods";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { importAffiliates } from "@findersfee/domain/affiliates/import/start";
import { creditPayment, moveCustomer, stopCustomer } from "@findersfee/domain/attribution/overrides/make";
import type { Context } from "@findersfee/domain/context";
import { createAdjustment } from "@findersfee/domain/ledger/adjustments/create";
import { listPayoutRuns } from "@findersfee/domain/payouts/runs/list";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { verifyTotals } from "@findersfee/domain/reports/totals/verify";
import { addAffiliate, addPartner, click, report } from "@findersfee/domain/testing/attribution/program";
import { payment } from "@findersfee/domain/testing/attribution/reported";
import {
  addEarner,
  brokenRules,
  earn,
  makePayoutContext,
  payouts,
} from "@findersfee/domain/testing/ledger/program";
import {
  bring,
  makeTierContext,
  measuredUntil,
  seal,
  tiersOf,
  yesterday,
} from "@findersfee/domain/testing/tier-program";
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
/** The adjustments of each earner, in major units. */
const ADJUSTED = [5, -2] as const;
const MAILS = 2;
const MISSED = 3;
const CLICKS = 2;
const LINES = 3;
const CLICKED_HOURS_AGO = 4;

let rounds = 0;

/** The earnings of the payments of an organization that moved, stopped and credited customers before. */
const DECIDED = {
  cus_0: ["pay_0:3000"],
  // Moved to an affiliate who earns less.
  cus_1: ["pay_1:1000"],
  // Stopped.
  cus_2: [],
  // Nobody's before its first payment was credited.
  cus_3: ["in_3:3000", "pay_3:3000"],
};

/** Each message is processed once, with one commission, as attribution and people decided. */
export const processMessages: Script = async (stage) => {
  const { context, affiliate_id } = await makeTestOrganization(stage.database, {
    customers: ["cus_0", "cus_1", "cus_2"],
  });
  const { organization } = context;
  await decideAboutCustomers(context, affiliate_id);
  const customers = Object.keys(DECIDED);
  return {
    name: "messages",
    start: async () => {
      const bodies = customers.map((customer_id, number) => [
        `msg_${number}`,
        paymentBody(`msg_${number}`, { payment_id: `pay_${number}`, customer_id }),
      ]);
      await storeGeneric(stage.database, organization.id, Object.fromEntries(bodies));
      stage.notifyInboundWebhooks(organization.id);
    },
    check: async () => {
      expect(await messageStates(stage.database, organization.id)).toEqual({ done: customers.length });
      const expected = Object.values(DECIDED).flat();
      expect(await commissionsOf(stage.database, organization.id)).toEqual(expected.sort());
      expect(await brokenRules(context)).toEqual([]);
    },
    makeDue: async () => {
      await stage.database`
        update processor_messages set due_at = now()
        where organization_id = ${organization.id} and state = 'received'`;
      stage.notifyInboundWebhooks(organization.id);
    },
  };
};

async function decideAboutCustomers(context: Context, affiliate_id: string): Promise<void> {
  const { affiliate_id: other } = await addPartner(context, { commission_amount: 10 } as never);
  const decision = { reason: "agreed on the phone", dry_run: false };
  const referral = async (customer_id: string) => {
    const [row] = await context.database<{ id: string }[]>`
      select id from referrals
      where organization_id = ${context.organization.id} and processor_customer_id = ${customer_id}`;
    return { ...decision, referral_id: row?.id ?? "" };
  };
  await moveCustomer(context, {
    ...(await referral("cus_1")),
    affiliate_id: other,
    unpaid_commissions: true,
  });
  await stopCustomer(context, await referral("cus_2"));
  const at = new Date(Date.now() - 60_000);
  await report(
    context,
    payment({ subject: "in_3", customer_id: "cus_3", email: "cus_3@example.com", at, references: [] }),
  );
  await creditPayment(context, {
    ...decision,
    processor_payment_id: "in_3",
    affiliate_id,
    past_payments: false,
  });
}

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

/** A payout run finishes with a payout of the right amount for each affiliate, adjustments included, and with all ledger rules kept. */
export const payOut: Script = async (stage) => {
  const context = await makePayoutContext(stage.database);
  for (let number = 0; number < EARNERS; number++) {
    const earner = await addEarner(context);
    await earn(context, earner, { amount: 10 + number });
    for (const amount of ADJUSTED) {
      await createAdjustment(context, { affiliate_id: earner.affiliate_id, amount, reason: "A bonus" });
    }
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
      expect(amounts.sort()).toEqual(Array.from({ length: EARNERS }, (_, number) => 1_300 + number * 100));
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

/** Commissions that have waited for their review long enough are approved, each once. */
export const approveReviews: Script = async (stage) => {
  const context = await makePayoutContext(stage.database);
  const { id } = context.organization;
  for (let number = 0; number < EARNERS; number++) {
    const earner = await addEarner(context, { review: "all", review_approve_after_days: 1 });
    await earn(context, earner, { amount: 10 });
  }
  const makeDue = async () => {
    await stage.database`
      update commission_reviews set due_at = now() where organization_id = ${id} and due_at is not null`;
    await notifyWorkers(stage.database, "reviews", [id]);
  };
  return {
    name: "reviews",
    start: makeDue,
    check: async () => {
      const states = await stage.database<{ review_state: string }[]>`
        select review_state from commissions where organization_id = ${id}`;
      expect(states.map(({ review_state }) => review_state)).toEqual(Array(EARNERS).fill("approved"));
      const audited = await stage.database`
        select from audit_log_entries
        where organization_id = ${id} and resource = 'commission' and actor = 'automatic approval'`;
      expect(audited).toHaveLength(EARNERS);
      expect(await brokenRules(context)).toEqual([]);
    },
    makeDue,
  };
};

/** Affiliates get the tiers that they reached yesterday, and each bonus once. */
export const measureTiers: Script = async (stage) => {
  const context = await makeTierContext(stage.database);
  const { id } = context.organization;
  const day = await yesterday(context);
  const tiers = tiersOf({}, { name: "Gold", from: 1, bonus: 10 });
  const { affiliate_id, campaign_id } = await addPartner(context, { tiers });
  const affiliates = [affiliate_id, await addAffiliate(context, { campaign_id })];
  for (const one of affiliates) await bring(context, { affiliate_id: one, day });
  await seal(context);
  const makeDue = async () => {
    // The day is measured once it is sealed, which a failed call may have postponed.
    await stage.database`
      update total_seals seal set due_at = now() where organization_id = ${id} and due_at > now()
        and (is_outdated or exists (select from total_rebuilds where organization_id = seal.organization_id))`;
    await notifyWorkers(stage.database, "totals", [id]);
    await stage.database`
      update tier_evaluations set due_at = now() where organization_id = ${id} and measured_on < ${day}`;
    await notifyWorkers(stage.database, "tiers", [id]);
  };
  return {
    name: "tiers",
    start: async () => {
      await measuredUntil(context, { day: addDays(day, -1) });
      await makeDue();
    },
    check: async () => {
      const changes = await stage.database<{ affiliate_id: string; tier_name: string }[]>`
        select affiliate_id, tier_name from affiliate_tiers where organization_id = ${id} order by affiliate_id`;
      expect(changes).toEqual(affiliates.sort().map((one) => ({ affiliate_id: one, tier_name: "Gold" })));
      const bonuses = await stage.database<{ affiliate_id: string; reason: string }[]>`
        select affiliate_id, reason from adjustments where organization_id = ${id} order by affiliate_id`;
      expect(bonuses).toEqual(affiliates.map((one) => ({ affiliate_id: one, reason: "Bonus: Gold" })));
      expect(await brokenRules(context)).toEqual([]);
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
  approveReviews,
  measureTiers,
];
