import { currencyDecimals } from "@findersfee/contract/currencies";
import type { PlaySale, TestSale } from "@findersfee/contract/onboarding";
import type { ProcessorMessageInput } from "@findersfee/contract/processors/messages";
import { findTestSale } from "@findersfee/database/onboarding/test-organizations";
import { findMessage } from "@findersfee/database/processors/messages";
import { outcomeName } from "../attribution/view.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Intake } from "../processors/intake/receive.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { recordClick } from "../tracking/record-click.ts";
import type { Tracking } from "../tracking/tracking.ts";
import { signatureKey, signWebhook } from "../webhooks/deliveries/signature.ts";
import { prepareTestProgram, type TestProgram } from "./test-organization.ts";

/** The parts that real clicks and messages pass through. */
export interface TestSaleDependencies {
  secrets_key: SecretsKey;
  tracking: Tracking;
  intake: Intake;
}

const WHOLE_PRICE = 49;
const WHOLE_PRICE_WITHOUT_DECIMALS = 4_900;

/**
 * Plays a sale in the organization's test data: a click on an affiliate's link, a checkout and an invoice, through the code
 * that takes real ones. A worker then decides the payment. The messages have ids of the sale's id, so that the same
 * sale again changes nothing, and one that failed on its way is completed.
 *
 * Errors: as `prepareTestProgram`, and those of clicks and messages.
 */
export async function playSale(
  context: Context,
  { secrets_key, tracking, intake }: TestSaleDependencies,
  { id, campaign_id }: PlaySale,
): Promise<TestSale> {
  const program = await prepareTestProgram(context, { secrets_key, campaign_id });
  const names = namesOf(id);
  const opened = await findMessage(context.database, program.id, {
    processor: "generic",
    id: names.checkout_message,
  });
  if (opened === null) {
    const click_id = program.has_links ? await clickLink(tracking, program, id) : null;
    await send(intake, program, names.checkout_message, checkoutOf(names, program, click_id));
  }
  await send(intake, program, names.payment_message, paymentOf(names, context.organization.currency));
  return await getTestSale(context, id);
}

/** How far a played sale is. Errors: `not_found`. */
export async function getTestSale({ database, organization }: Context, id: string): Promise<TestSale> {
  const { checkout_message, payment_message, payment_id } = namesOf(id);
  const message_ids = [checkout_message, payment_message];
  const row = await findTestSale(database, organization.id, { message_ids, payment_id });
  if (row === null) throw notFound("sale");
  const { reason, decision_id, commission_id, outcome } = row;
  return {
    state: reason !== null ? "failed" : decision_id === null ? "waiting" : "decided",
    reason,
    organization: { id: row.id, slug: row.slug },
    outcome: outcome === null ? null : outcomeName.parse(outcome),
    decision_id,
    commission_id,
  };
}

type Names = ReturnType<typeof namesOf>;

/** All that identifies a sale at the processor. */
function namesOf(id: string) {
  const name = id.toLowerCase();
  return {
    checkout_message: `test-checkout-${name}`,
    payment_message: `test-invoice-${name}`,
    checkout_id: `checkout_${name}`,
    payment_id: `invoice_${name}`,
    customer_id: `customer_${name}`,
    email: `kim+${name.slice(-6)}@example.com`,
  };
}

async function clickLink(
  tracking: Tracking,
  { id, affiliate }: TestProgram,
  sale: string,
): Promise<string | null> {
  const { click_id } = await recordClick(tracking, id, {
    code: affiliate.link_code ?? "",
    // An address for documentation (RFC 5737); each sale has its own visitor.
    visitor: { address: "192.0.2.1", network: "192.0.2.1", user_agent: `Test sale ${sale}` },
    automation: null,
    landing_url: `https://example.com/?via=${affiliate.link_code}`,
    referrer: null,
    sub_id: null,
    country: null,
    click_id: null,
    previous_click_id: null,
  });
  return click_id;
}

function checkoutOf(
  { checkout_id, customer_id, email }: Names,
  { affiliate }: TestProgram,
  click_id: string | null,
): ProcessorMessageInput {
  const evidence =
    click_id === null ? { promo_codes: [{ code: affiliate.promo_code }] } : { click_ids: [click_id] };
  return {
    type: "checkout",
    occurred_at: new Date().toISOString(),
    data: { checkout_id, customer_id, email, ...evidence },
  };
}

function paymentOf(
  { payment_id, checkout_id, customer_id, email }: Names,
  currency: string,
): ProcessorMessageInput {
  const amount = currencyDecimals(currency) > 0 ? WHOLE_PRICE : WHOLE_PRICE_WITHOUT_DECIMALS;
  return {
    type: "payment",
    occurred_at: new Date().toISOString(),
    data: {
      payment_id,
      customer_id,
      email,
      belongs_to: [checkout_id],
      currency,
      revenue_amount: amount,
      // A product without a rate of its own.
      line_items: [{ product_id: null, amount }],
    },
  };
}

async function send(
  intake: Intake,
  { id: organization_id, signing_secret }: TestProgram,
  id: string,
  message: ProcessorMessageInput,
): Promise<void> {
  const body = JSON.stringify(message);
  const timestamp = Math.floor(Date.now() / 1000);
  const headers: Record<string, string> = {
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": signWebhook({ id, timestamp, body }, [signatureKey(signing_secret)]),
  };
  await intake.receive("generic", organization_id, {
    header: (name) => headers[name] ?? "",
    body: Buffer.from(body),
  });
}
