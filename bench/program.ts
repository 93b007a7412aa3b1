/*
 * An affiliate program for measurements. The service's own code creates the organization, campaign,
 * affiliates and referrals; large numbers of commissions are inserted with SQL.
 */

import { empty_profile } from "@findersfee/contract/affiliates/fields";
import { insertAffiliate } from "@findersfee/database/affiliates/affiliates";
import { insertCode } from "@findersfee/database/affiliates/codes";
import { insertReferral } from "@findersfee/database/customers/referrals";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { OPERATOR } from "@findersfee/domain/actor";
import { NO_CLICK } from "@findersfee/domain/attribution/facts/clicks";
import { createCampaign } from "@findersfee/domain/campaigns/create";
import { CommissionBatchWriter } from "@findersfee/domain/commissions/batch-writer";
import type { CreationContext } from "@findersfee/domain/commissions/create";
import { newId } from "@findersfee/domain/ids";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { fillCommissions } from "./fill.ts";
import { withConnection } from "./postgres-server.ts";

export interface Program {
  database_url: string;
  organization_id: string;
  api_key: string;
  publishable_key: string;
  /** Affiliate i has link code i. */
  codes: string[];
  affiliate_ids: string[];
  /** Referral i belongs to affiliate i modulo the number of affiliates. */
  referral_ids: string[];
}

const AFFILIATES = 200;
const REFERRALS = 2_000;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const YEAR_MILLISECONDS = 365 * DAY_MILLISECONDS;

/** Creates a program with this many commissions, all of the past year, in a migrated database. */
export function makeProgram(database_url: string, commissions: number): Promise<Program> {
  return withConnection(database_url, async (database) => {
    const { organization_id, api_key, publishable_key } = await createOrganization(database, {
      name: "Bench",
      currency: "USD",
      subscription_status: "active",
    });
    const context = contextOf(database, organization_id);
    const campaign = await createCampaign(context, {
      name: "Partner program",
      commission_type: "percentage",
      commission_amount: 30,
      code_mode: "link",
      website_url: "https://example.com",
      is_default: true,
    });
    const people = await transaction(database, (sql) =>
      insertPeople(sql, { organization_id, campaign_id: campaign.id }),
    );
    const codes = people.affiliate_ids.map((_, number) => codeOf(number));
    const program = { database_url, organization_id, api_key, publishable_key, codes, ...people };
    await fillCommissions(database, program, {
      commissions,
      from: new Date(Date.now() - YEAR_MILLISECONDS),
      until: new Date(Date.now() - 60_000),
    });
    return program;
  });
}

function codeOf(affiliate: number): string {
  return `jane-${affiliate}`;
}

export function contextOf(database: Database, organization_id: string): CreationContext {
  return {
    database,
    organization: { id: organization_id, currency: "USD", subscription_status: "active" },
    actor: OPERATOR,
    idempotency: null,
    commission_writer: new CommissionBatchWriter(database),
    notifyWorkers: () => {},
  };
}

async function insertPeople(
  sql: Transaction,
  { organization_id, campaign_id }: { organization_id: string; campaign_id: string },
): Promise<Pick<Program, "affiliate_ids" | "referral_ids">> {
  const joined_at = new Date(Date.now() - YEAR_MILLISECONDS - DAY_MILLISECONDS);
  const affiliate_ids = Array.from({ length: AFFILIATES }, () => newId(joined_at));
  const referral_ids = Array.from({ length: REFERRALS }, () => newId(joined_at));
  await Promise.all(
    affiliate_ids.map((id, number) =>
      insertAffiliate(sql, organization_id, {
        id,
        campaign_id,
        ...empty_profile,
        email: `affiliate-${number}@example.com`,
        first_name: "Jane",
        last_name: `Doe ${number}`,
        approved: true,
        banned: false,
        new_paid_referral_notifications: true,
        created_at: joined_at,
      }),
    ),
  );
  await Promise.all(
    affiliate_ids.map((affiliate_id, number) =>
      insertCode(sql, organization_id, {
        id: newId(joined_at),
        affiliate_id,
        kind: "link",
        code: codeOf(number),
        created_at: joined_at,
      }),
    ),
  );
  await Promise.all(
    referral_ids.map((id, number) =>
      insertReferral(sql, organization_id, {
        id,
        affiliate_id: affiliate_ids[number % AFFILIATES] ?? "",
        email: `customer-${number}@example.com`,
        subscription_status: "active",
        signup_date: joined_at,
        processor_customer_id: `cus_${number}`,
        converted_at: null,
        created_at: joined_at,
        ...NO_CLICK,
      }),
    ),
  );
  return { affiliate_ids, referral_ids };
}
