import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../src/index.ts";
import { recordingFetch } from "./recording-fetch.ts";
import { CAMPAIGN, feedShows, type Service, startService } from "./service.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

/** A client of the service, and the requests that it sends. */
function recordedClient() {
  const { sent, fetch } = recordingFetch();
  return { sent, client: createClient({ apiKey: service.api_key, baseUrl: service.url, fetch }) };
}

it("creates, reads, changes and lists every resource", async () => {
  const { client } = service;
  const campaign = await client.campaigns.create(CAMPAIGN);
  expect(await client.campaigns.get({ id: campaign.id })).toEqual(campaign);
  expect((await client.campaigns.update({ id: campaign.id, name: "Friends" })).name).toBe("Friends");

  const affiliate = await client.affiliates.create({ email: "jane@example.com", first_name: "Jane" });
  expect(affiliate).toMatchObject({ email: "jane@example.com", campaign: { name: "Friends" } });
  expect((await client.affiliates.update({ id: affiliate.id, banned: true })).banned).toBe(true);
  expect((await client.affiliates.list({ banned: true })).data.map(({ id }) => id)).toEqual([affiliate.id]);

  const referral = await client.referrals.create({ affiliate_id: affiliate.id, email: "one@example.com" });
  const changed = await client.referrals.update({ id: referral.id, subscription_status: "active" });
  expect(await client.referrals.get({ id: referral.id })).toEqual(changed);

  const commission = await client.commissions.create({
    referral_id: referral.id,
    revenue_amount: 100,
    commission_amount: 30,
  });
  expect(
    (await client.commissions.update({ id: commission.id, payout_status: "voided" })).payout_status,
  ).toBe("voided");
  expect(await client.commissions.list()).toMatchObject({ data: [{ id: commission.id }] });
  expect(await client.payouts.list({ status: "paid" })).toMatchObject({ data: [] });

  await feedShows(service, 4);
  const { data: events } = await client.events.list({ types: "commission.created" });
  expect(events).toMatchObject([{ type: "commission.created", data: { id: commission.id } }]);
});

it("narrows an event's data by its type", async () => {
  const seen: string[] = [];
  for await (const event of service.client.events.list()) {
    switch (event.type) {
      case "affiliate.created":
      case "affiliate.approved":
      case "affiliate.tier_changed":
        seen.push(event.data.campaign.name);
        break;
      case "referral.created":
      case "referral.converted":
        seen.push(event.data.affiliate.email);
        break;
      case "commission.created":
        seen.push(event.data.currency);
        break;
    }
  }
  expect(seen.sort()).toEqual(["Friends", "USD", "jane@example.com", "jane@example.com"]);
});

describe("batching", () => {
  it("sends queries of the same turn in one request", async () => {
    const { sent, client } = recordedClient();
    const { data: affiliates } = await service.client.affiliates.list();
    const id = affiliates[0]?.id ?? "";
    const [one, other, list] = await Promise.all([
      client.affiliates.get({ id }),
      client.affiliates.get({ id }),
      client.campaigns.list(),
    ]);
    expect(sent.map(({ method, path }) => [method, path])).toEqual([
      ["GET", "affiliates.get,affiliates.get,campaigns.list"],
    ]);
    expect(one).toEqual(other);
    expect(list.data).toHaveLength(1);
  });

  it("isolates batched calls from each other", async () => {
    const { sent, client } = recordedClient();
    const id = crypto.randomUUID();
    const results = await Promise.allSettled([
      client.affiliates.get({ id }),
      client.affiliates.list({ limit: 0 }),
      client.affiliates.list({ limit: 1 }),
    ]);
    expect(sent).toHaveLength(1);
    expect(results).toMatchObject([
      { reason: { code: "not_found", status: 404 } },
      { reason: { code: "invalid_request", status: 400, issues: [{ path: "limit" }] } },
      { value: { pagination: { limit: 1 } } },
    ]);
  });

  it("splits batches that exceed one request", async () => {
    const { sent, client } = recordedClient();
    await Promise.all(Array.from({ length: 120 }, () => client.campaigns.list({ limit: 1 })));
    expect(sent.map(({ path }) => path.split(",").length)).toEqual([50, 50, 20]);
    sent.length = 0;
    const email = `${"é".repeat(150)}@example.com`;
    await Promise.allSettled(Array.from({ length: 20 }, () => client.affiliates.list({ email })));
    expect(sent.length).toBeGreaterThan(1);
    for (const { url } of sent) expect(url.length).toBeLessThan(7_600);
  });

  it("sends changes one by one, each with its own key", async () => {
    const { sent, client } = recordedClient();
    const emails = ["a@example.com", "b@example.com", "c@example.com"];
    await Promise.all(emails.map((email) => client.affiliates.create({ email })));
    expect(sent.map(({ method, path }) => [method, path])).toEqual(
      emails.map(() => ["POST", "affiliates.create"]),
    );
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("a caller's idempotency key", () => {
  it("creates once across repeated uses", async () => {
    const { client } = service;
    const idempotencyKey = "order 4711";
    const one = await client.affiliates.create({ email: "once@example.com" }, { idempotencyKey });
    const other = await client.affiliates.create({ email: "once@example.com" }, { idempotencyKey });
    expect(other).toEqual(one);
    await expect(
      client.affiliates.create({ email: "other@example.com" }, { idempotencyKey }),
    ).rejects.toMatchObject({ code: "idempotency_conflict", status: 409 });
  });

  it.each(["", " ", "a\nb", "x".repeat(256), "é"])("rejects %j before sending", async (idempotencyKey) => {
    const { sent, client } = recordedClient();
    await expect(
      client.affiliates.create({ email: "never@example.com" }, { idempotencyKey }),
    ).rejects.toMatchObject({ code: "invalid_request", issues: [{ path: "idempotencyKey" }] });
    expect(sent).toEqual([]);
  });
});

it("accepts a path prefix, a trailing slash and the address of an API surface", async () => {
  for (const end of ["/", "/v1", "/v1/", "/v1/trpc", "/trpc/", "//"]) {
    const client = createClient({ apiKey: service.api_key, baseUrl: `${service.url}${end}` });
    expect((await client.campaigns.list()).data).toHaveLength(1);
  }
});
