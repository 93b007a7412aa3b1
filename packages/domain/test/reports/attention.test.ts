import type { TestDatabase } from "@findersfee/database/testing";
import { insertWorker } from "@findersfee/database/work/workers";
import { describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listAttention } from "../../src/reports/attention.ts";
import { getHealth } from "../../src/reports/health/get.ts";
import { addPartner } from "../attribution/program.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
import { addEarner, type Earner, earn, monthsAgo, payOut } from "../ledger/program.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
});

describe("the affiliates to whom something is due", () => {
  const count = async () => (await listAttention(context)).due_affiliates;
  const LONG_AGO = new Date("2026-01-01T00:00:00Z");

  it("count once, whatever the number of their currencies", async () => {
    expect(await count()).toBe(0);
    await earn(context, jane, { amount: 30, referral_date: LONG_AGO });
    await earn(context, jane, { amount: 5, currency: "EUR", referral_date: LONG_AGO });
    expect(await count()).toBe(1);
    const joe = await addEarner(context);
    await earn(context, joe, { amount: 1, currency: "EUR", referral_date: LONG_AGO });
    expect(await count()).toBe(2);
    await payOut(context, monthsAgo(0));
    expect(await count()).toBe(0);
  });

  it("leave out those of whom all is still held", async () => {
    const id = await earn(context, jane, { amount: 30, referral_date: LONG_AGO });
    await test.database`
      update unpaid_commissions set due_at = now() + interval '1 day'
      where organization_id = ${context.organization.id} and commission_id = ${id}`;
    expect(await count()).toBe(0);
  });
});

describe("what is not set up", () => {
  const attention = () => listAttention(context);

  it("names the mail server that a running worker lacks, and the mails that it dropped", async () => {
    expect(await attention()).toMatchObject({
      mail_delivery: null,
      unsent_mails: { count: 0, since: null },
    });
    const worker = { lease_seconds: 60, queue_worker_ids: [], renewed_at: new Date() };
    const id = crypto.randomUUID();
    await insertWorker(test.database, { ...worker, id, mail_delivery: "sent" });
    expect((await attention()).mail_delivery).toBe("sent");
    await insertWorker(test.database, {
      ...worker,
      id: crypto.randomUUID(),
      mail_delivery: "no_mail_server",
    });
    await test.database`
      insert into mails (organization_id, kind, about, recipient, state, reason, unsent_cause, due_at, finished_at)
      select ${context.organization.id}, 'portal_code', number::text, 'joe@example.com', 'dropped', 'no mail server',
        case when number > 1 then 'no_mail_server' end, null, now() - number * interval '1 hour'
      from generate_series(1, 3) as number`;
    const { mail_delivery, unsent_mails } = await attention();
    expect(mail_delivery).toBe("no_mail_server");
    expect(unsent_mails.count).toBe(2);
    const hours = (Date.now() - Date.parse(unsent_mails.since ?? "")) / 3_600_000;
    expect(hours).toBeCloseTo(3, 1);
    expect(await getHealth(context)).toMatchObject({ workers: 2, mail_delivery, unsent_mails });
    await test.database`delete from workers`;
  });

  it("names work that no worker has taken for more than five minutes", async () => {
    await test.database`
      insert into mails (organization_id, kind, about, recipient, due_at)
      values (${context.organization.id}, 'portal_code', 'x', 'joe@example.com', now() - interval '4 minutes')`;
    expect((await attention()).stalled_work).toBeNull();
    await test.database`update mails set due_at = now() - interval '6 minutes' where state = 'due'`;
    expect((await attention()).stalled_work).toEqual({ due_at: expect.any(String), workers: 0 });
  });

  it("names promo codes that wait for an API key of Stripe, and events that its endpoint lacks", async () => {
    await addPartner(context, { code_mode: "both", reference_coupon: "ACME10" });
    expect(await attention()).toMatchObject({ codes_without_key: 1, stripe_events: null });
    await test.database`
      insert into processors (organization_id, name, secret_encrypted, livemode, created_at)
      values (${context.organization.id}, 'stripe', 'x', false, now())`;
    expect((await attention()).codes_without_key).toBe(1);
    await test.database`
      update processors set api_key_encrypted = 'x', api_key_last_four = 'abcd', missing_events = '{invoice.paid}'`;
    expect(await attention()).toMatchObject({
      codes_without_key: 0,
      stripe_events: { missing: ["invoice.paid"], error: null },
    });
    await test.database`update processors set missing_events = '{}', api_key_encrypted = null, api_key_last_four = null`;
    await test.database`update campaigns set code_mode = 'link'`;
    expect(await attention()).toMatchObject({ codes_without_key: 0, stripe_events: null });
  });

  it("names a campaign with affiliates for days and without a click", async () => {
    const silent = async () => (await attention()).silent_campaigns.map(({ campaign_id }) => campaign_id);
    const campaign = String(
      (await test.database`select campaign_id from affiliates where id = ${jane.affiliate_id}`)[0]
        ?.campaign_id,
    );
    expect(await silent()).toEqual([]);
    await test.database`update campaigns set created_at = now() - interval '4 days'`;
    await test.database`update affiliates set created_at = now() - interval '4 days'`;
    expect(await silent()).toEqual([campaign]);
    await test.database`update affiliates set clicks = 1 where id = ${jane.affiliate_id}`;
    expect(await silent()).toEqual([]);
  });
});
