import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { updateProcessor } from "@findersfee/domain/processors/connections/update";
import { listProcessorMessages } from "@findersfee/domain/processors/messages/list";
import { rerunProcessorMessage } from "@findersfee/domain/processors/messages/rerun";
import { STRIPE_SECRET, stripeEvent } from "@findersfee/domain/testing/processors/signed";
import { processWebhooks } from "@findersfee/domain/testing/work";
import { sampleInvoice } from "@findersfee/samples/stripe/invoice";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { commissionsOf, makeTestOrganization, storeStripe, type TestOrganization } from "../processing.ts";

const KEY = Buffer.alloc(32, 1);
const CUSTOMER = "cus_1";

let test: TestDatabase;
let organization: TestOrganization;

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(async () => {
  organization = await makeTestOrganization(test.database, { customers: [CUSTOMER] });
  const connection = {
    name: "stripe",
    signing_secret: STRIPE_SECRET,
    api_key: null,
    livemode: true,
  } as const;
  await connectProcessor(organization.context, KEY, connection);
});

afterAll(() => test.close());

/** The paid invoice of a referred customer, as a webhook of Stripe Connect reports it. */
function paidInvoice(id: string, account?: string): string {
  const invoice = sampleInvoice("2026-10-28.endive", {
    id: `in_${id}`,
    customer: CUSTOMER,
    created: Math.floor(Date.now() / 1000),
    lines: [{ product: "prod_basic", amount: 10_000 }],
  });
  return stripeEvent(`evt_${id}`, "invoice.paid", { ...invoice }, account === undefined ? {} : { account });
}

async function process(...bodies: string[]): Promise<void> {
  await storeStripe(test.database, organization.organization_id, bodies);
  await processWebhooks(test.database, organization.organization_id);
}

async function paidInvoices(): Promise<string[]> {
  const commissions = await commissionsOf(test.database, organization.organization_id);
  return commissions.map((commission) => commission.split(":")[0] ?? "");
}

async function messages() {
  const { data } = await listProcessorMessages(organization.context, { limit: 10 });
  return Object.fromEntries(data.map((item) => [item.id, item]));
}

async function name(connected_accounts: string[]): Promise<void> {
  await updateProcessor(organization.context, KEY, { name: "stripe", connected_accounts });
}

describe("events of connected accounts", () => {
  it("are skipped with a reason, unlike events of the organization's own account", async () => {
    await process(paidInvoice("own"), paidInvoice("theirs", "acct_merchant"));
    expect(await paidInvoices()).toEqual(["in_own"]);
    expect(await messages()).toMatchObject({
      evt_own: { state: "done", account: null, reason: null },
      evt_theirs: {
        state: "skipped",
        account: "acct_merchant",
        reason: expect.stringMatching(/^connected_account: .*acct_merchant/),
      },
    });
  });

  it("are processed for the accounts that the connection lists, and for no others", async () => {
    await name(["acct_merchant"]);
    await process(paidInvoice("theirs", "acct_merchant"), paidInvoice("others", "acct_other"));
    expect(await paidInvoices()).toEqual(["in_theirs"]);
    expect(await messages()).toMatchObject({
      evt_theirs: { state: "done" },
      evt_others: { state: "skipped" },
    });
  });

  it("are processed by the connection's current accounts in a rerun", async () => {
    await process(paidInvoice("theirs", "acct_merchant"));
    const rerun = async () => {
      await rerunProcessorMessage(organization.context, { processor: "stripe", id: "evt_theirs" });
      await processWebhooks(test.database, organization.organization_id);
    };
    await rerun();
    expect(await paidInvoices()).toEqual([]);
    await name(["acct_merchant"]);
    await rerun();
    expect(await paidInvoices()).toEqual(["in_theirs"]);
  });

  it("are skipped if the account id is malformed", async () => {
    await process(
      stripeEvent("evt_odd", "invoice.paid", JSON.parse(paidInvoice("odd")).data.object, {
        account: { id: 1 },
      }),
    );
    expect(await paidInvoices()).toEqual([]);
    expect(await messages()).toMatchObject({ evt_odd: { state: "skipped" } });
  });

  it("are not supported on connections to other processors", async () => {
    const connection = { name: "generic", signing_secret: undefined, api_key: null, livemode: true } as const;
    const connect = connectProcessor(organization.context, KEY, {
      ...connection,
      connected_accounts: ["acct_1"],
    });
    await expect(connect).rejects.toMatchObject({ code: "invalid_request" });
  });
});
