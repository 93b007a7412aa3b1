import { afterAll, beforeAll, expect, it } from "vitest";
import { createProgram, type Program } from "../program.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import { click, createTrackedProgram, post } from "../tracking-program.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

/** Addresses that providers have, and processors report. */
const EMAILS = ["a.b.@mail.example", "j\u00f6rg@m\u00fcller.example", "o'neill#1@example.com"];

it.each(EMAILS)("stores and finds %s, with white space around it", async (email) => {
  const program: Program = await createProgram(service);
  const { rest, trpc } = program.organization;
  const affiliate = { email: ` ${email}`, payout_email: `${email} `, first_name: "Jane" };
  const { body: made } = await rest("POST", "/affiliates", affiliate);
  expect(made.data).toMatchObject({ email, payout_email: email });
  const query = new URLSearchParams({ email: ` ${email} ` });
  expect((await rest("GET", `/affiliates?${query}`)).body.data).toMatchObject([{ id: made.data.id }]);
  const referral = await trpc.referrals.create.mutate({ affiliate_id: program.affiliate.id, email });
  expect((await rest("GET", `/referrals?${query}`)).body.data).toMatchObject([{ id: referral.id, email }]);
  expect(await trpc.referrals.update.mutate({ ...referral, email: `${email} ` })).toMatchObject({ email });
});

it.each(EMAILS)("accepts the sign-up of %s", async (email) => {
  const program = await createTrackedProgram(service);
  const { click_id } = (await click(program)).body.data;
  const { publishable_key: key, trpc } = program.organization;
  expect((await post(`${service.url}/track/signup`, { key, click_id, email: `${email} ` })).status).toBe(200);
  expect((await trpc.referrals.list.query({ email })).data).toMatchObject([{ email }]);
});
