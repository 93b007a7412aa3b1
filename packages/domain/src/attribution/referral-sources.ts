import type { ReferralSource } from "@findersfee/database/attribution/customers";
import type { ClickRow } from "@findersfee/database/tracking/clicks";

/** Of a referral that no click is known of. */
export const NO_CLICK: ReferralSource = {
  link_code: null,
  landing_url: null,
  referrer: null,
  sub_id: null,
  visitor_country: null,
};

/** What a referral has of the click that it is attributed to. */
export function sourceOf({ code, landing_url, referrer, sub_id, country }: ClickRow): ReferralSource {
  return { link_code: code, landing_url, referrer, sub_id, visitor_country: country };
}
