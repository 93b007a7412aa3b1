import type { CreateReferral, Referral } from "@findersfee/contract/customers/referrals";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { insertReferral } from "@findersfee/database/customers/referrals";
import type { Transaction } from "@findersfee/database/postgres/connect";
import type { AffiliateRow, ReferralWithAffiliateRow } from "@findersfee/database/rows";
import { replacePageSignUps } from "@findersfee/database/tracking/page-sign-ups";
import { actorText } from "../../actor.ts";
import { NO_CLICK } from "../../attribution/facts/clicks.ts";
import { isSameAddress } from "../../attribution/facts/emails.ts";
import { createAndReattribute } from "../../attribution/reattribute-customers.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import {
  type DomainError,
  invalidField,
  notFound,
  requireReferral,
  requireSubscription,
} from "../../errors.ts";
import { newId } from "../../ids.ts";
import { inTransaction } from "../../transaction.ts";
import { serializeEvent, viewReferralEvent } from "../../webhooks/events/data.ts";
import { recordEvent } from "../../webhooks/events/record.ts";
import { explainConflict } from "./conflicts.ts";
import { referralFields, viewReferral } from "./view.ts";

/**
 * Creates a referral and records `referral.created`. The affiliate may be banned or unapproved, because the caller
 * chose it explicitly. Errors: `subscription_error`, `not_found` (affiliate), `referral_exists`, `invalid_request` (the
 * customer is the affiliate).
 */
export async function createReferral(context: Context, input: CreateReferral): Promise<Referral> {
  const { organization } = context;
  const { email, processor_customer_id = null } = input;
  try {
    return await inTransaction(context, async (sql) => {
      requireSubscription(organization);
      const affiliate = await findAffiliate(sql, organization.id, input.affiliate_id);
      if (affiliate === null) throw notFound("affiliate");
      let row: ReferralWithAffiliateRow | null = null;
      await createAndReattribute(sql, organization, {
        email,
        processor_customer_id,
        affiliate,
        cause: actorText(context.actor),
        makeReferral: async () => {
          row = await insertNewReferral(sql, context, { ...input, affiliate });
          return row;
        },
      });
      return viewReferral(requireReferral(row), organization.currency);
    });
  } catch (error) {
    throw await explainConflict(context, error, input);
  }
}

/**
 * Inserts a referral and records `referral.created`. The caller decides again about the customer's payments. Errors:
 * `invalid_request` (the customer is the affiliate).
 */
export async function insertNewReferral(
  sql: Transaction,
  context: Context,
  {
    affiliate,
    ...input
  }: { affiliate: AffiliateRow } & Pick<CreateReferral, "email"> &
    Partial<Pick<CreateReferral, "subscription_status" | "processor_customer_id">>,
): Promise<ReferralWithAffiliateRow> {
  const { organization } = context;
  if (isSameAddress(input.email, affiliate.email)) throw selfReferral();
  const created_at = new Date();
  const referral = {
    id: newId(created_at),
    email: input.email,
    subscription_status: input.subscription_status ?? ("signed_up" as const),
    signup_date: created_at,
    processor_customer_id: input.processor_customer_id ?? null,
    converted_at: null,
    created_at,
  };
  const row = { ...referral, affiliate, replaced_at: null };
  await replacePageSignUps(sql, organization.id, referral);
  await insertReferral(sql, organization.id, { ...referral, affiliate_id: affiliate.id, ...NO_CLICK });
  const event = serializeEvent("referral.created", viewReferralEvent(row), created_at);
  await recordEvent(sql, organization.id, event);
  // Keys create referrals in numbers, each with its event. The log is for changes by people.
  if (context.actor.kind !== "key") {
    await writeAuditEntry(sql, context, {
      resource: "referral",
      id: referral.id,
      action: "created",
      before: null,
      after: referralFields(referral, affiliate.id),
    });
  }
  return row;
}

function selfReferral(): DomainError {
  return invalidField(
    "email",
    "This is the affiliate's own address, and self-referrals earn no commission. Send the customer's email.",
  );
}
