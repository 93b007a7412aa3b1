/* The file of an affiliate's performance: its own rows alone, and for active affiliates alone. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { CAMPAIGN } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { openPortal } from "./affiliate-browser.ts";

let service: TestService;
let path: (affiliate_id: string, query?: string) => string;
let jane: { id: string };
let joe: { id: string };
let cookie: string;

beforeAll(async () => {
  service = await startTestService();
  const { trpc } = await service.organization();
  await trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  jane = await trpc.affiliates.create.mutate({ email: "jane@example.com" });
  joe = await trpc.affiliates.create.mutate({ email: "joe@example.com" });
  for (const [id, email] of [
    [jane.id, "one@customers.test"],
    [joe.id, "two@customers.test"],
  ] as const) {
    const referral = await trpc.referrals.create.mutate({ affiliate_id: id, email });
    await service.database`update referrals set sub_id = ${email.slice(0, 3)} where id = ${referral.id}`;
    await trpc.commissions.create.mutate({
      referral_id: referral.id,
      revenue_amount: 100,
      commission_amount: 20,
    });
  }
  cookie = `findersfee_portal=${(await openPortal(service, "jane@example.com")).cookies.get("findersfee_portal")}`;
  path = (affiliate_id, query = "dimension=sub_id&until=2100-01-01") =>
    `${service.url}/portal/files/${affiliate_id}/performance.csv?${query}`;
});

afterAll(() => service.close());

it("has the affiliate's own rows", async () => {
  const response = await fetch(path(jane.id), { headers: { cookie } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="performance.csv"');
  const text = await response.text();
  expect(text).toMatch(/one,,USD,0,1,/);
  expect(text).not.toContain("two");
});

it("has no revenue, which the campaign may hide", async () => {
  const [header = [], ...rows] = (await (await fetch(path(jane.id), { headers: { cookie } })).text())
    .split("\r\n")
    .map((line) => line.split(","));
  const commission = header.indexOf("commission_amount");
  expect(rows.map((row) => row[commission])).toContain("20");
  for (const name of ["revenue_amount", "previous_revenue_amount"])
    expect(new Set(rows.map((row) => row[header.indexOf(name)] ?? ""))).toEqual(new Set([""]));
});

it.each([
  ["an order by revenue", () => path(jane.id, "dimension=link&until=2100-01-01&sort=revenue_amount"), 400],
  ["another affiliate's", () => path(joe.id), 403],
  [
    "a dimension that affiliates do not have",
    () => path(jane.id, "dimension=affiliate&until=2100-01-01"),
    400,
  ],
  ["another scope", () => path(jane.id, `dimension=link&until=2100-01-01&affiliate_id=${joe.id}`), 400],
])("does not answer for %s", async (_, url, status) => {
  expect((await fetch(url(), { headers: { cookie } })).status).toBe(status);
});

it("does not answer without a session, nor for a banned affiliate", async () => {
  expect((await fetch(path(jane.id))).status).toBe(401);
  await service.database`update affiliates set banned = true where id = ${jane.id}`;
  // A second at most: processes cache states.
  await expect
    .poll(async () => (await fetch(path(jane.id), { headers: { cookie } })).status, { interval: 600 })
    .toBe(403);
});
