import type { Database } from "@findersfee/database/connect";
import type { ProcessorRow } from "@findersfee/database/processors";
import {
  type ClaimedPromoCode,
  claimPromoCodes,
  failPromoCode,
  leavePromoCode,
} from "@findersfee/database/promo-codes";
import { openApiKey } from "@findersfee/domain/processors/connections/secrets";
import { promoCodeAgainSeconds, promoCodeWork } from "@findersfee/domain/processors/promo-codes/making";
import { settlePromoCode } from "@findersfee/domain/processors/promo-codes/settle";
import type { SecretsKey } from "@findersfee/domain/webhooks/secrets";
import type { Logger } from "pino";
import type { Stripe } from "stripe";
import { eachStripeAccount } from "./each-stripe-account.ts";
import { stripeClient, stripeFailure } from "./stripe-client.ts";
import { deactivatePromotionCode, makePromotionCode } from "./stripe-promotion-code.ts";

/** Longer than the few requests of one batch take. */
const LEASE_SECONDS = 600;
const BATCH = 10;
/** Of one organization in one run: the next one comes within a minute. */
const MOST_BATCHES = 20;

export interface StripeParts {
  database: Database;
  log: Logger;
  secrets_key: SecretsKey;
  /** Null: Stripe's own. */
  stripe_api_url: string | null;
}

/** Sees to it that Stripe has the promotion codes of all organizations whose API key we have. */
export async function makePromoCodes(parts: StripeParts, signal: AbortSignal): Promise<void> {
  await eachStripeAccount(parts.database, signal, (row) => makeOrganizationCodes(parts, { row, signal }));
}

async function makeOrganizationCodes(
  { database, log, secrets_key, stripe_api_url }: StripeParts,
  { row, signal }: { row: ProcessorRow; signal: AbortSignal },
): Promise<void> {
  const { organization_id } = row;
  let stripe: Stripe | null = null;
  for (let batch = 0; batch < MOST_BATCHES && !signal.aborted; batch++) {
    const codes = await claimPromoCodes(database, organization_id, {
      lease_seconds: LEASE_SECONDS,
      limit: BATCH,
    });
    if (codes.length === 0) return;
    stripe ??= await stripeClient(openApiKey(secrets_key, row) ?? "", { api_url: stripe_api_url });
    for (const code of codes) {
      await makeCode(database, { organization_id, stripe, code, log });
    }
  }
}

/** Has Stripe make one code, and notes what came of it. Throws only what is of the database. */
async function makeCode(
  database: Database,
  {
    organization_id,
    stripe,
    code,
    log,
  }: { organization_id: string; stripe: Stripe; code: ClaimedPromoCode; log: Logger },
): Promise<void> {
  const work = promoCodeWork(code);
  if (work.kind === "nothing") return await leavePromoCode(database, organization_id, code.id);
  const { id, external_request_id, affiliate_id } = code;
  try {
    if (work.replaces !== null) await deactivatePromotionCode(stripe, work.replaces);
    const made = await makePromotionCode(stripe, {
      code: code.code,
      coupon: work.coupon,
      idempotency_key: `findersfee-${external_request_id}`,
      metadata: { findersfee_organization: organization_id, findersfee_affiliate: affiliate_id },
    });
    await settlePromoCode(database, organization_id, {
      id,
      code: code.code,
      external: {
        external_id: made.external_id,
        external_code: code.code,
        external_coupon: work.coupon,
        external_linked: made.linked,
      },
    });
  } catch (error) {
    const failure = stripeFailure(error);
    if (failure === null) throw error;
    log.warn({ organization_id, affiliate_id, reason: failure.message }, "a promotion code was not made");
    await failPromoCode(database, organization_id, {
      id,
      code: code.code,
      error: failure.message,
      again_seconds: failure.kind === "refused" ? null : promoCodeAgainSeconds(code.external_attempts),
      answered: failure.kind !== "unanswered",
    });
  }
}
