import { shortId } from "@findersfee/ui/formats/ids";
import type { AuditEntry } from "./queries.ts";

const WORDS = /^[a-z_ ]+$/;

/** The pages of changed things, below the organization's address, by ID; null: they have none. */
const ADDRESSES: Record<AuditEntry["resource"], ((id: string) => string) | null> = {
  affiliate: (id) => `/affiliates/${id}`,
  promo_code: (id) => `/affiliates/${id}`,
  referral: (id) => `/referrals/${id}`,
  commission: (id) => `/commissions/${id}`,
  adjustment: null,
  payout: (id) => `/payouts/${id}`,
  payout_run: (id) => `/payouts/runs/${id}`,
  payment_decision: (id) => `/payments/${id}`,
  override: null,
  api_key: () => "/developers/keys",
  endpoint: (id) => `/developers/webhooks/${id}`,
  settings: () => "/settings/payouts",
  organization: () => "/settings/organization",
  member: () => "/settings/team",
  invitation: () => "/settings/team",
  campaign: (id) => `/campaigns/${id}`,
  processor: (id) => `/connections/${id}`,
  mail: () => "/settings/health",
  claim: (id) => `/claims/${id}`,
  single_sign_on: () => "/settings/single-sign-on",
  job: null,
};

/** The page of a changed thing, below the organization's address; null: it has none. */
export function addressOf({ resource, resource_id, action }: AuditEntry): string | null {
  if (action === "deleted") return null;
  return ADDRESSES[resource]?.(resource_id) ?? null;
}

/** The name of a changed thing: its own, or one among its fields; else the end of its ID. */
export function nameOf({ resource, resource_id, resource_name, before, after }: AuditEntry): string | null {
  if (resource === "settings" || resource === "organization" || resource === "single_sign_on") return null;
  if (resource_name !== null) return resource_name;
  const fields = { ...before, ...after };
  const named = [fields.name, fields.email, fields.code, fields.url].find(
    (value) => typeof value === "string",
  );
  if (typeof named === "string") return named;
  return WORDS.test(resource_id) ? resource_id : shortId(resource_id);
}
