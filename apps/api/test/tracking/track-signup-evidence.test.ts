/*
 * Anyone can report sign-ups with a publishable key, so stronger evidence decides the commission. Uses real
 * messages.
 */
import { genericHeaders } from "@findersfee/domain/testing/processors/signed";
import { processWebhooks } from "@findersfee/domain/testing/work";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { staffOf } from "../staff.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import { BROWSER, click, createTrackedProgram, post, type TrackedProgram } from "../tracking-program.ts";

const VICTIM = { customer_id: "cus_1", email: "customer@example.com" };

let service: TestService;
let program: TrackedProgram;
let secret: string;
let messages = 0;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createTrackedProgram(service);
  const { trpc } = program.organization;
  await trpc.affiliates.create.mutate({ email: "thief@example.org", ref_code: "thief" });
  const { staff } = await staffOf(service, program.organization.organization_id);
  ({ signing_secret: secret } = await staff.processors.connect.mutate({ name: "generic" }));
});

/** Reports to the generic processor over HTTP, and processes the messages. */
async function report(type: string, data: Record<string, unknown>, at = new Date()): Promise<void> {
  const { organization_id } = program.organization;
  messages += 1;
  const body = JSON.stringify({ type, occurred_at: at.toISOString(), data });
  const headers = genericHeaders(body, { id: `msg_${messages}`, secret });
  const response = await fetch(`${service.url}/processors/generic/${organization_id}`, {
    method: "POST",
    headers,
    body,
  });
  expect(response.status).toBe(200);
  await processWebhooks(service.database, organization_id);
}

const pays = (payment_id: string, at = new Date()) =>
  report("payment", { payment_id, ...VICTIM, currency: "USD", revenue_amount: 49 }, at);

async function clickOf(code: string): Promise<string> {
  const agent = { "user-agent": BROWSER.replace("142", code === "jane" ? "141" : "140") };
  return (await click(program, { code }, agent)).body.data.click_id;
}

async function signUp(input: Record<string, unknown>): Promise<void> {
  const body = { key: program.organization.publishable_key, email: VICTIM.email, ...input };
  expect((await post(`${service.url}/track/signup`, body)).body).toEqual({
    success: true,
    data: { accepted: true },
  });
}

async function earners(): Promise<string[]> {
  const { data } = await program.organization.trpc.commissions.list.query({});
  return data.map(({ affiliate }) => affiliate.email);
}

it("earns nothing from a renewal for an affiliate who signs up the payer's email", async () => {
  await pays("in_1", new Date(Date.now() - 60_000));
  await signUp({ click_id: await clickOf("thief") });
  await pays("in_2");
  expect(await earners()).toEqual([]);
  expect((await program.organization.trpc.referrals.list.query({})).data).toEqual([]);
});

it("earns nothing for a sign-up with the payer's customer id", async () => {
  await pays("in_1", new Date(Date.now() - 60_000));
  const click_id = await clickOf("thief");
  await signUp({ click_id, email: "made-up@example.org", processor_customer_id: VICTIM.customer_id });
  await pays("in_2");
  expect(await earners()).toEqual([]);
  const { data } = await program.organization.trpc.referrals.list.query({});
  expect(data).toMatchObject([{ email: "made-up@example.org", processor_customer_id: null }]);
});

it("refers a lead to the checkout's click over another affiliate's sign-up", async () => {
  const janes = await clickOf("jane");
  await signUp({ click_id: await clickOf("thief") });
  await report("checkout", { checkout_id: "order_1", ...VICTIM, click_ids: [janes] });
  await pays("in_1");
  expect(await earners()).toEqual(["jane@example.com"]);
});

it("counts a sign-up if the checkout has no other evidence", async () => {
  await signUp({ click_id: await clickOf("jane") });
  await report("checkout", { checkout_id: "order_1", ...VICTIM });
  await pays("in_1");
  expect(await earners()).toEqual(["jane@example.com"]);
});

it("counts at most three sign-ups per click, even concurrent ones", async () => {
  const click_id = await clickOf("thief");
  const emails = Array.from({ length: 12 }, (_, number) => `person${number % 6}@example.org`);
  await Promise.all(emails.map((email) => signUp({ click_id, email })));
  await signUp({ click_id, email: "late@example.org" });
  expect((await program.organization.trpc.referrals.list.query({})).data).toHaveLength(3);
});
