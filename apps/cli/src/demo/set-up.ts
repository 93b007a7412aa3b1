import { randomBytes } from "node:crypto";
import { processorWithSecretSchema } from "@findersfee/contract/processors/processors";
import { endpointWithSecretSchema } from "@findersfee/contract/webhooks/endpoints";
import { FindersfeeError } from "@findersfee/sdk";
import { RejectedError } from "./dashboard.ts";
import { expectEqual, required } from "./expect.ts";
import { SITE } from "./service.ts";
import type { Participants, Stage } from "./stage.ts";

const PERCENT = 30;
const FIRST_PERCENT = 50;

/**
 * Sets up the organization's side (a campaign, an affiliate, an endpoint, Stripe) and the visitor's, a click.
 */
export async function setUp(stage: Stage): Promise<Participants> {
  await makeCampaign(stage);
  await makeEndpoint(stage);
  const { affiliate_id, code } = await makeAffiliate(stage);
  const { signing_secret } = await connectStripe(stage);
  const { click_id } = await followLink(stage, { affiliate_id, code });
  return { affiliate_id, click_id, signing_secret };
}

async function makeCampaign({ service, steps }: Stage): Promise<void> {
  await steps.take(
    `A campaign pays ${PERCENT} % of each payment, and ${FIRST_PERCENT} % of a customer's first`,
    async () => {
      const campaign = await service.findersfee.campaigns
        .create({
          name: "Partner program",
          commission_type: "percentage",
          commission_amount: PERCENT,
          first_payment_commission: { enabled: true, type: "percentage", amount: FIRST_PERCENT },
          website_url: SITE,
          is_default: true,
        })
        .catch(explainUnknownKey);
      return { lines: [campaign.name], data: campaign };
    },
  );
}

/** The organization was just created, in the database of this command's configuration. */
function explainUnknownKey(error: unknown): never {
  if (!(error instanceof FindersfeeError) || error.code !== "unauthorized") throw error;
  throw new Error(
    "The service uses another database: it does not have the organization just created. Run this command with the service's DATABASE_URL or DATA_DIR.",
  );
}

async function makeEndpoint({ service, receiver, steps }: Stage): Promise<void> {
  await steps.take("A webhook endpoint for a receiver in this command", async () => {
    const { secret, ...endpoint } = await service.dashboard
      .mutate("endpoints.create", { url: receiver.url }, endpointWithSecretSchema)
      .catch(explainRefusedUrl);
    receiver.expect({ id: endpoint.id, secret });
    return { lines: [endpoint.url], data: endpoint };
  });
}

function explainRefusedUrl(error: unknown): never {
  const issue = error instanceof RejectedError ? error.issues.find(({ path }) => path === "url") : undefined;
  if (issue === undefined) throw error;
  throw new Error(
    `The service does not allow webhook endpoints on this machine (${issue.message}) Start it with WEBHOOK_ALLOW_HTTP=true and WEBHOOK_ALLOW_PRIVATE=true, its workers too; never in production.`,
  );
}

async function makeAffiliate({ service, steps }: Stage): Promise<{ affiliate_id: string; code: string }> {
  const affiliate = await steps.take("An affiliate joins", async () => {
    const data = await service.findersfee.affiliates.create({
      email: "jane@example.com",
      first_name: "Jane",
      last_name: "Doe",
    });
    return { lines: data.links.map(({ url }) => `${data.first_name} ${data.last_name}, ${url}`), data };
  });
  const { code } = required("a link of the affiliate", affiliate.links[0]);
  return { affiliate_id: affiliate.id, code };
}

async function connectStripe({ service, steps }: Stage): Promise<{ signing_secret: string }> {
  const signing_secret = `whsec_${randomBytes(24).toString("base64")}`;
  await steps.take("Stripe is connected, in test mode", async () => {
    const input = { name: "stripe", signing_secret, livemode: false };
    const { signing_secret: _hidden, ...connected } = await service.dashboard.mutate(
      "processors.connect",
      input,
      processorWithSecretSchema,
    );
    return { lines: [`events go to ${connected.path}`], data: connected };
  });
  return { signing_secret };
}

async function followLink(
  { service, poller, steps }: Stage,
  { affiliate_id, code }: { affiliate_id: string; code: string },
): Promise<{ click_id: string }> {
  return await steps.take("A visitor follows Jane's link", async () => {
    const clicked = await service.click(code);
    const click_id = required("a click id", clicked.click_id);
    const clicks = await poller.until("the click to be counted", async () => {
      const affiliate = await service.findersfee.affiliates.get({ id: affiliate_id });
      return affiliate.clicks > 0 ? { found: affiliate.clicks } : { missing: "the affiliate has no clicks." };
    });
    expectEqual("The number of Jane's clicks", clicks, 1);
    const lines = [`click ${click_id}, kept for ${clicked.cookie_duration} days`, `Jane has ${clicks} click`];
    return { lines, data: { click_id, clicks } };
  });
}
