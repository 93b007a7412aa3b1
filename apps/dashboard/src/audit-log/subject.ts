import { shortId } from "@findersfee/ui/formats/ids";
import type { AuditEntry } from "./queries.ts";

const WORDS = /^[a-z_ ]+$/;

/** The page of a changed thing, below the organization's address; null: it has none. */
export function addressOf({ resource, resource_id: id, action }: AuditEntry): string | null {
  if (action === "deleted") return null;
  switch (resource) {
    case "affiliate":
    case "promo_code":
      return `/affiliates/${id}`;
    case "referral":
      return `/referrals/${id}`;
    case "commission":
      return `/commissions/${id}`;
    case "payout":
      return `/payouts/${id}`;
    case "payout_run":
      return `/payouts/runs/${id}`;
    case "payment_decision":
      return `/payments/${id}`;
    case "api_key":
      return "/developers/keys";
    case "endpoint":
      return `/developers/webhooks/${id}`;
    case "settings":
      return "/settings/payouts";
    case "organization":
      return "/settings/organization";
    case "member":
    case "invitation":
      return "/settings/team";
    case "campaign":
      return `/campaigns/${id}`;
    case "processor":
      return `/connections/${id}`;
    case "mail":
      return "/settings/health";
    case "claim":
      return `/claims/${id}`;
    case "job":
      return null;
  }
}

/** The name of a changed thing: its own, or one among its fields; else the end of its ID. */
export function nameOf({ resource, resource_id, resource_name, before, after }: AuditEntry): string | null {
  if (resource === "settings" || resource === "organization") return null;
  if (resource_name !== null) return resource_name;
  const fields = { ...before, ...after };
  const named = [fields.name, fields.email, fields.code, fields.url].find(
    (value) => typeof value === "string",
  );
  if (typeof named === "string") return named;
  return WORDS.test(resource_id) ? resource_id : shortId(resource_id);
}
