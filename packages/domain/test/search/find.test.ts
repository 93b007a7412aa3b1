import { describe, expect, it } from "vitest";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { referenceOf, shortReferenceOf } from "../../src/payouts/reference.ts";
import { find } from "../../src/search/find.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { type Partner, report } from "../attribution/program.ts";
import { checkout, payment, second } from "../attribution/reported.ts";
import { addEarner, earn, makePayoutContext, monthsAgo, payOut, payouts } from "../ledger/program.ts";
import { addEndpoint, makeContext } from "../subscriber.ts";

let context: CreationContext;
let partner: Partner;
let click_id: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const search = async (text: string) => (await find(context, { text })).groups;

/** The titles of each kind. */
async function titles(text: string): Promise<Record<string, string[]>> {
  const groups = await search(text);
  return Object.fromEntries(groups.map(({ kind, results }) => [kind, results.map(({ title }) => title)]));
}

const addAffiliate = (fields: { email: string; first_name: string; last_name: string }) =>
  createAffiliate(context, { campaign_id: partner.campaign_id, ...fields });

const refer = async (email: string, fields: object = {}) =>
  await createReferral(context, {
    affiliate_id: partner.affiliate_id,
    email,
    subscription_status: "signed_up",
    ...fields,
  });

describe("the search", () => {
  it("finds affiliates by any part of names, addresses, domains and codes, the best match first", async () => {
    const { id } = await addAffiliate({ email: "zoe@bigco.com", first_name: "Zoe", last_name: "Nowhere" });
    await addAffiliate({ email: "ann@zoe.example", first_name: "Ann", last_name: "Lee" });
    await addAffiliate({ email: "b@c.example", first_name: "Azoe", last_name: "Bee" });
    await updateAffiliate(context, { id, ref_code: "summer-sale" });
    for (const text of ["bigco", "BIGCO.com", "igco", "nowhere", "oe now", "zoe@b", "mer-sale", "Summer"]) {
      expect((await titles(text)).affiliates, text).toEqual(["Zoe Nowhere"]);
    }
    expect((await titles("zoe")).affiliates).toEqual(["Zoe Nowhere", "Ann Lee", "Azoe Bee"]);
    expect(await titles("%ow%")).toEqual({});
    expect(await titles("nobody")).toEqual({});
    const [group] = await search("zoe@bigco.com");
    expect(group).toEqual({
      kind: "affiliates",
      results: [
        {
          id,
          title: "Zoe Nowhere",
          detail: "zoe@bigco.com",
          amount: null,
          state: "active",
          path: `/affiliates/${id}`,
        },
      ],
    });
  });

  it("follows a changed name, and finds no former names of erased people", async () => {
    const { id } = await addAffiliate({ email: "zoe@bigco.com", first_name: "Zoe", last_name: "Nowhere" });
    await updateAffiliate(context, { id, last_name: "Married" });
    expect(await titles("oe now")).toEqual({});
    expect((await titles("arried")).affiliates).toEqual(["Zoe Married"]);
    await eraseAffiliate(context, id);
    for (const text of ["zoe", "arried", "nowhere", "bigco"]) expect(await titles(text), text).toEqual({});
    const [row] = await context.database`select from affiliate_texts where affiliate_id = ${id}`;
    expect(row).toBeUndefined();
    expect((await titles(id)).affiliates).toEqual(["Erased affiliate"]);
  });

  it("finds customers, and their payments and commissions by them", async () => {
    const ann = { customer_id: "cus_Ann", email: "ann@customers.test" };
    await report(
      context,
      checkout({ subject: "cs_1", ...ann, click_ids: [click_id], at: second(10) }),
      payment({ subject: "in_Ann1", ...ann, at: second(20) }),
    );
    for (const text of ["ann@", "tomers.te", "ann@customers.test"]) {
      expect(Object.keys(await titles(text)).sort(), text).toEqual(["commissions", "customers", "payments"]);
    }
    expect(Object.keys(await titles("in_Ann1"))).toEqual(["payments", "commissions"]);
    const [{ results: [commission] = [] } = { results: [] }] = (await search("in_An")).filter(
      ({ kind }) => kind === "commissions",
    );
    expect(commission?.detail).toBe("ann@customers.test");
    const id = commission?.id ?? "";
    for (const text of [id, id.replaceAll("-", "")]) {
      expect((await titles(text)).commissions, text).toEqual([commission?.title]);
    }
    expect((await titles(id.slice(0, 20))).commissions).toContain(commission?.title);
  });

  it("finds payments of customers who were not referred, by the beginning of their email", async () => {
    await report(context, payment({ subject: "in_2", customer_id: "cus_2", email: "stranger@else.test" }));
    expect(await titles("strang")).toEqual({ payments: ["stranger@else.test"] });
  });

  it("finds no customer of a replaced referral", async () => {
    const { id } = await refer("replaced@customers.test");
    await context.database`update referrals set replaced_at = now() where id = ${id}`;
    expect(await titles("replaced")).toEqual({});
  });

  it("finds payouts by the affiliate and by their references", async () => {
    context = await makePayoutContext(context.database);
    await earn(context, await addEarner(context), { amount: 20 });
    await payOut(context, monthsAgo(0));
    const [{ id } = { id: "" }] = await payouts(context);
    expect(Object.keys(await titles("customer"))).toEqual(["customers", "commissions"]);
    for (const text of [id, id.slice(-8), referenceOf(id), shortReferenceOf(id)]) {
      expect(Object.keys(await titles(text)), text).toContain("payouts");
    }
  });

  it("finds endpoints by any part of their address", async () => {
    const { id } = await addEndpoint(context, { url: "https://hooks.bigco.com/in", description: "Orders" });
    for (const text of ["bigco", "hooks", "/in", "rders", id, id.slice(-8)]) {
      expect((await titles(text)).endpoints, text).toEqual(["https://hooks.bigco.com/in"]);
    }
  });

  it("finds nothing of other organizations", async () => {
    const { id } = await addAffiliate({ email: "zoe@bigco.com", first_name: "Zoe", last_name: "Nowhere" });
    await refer("zoe@customers.test");
    const other = await makeContext(context.database);
    for (const text of ["zoe", "igco", id, id.slice(-8)]) {
      expect((await find(other, { text })).groups, text).toEqual([]);
    }
  });
});
