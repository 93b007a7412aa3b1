import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { describe, expect, it } from "vitest";
import { resumeCustomer, stopCustomer, undoOverride } from "../../src/attribution/overrides/make.ts";
import { type CreationContext, createCommission } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { listReferralRows } from "../../src/customers/referrals/list-rows.ts";
import { getTimeline } from "../../src/customers/timeline.ts";
import { newId } from "../../src/ids.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addPartner, type Partner, report } from "../attribution/program.ts";
import { checkout, payment, refund, second } from "../attribution/reported.ts";
import { makeContext } from "../subscriber.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const list = async (query: object = {}) => await listReferralRows(context, { limit: 50, ...query });
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

async function refer(email: string, fields: object = {}): Promise<string> {
  const { affiliate_id } = partner;
  return (await createReferral(context, { affiliate_id, email, subscription_status: "signed_up", ...fields }))
    .id;
}

describe("the list of referrals", () => {
  it("finds by text, affiliate and status, and goes down and up", async () => {
    const ann = await refer("Ann@example.com", { processor_customer_id: "cus_Ann" });
    const lee = await refer("lee@example.com", { subscription_status: "active" });
    const other = await addPartner(context, { name: "Others" });
    const kim = await refer("kim@example.com", { affiliate_id: other.affiliate_id });
    expect(idsOf(await list())).toEqual([kim, lee, ann]);
    for (const text of ["ann@", "ANN", "cus_A"]) expect(idsOf(await list({ text })), text).toEqual([ann]);
    for (const text of ["nn@ex", ann, ann.slice(0, 30)])
      expect(idsOf(await list({ text })), text).toEqual([ann]);
    for (const text of ["cus_a", "us_A", "%"]) expect(idsOf(await list({ text })), text).toEqual([]);
    expect(idsOf(await list({ text: "EXAMPLE" }))).toEqual([kim, lee, ann]);
    await context.database`update affiliates set last_name = 'Söder' where id = ${other.affiliate_id}`;
    expect(idsOf(await list({ text: "ÖDER" }))).toEqual([kim]);
    expect(idsOf(await list({ text: "öder", affiliate_id: partner.affiliate_id }))).toEqual([]);
    expect(idsOf(await list({ affiliate_id: other.affiliate_id }))).toEqual([kim]);
    expect(idsOf(await list({ statuses: ["active", "canceled"] }))).toEqual([lee]);
    expect(idsOf(await list({ text: "lee", statuses: ["canceled"] }))).toEqual([]);
    const first = await list({ limit: 2 });
    const next = await list({ limit: 2, after: first.older });
    expect([idsOf(first), idsOf(next)]).toEqual([[kim, lee], [ann]]);
    expect(idsOf(await list({ limit: 2, before: next.newer }))).toEqual([kim, lee]);
    await expect(list({ affiliate_id: newId(new Date()) })).rejects.toMatchObject({ code: "not_found" });
    expect(
      (await listReferralRows(await makeContext(context.database), { limit: 50, text: "ann" })).data,
    ).toEqual([]);
  });

  it("is in the order of the sign-ups that it shows, with a period of them", async () => {
    const signedUp = async (email: string, at: string) => {
      const id = await refer(email);
      await context.database`update referrals set signup_date = ${at} where id = ${id}`;
      return id;
    };
    const march = await signedUp("march@example.com", "2026-03-05T00:00:00Z");
    const may = await signedUp("may@example.com", "2026-05-05T00:00:00Z");
    const april = await signedUp("april@example.com", "2026-04-05T00:00:00Z");
    const also_april = await signedUp("also@example.com", "2026-04-05T00:00:00Z");
    const ids = [may, also_april, april, march];
    expect(idsOf(await list())).toEqual(ids);
    expect(idsOf(await list({ statuses: ["signed_up", "active"] }))).toEqual(ids);
    expect(idsOf(await list({ affiliate_id: partner.affiliate_id, text: "example" }))).toEqual(ids);
    const first = await list({ limit: 2 });
    const next = await list({ limit: 2, after: first.older });
    expect([...idsOf(first), ...idsOf(next)]).toEqual(ids);
    expect(idsOf(await list({ limit: 2, before: next.newer }))).toEqual(ids.slice(0, 2));
    const period = { signed_up_from: "2026-04-05T00:00:00Z", signed_up_until: "2026-05-05T00:00:00Z" };
    expect(idsOf(await list(period))).toEqual([also_april, april]);
    expect(idsOf(await list({ ...period, text: "also@" }))).toEqual([also_april]);
    await expect(list({ after: ids[0] })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("sums up the commissions by currency, in as many statements for many rows", async () => {
    const id = await refer("ann@example.com");
    const earn = (currency: string, revenue_amount: number) =>
      createCommission(context, { referral_id: id, revenue_amount, commission_amount: 10, currency });
    await earn("USD", 100);
    await earn("USD", 50);
    await earn("JPY", 900);
    expect((await list()).data).toMatchObject([
      {
        commissions: 3,
        converted_at: expect.any(String),
        sums: [
          { currency: "JPY", revenue: 900, commission: 10 },
          { currency: "USD", revenue: 150, commission: 20 },
        ],
      },
    ]);
    const count = async () => (await statementsOf(context.database, () => list({ text: "ann" }))).length;
    const before = await count();
    await refer("ann2@example.com");
    expect(await count()).toBe(before);
    expect(before).toBeLessThanOrEqual(6);
  });
});

describe("a stopped customer", () => {
  it.each(["Kim@customers.test", "Lee@customers.test"])(
    "%s is shown as such in the list and on its page, until commissions resume",
    async (email) => {
      const customer = { customer_id: "cus_1", email: "Kim@customers.test" };
      await report(
        context,
        checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(10) }),
      );
      await refer("Lee@customers.test");
      const { data } = await list();
      const referral_id = data.find((row) => row.email === email)?.id ?? "";
      const decided = { reason: "A reseller.", dry_run: false };
      const stopped = async () => ({
        emails: (await list()).data.flatMap((row) => (row.is_stopped ? row.email : [])),
        page: (await getTimeline(context, referral_id)).referral.is_stopped,
      });
      expect(await stopped()).toEqual({ emails: [], page: false });
      const first = await stopCustomer(context, { ...decided, referral_id });
      expect(await stopped()).toEqual({ emails: [email], page: true });
      await resumeCustomer(context, { ...decided, id: first.override?.id ?? "" });
      expect(await stopped()).toEqual({ emails: [], page: false });
      const again = await stopCustomer(context, { ...decided, referral_id });
      expect(await stopped()).toEqual({ emails: [email], page: true });
      await undoOverride(context, { ...decided, id: again.override?.id ?? "" });
      expect(await stopped()).toEqual({ emails: [], page: false });
    },
  );
});

describe("the timeline of a referral", () => {
  it("has clicks, checkouts, payments and refunds with what each changed", async () => {
    const customer = { customer_id: "cus_1", email: "kim@customers.test" };
    await report(
      context,
      checkout({ subject: "cs_1", ...customer, click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_1", ...customer, at: second(20), revenue_minor: 10_000n, paid_minor: 10_000n }),
    );
    await report(
      context,
      refund({ subject: "re_1", amount_minor: 5_000n, references: ["in_1"], at: second(30) }),
    );
    const [{ id } = { id: "" }] = (await list()).data;
    const { referral, entries, is_cut } = await getTimeline(context, id);
    expect(is_cut).toBe(false);
    expect(referral).toMatchObject({
      id,
      email: "kim@customers.test",
      affiliate: { id: partner.affiliate_id },
    });
    const reported = entries.filter(({ kind }) => ["click", "checkout", "payment", "refund"].includes(kind));
    expect(reported.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["click", null],
      ["checkout", "cs_1"],
      ["payment", "in_1"],
      ["refund", "re_1"],
    ]);
    const [clicked, , paid, returned] = reported;
    expect(clicked).toMatchObject({
      affiliate: { id: partner.affiliate_id },
      click: { code: expect.any(String) },
    });
    expect(paid).toMatchObject({
      amount: { amount: 100, currency: "USD" },
      decision: { outcome: "commission", commission_id: expect.any(String), currency: "USD" },
      ledger: [{ kind: "earned" }],
    });
    expect(returned?.ledger).toMatchObject([{ kind: "reduced", unpaid: expect.any(Number) }]);
    expect(entries.map(({ occurred_at }) => occurred_at)).toEqual(
      entries.map(({ occurred_at }) => occurred_at).toSorted(),
    );
    const statements = await statementsOf(context.database, () => getTimeline(context, id));
    expect(statements.length).toBeLessThanOrEqual(10);
  });

  it("of one made by hand has the referral alone, and is no other organization's", async () => {
    const id = await refer("ann@example.com");
    expect((await getTimeline(context, id)).entries).toMatchObject([{ kind: "referral" }]);
    const stranger = await makeContext(context.database);
    await expect(getTimeline(stranger, id)).rejects.toMatchObject({ code: "not_found" });
  });
});
