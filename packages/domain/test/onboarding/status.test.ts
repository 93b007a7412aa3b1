import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { eventually } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import { dismissOnboarding } from "../../src/onboarding/dismiss.ts";
import { getOnboarding } from "../../src/onboarding/status.ts";
import { removeTestData } from "../../src/onboarding/test-organization.ts";
import { connectProcessor } from "../../src/processors/connections/connect.ts";
import { newSigningSecret } from "../../src/secrets/secrets.ts";
import { recordClick } from "../../src/tracking/record-click.ts";
import { signatureKey, signWebhook } from "../../src/webhooks/deliveries/signature.ts";
import { addPartner } from "../attribution/program.ts";
import { history } from "../audit-log/history.ts";
import { makeContext, POLICY } from "../subscriber.ts";
import { processWebhooks } from "../work.ts";
import { openSales, playDecided } from "./played.ts";

let test: TestDatabase;
let context: Context;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

beforeEach(async () => {
  context = await makeContext(test.database);
});

async function sendPayment(secret: string): Promise<unknown> {
  const id = crypto.randomUUID();
  const body = JSON.stringify({
    type: "payment",
    occurred_at: new Date().toISOString(),
    data: { payment_id: id, email: "kim@customers.test", currency: "USD", revenue_amount: 49 },
  });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers: Record<string, string> = {
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": signWebhook({ id, timestamp, body }, [signatureKey(secret)]),
  };
  const { intake } = openSales(test.database);
  return await intake.receive("generic", context.organization.id, {
    header: (name) => headers[name] ?? "",
    body: Buffer.from(body),
  });
}

describe("the first steps", () => {
  it("of a new organization have only its key", async () => {
    const statements = await statementsOf(test.database, async () => {
      expect(await getOnboarding(context)).toEqual({
        dismissed_at: null,
        is_test: false,
        publishable_key: expect.stringMatching(/^ff_pk_/),
        tracker: { link_url: null, domains: [] },
        test_data: null,
        campaign: null,
        affiliate: null,
        click: null,
        connections: [],
        payment: null,
        commission: null,
      });
    });
    expect(statements).toHaveLength(1);
  });

  it("have what the tag needs: the own host name, and the domains between which clicks are handed over", async () => {
    const { organization } = context;
    const setWebsites = async (websites: string[], website_domains: string[]) => {
      await test.database`update organizations set website_domains = ${website_domains} where id = ${organization.id}`;
      for (const [number, website_url] of websites.entries())
        await addPartner(
          context,
          { name: `Campaign ${number}`, website_url },
          { email: `${number}@example.com` },
        );
      return (await getOnboarding(context)).tracker;
    };
    expect(await setWebsites(["https://www.acme.com/pricing", "https://shop.acme.com"], [])).toEqual({
      link_url: null,
      domains: [],
    });
    await test.database`
      update organizations set link_host_wanted = 'go.acme.com', link_host_proven_at = now(), link_url = 'https://go.acme.com'
      where id = ${organization.id}`;
    expect(await setWebsites(["https://acme.io/a?b=c"], ["acme-shop.com", "de.acme.io"])).toEqual({
      link_url: "https://go.acme.com",
      domains: ["acme.io", "acme.com", "acme-shop.com"],
    });
  });

  it("show what was last seen of each", async () => {
    const { campaign_id, affiliate_id } = await addPartner(
      context,
      {},
      { first_name: "Jane", ref_code: "jane" },
    );
    const { tracking } = openSales(test.database);
    await recordClick(tracking, context.organization.id, {
      code: "jane",
      visitor: { address: "192.0.2.9", network: "192.0.2.9", user_agent: "Test" },
      automation: null,
      landing_url: "https://shop.test/pricing?via=jane",
      ...{ referrer: null, sub_id: null, country: null, click_id: null, previous_click_id: null },
    });
    const connection = { name: "generic", livemode: true, api_key: null } as const;
    const { signing_secret } = await connectProcessor(context, POLICY.secrets_key, connection as never);
    await sendPayment(signing_secret);
    await processWebhooks(test.database, context.organization.id);
    expect(await getOnboarding(context)).toMatchObject({
      campaign: { id: campaign_id, name: "Partners", website_url: "https://shop.test", code_mode: "link" },
      affiliate: { id: affiliate_id, name: "Jane", code: "jane" },
      click: { landing_url: "https://shop.test/pricing?via=jane", code: "jane", affiliate: "Jane" },
      connections: [
        {
          name: "generic",
          livemode: true,
          refused: null,
          message: { type: "payment", state: "done", reason: null },
        },
      ],
      payment: { outcome: "no_referral", commission_id: null },
      commission: null,
    });
  });

  it("tell that a message came with another secret, once in a while", async () => {
    const connection = { name: "generic", livemode: true, api_key: null } as const;
    await connectProcessor(context, POLICY.secrets_key, connection as never);
    const before = Date.now();
    for (let sent = 0; sent < 3; sent += 1) {
      await expect(sendPayment(newSigningSecret())).rejects.toMatchObject({ code: "invalid_request" });
    }
    await eventually(async () => {
      const [connection] = (await getOnboarding(context)).connections;
      expect(connection).toMatchObject({
        message: null,
        refused: { reason: expect.stringContaining("does not match") },
      });
      expect(Date.parse(connection?.refused?.at ?? "")).toBeGreaterThan(before - 60_000);
    });
  });

  it("name the test data until it is removed, and not its rows", async () => {
    await addPartner(context);
    const organization = await playDecided(context, newId(new Date()));
    expect(await getOnboarding(context)).toMatchObject({
      test_data: organization,
      commission: null,
      payment: null,
      connections: [],
    });
    const inside = { ...context, organization: { ...context.organization, id: organization.id } };
    expect(await getOnboarding(inside)).toMatchObject({
      is_test: true,
      commission: { commission_amount: 14.7, currency: "USD" },
    });
    await removeTestData(context, organization.id);
    expect(await getOnboarding(context)).toMatchObject({ test_data: null });
  });

  it("are put away and shown again, with an entry for each change", async () => {
    for (const dismissed of [true, true, false, false]) {
      await dismissOnboarding(context, dismissed);
      const { dismissed_at } = await getOnboarding(context);
      expect(dismissed_at !== null).toBe(dismissed);
    }
    const entries = await history(context);
    expect(entries.filter(({ action }) => action === "updated")).toHaveLength(2);
  });
});
