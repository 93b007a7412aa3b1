import type { Database } from "@findersfee/database/postgres/connect";
import { createAffiliate } from "../../src/affiliates/create.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { createCampaign } from "../../src/campaigns/create.ts";
import type { Context } from "../../src/context.ts";

/** Texts that `storedOf` has until the affiliate is erased. */
export const PERSONAL = ["jane", "doe", "i keep a secret", "secret note", "paypal@"];

/** An affiliate in a campaign of its own, with personal data in its rows, audit log entries and a mail. */
export async function addJane(context: Context): Promise<{ campaign_id: string; affiliate_id: string }> {
  const { id: campaign_id } = await createCampaign(context, {
    name: "Partners",
    website_url: "https://shop.test",
    commission_type: "percentage",
    commission_amount: 30,
    code_mode: "both",
    reference_coupon: "partners",
  });
  const { id } = await createAffiliate(context, {
    campaign_id,
    email: "jane@example.com",
    first_name: "Jane",
    last_name: "Doe",
    payout_email: "paypal@jane.test",
    details: "I keep a secret",
    note: "A secret note",
  });
  await updateAffiliate(context, {
    id,
    email: "jane.doe@example.com",
    ref_code: "janes-code",
    details: null,
    note: null,
  });
  await updateAffiliate(context, { id, payout_email: null, approved: false });
  return { campaign_id, affiliate_id: id };
}

/** The affiliate's rows, mails and audit log, as the database has them, in lower case. */
export async function storedOf(database: Database, affiliate_id: string): Promise<string> {
  const rows = await database`
    select to_json(affiliate) as row from affiliates affiliate where id = ${affiliate_id}
    union all select to_json(promo) from affiliate_codes promo where affiliate_id = ${affiliate_id}
    union all select to_json(mail) from mails mail where affiliate_id = ${affiliate_id}
    union all select to_json(entry) from audit_log_entries entry where resource_id = ${affiliate_id}`;
  return JSON.stringify(rows).toLowerCase();
}
