import { findProcessor } from "@findersfee/database/processors/processors";
import {
  type DuePromoCode,
  postponePromoCode,
  readDuePromoCodes,
  skipPromoCode,
} from "@findersfee/database/processors/promo-codes";
import { openApiKey } from "@findersfee/domain/processors/connections/secrets";
import { promoCodeWork } from "@findersfee/domain/processors/promo-codes/plan";
import { recordPromoCode } from "@findersfee/domain/processors/promo-codes/record-external";
import { RETRY_DELAYS, retryDelay } from "@findersfee/domain/work/retry-delays";
import type { Stripe } from "stripe";
import type { Consumer, Turn } from "../work/consumer.ts";
import { type StripeDependencies, stripeClient, stripeFailure } from "./stripe/client.ts";
import { deactivatePromotionCode, makePromotionCode } from "./stripe/promotion-code.ts";

const AT_ONCE = 4;
const SEARCH_MILLISECONDS = 5_000;
const BATCH = 10;

/** Creates promotion codes at Stripe for affiliates' promo codes, where an organization connected an API key. */
export function promoCodes(dependencies: StripeDependencies): Consumer {
  const { database, secrets_key, stripe_api_url } = dependencies;
  return {
    kind: "promo_codes",
    organizations_at_once: AT_ONCE,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run(turn) {
      const { organization_id, owner, signal } = turn;
      const row = await findProcessor(database, organization_id, "stripe");
      const api_key = row === null ? null : openApiKey(secrets_key, row);
      if (api_key === null) return { next: "idle" };
      const codes = await readDuePromoCodes(database, organization_id, { owner, limit: BATCH });
      if (codes.length === 0) return { next: "idle" };
      const stripe = await stripeClient(api_key, { api_url: stripe_api_url });
      let completed = 0;
      for (const code of codes) {
        if (signal.aborted) break;
        if (await createCode(dependencies, { turn, stripe, code })) completed += 1;
      }
      return { completed, failed: codes.length - completed, next: "more" };
    },
  };
}

/** Creates one code at Stripe and records the result; false: it failed. Throws errors of the database only. */
async function createCode(
  { database, log }: StripeDependencies,
  { turn, stripe, code }: { turn: Turn; stripe: Stripe; code: DuePromoCode },
): Promise<boolean> {
  const { organization_id, owner } = turn;
  const { id, external_request_id, affiliate_id } = code;
  const work = promoCodeWork(code);
  if (work.kind === "nothing") {
    await skipPromoCode(database, organization_id, { id, owner });
    return true;
  }
  try {
    if (work.replaces !== null) await deactivatePromotionCode(stripe, work.replaces);
    const made = await makePromotionCode(stripe, {
      code: code.code,
      coupon: work.coupon,
      idempotency_key: `findersfee-${external_request_id}`,
      metadata: { findersfee_organization: organization_id, findersfee_affiliate: affiliate_id },
    });
    const external = {
      external_id: made.external_id,
      external_code: code.code,
      external_coupon: work.coupon,
      external_linked: made.linked,
    };
    await recordPromoCode(database, organization_id, { id, code: code.code, external });
    return true;
  } catch (error) {
    const failure = stripeFailure(error);
    if (failure === null) throw error;
    const { kind, message: reason } = failure;
    log.warn({ organization_id, affiliate_id, reason }, "failed to create a promotion code at Stripe");
    await postponePromoCode(database, organization_id, code, {
      owner,
      seconds: kind === "refused" ? null : retryDelay(RETRY_DELAYS.promo_codes, code.failures),
      reason,
      answered: kind !== "unanswered",
    });
    return false;
  }
}
