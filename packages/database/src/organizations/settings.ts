import type { Connection } from "../postgres/connect.ts";

/** The holding period of new commissions of an organization, as part of a sub-select. */
export const HOLD =
  "make_interval(days => hold_days) from organizations where organizations.id = :organization_id::uuid";

/** Minor units as text, by currency: `{"USD": "5000"}`. */
export type MinimumPayoutsRow = Record<string, string>;

export interface SettingsRow {
  currency: string;
  hold_days: number;
  minimum_payouts: MinimumPayoutsRow;
  payout_day: number | null;
  public_signups: "on" | "signed" | "off";
  /** Host names, in addition to the campaigns' pages. */
  website_domains: string[];
  /** Whether fixed amounts are converted to the currencies of payments. */
  converts_fixed_amounts: boolean;
  /** Whether the minimum payout in the organization's currency counts in currencies without one of their own. */
  converts_minimum_payouts: boolean;
  /** Whether affiliates choose the currency that they are paid in. */
  affiliates_choose_payout_currency: boolean;
}

const COLUMNS = `currency, hold_days, minimum_payouts, payout_day, public_signups, website_domains, converts_fixed_amounts,
    converts_minimum_payouts, affiliates_choose_payout_currency`;

/** Returns an organization's settings, locked against changes until the transaction ends. */
export async function findSettings(sql: Connection, organizationId: string): Promise<SettingsRow> {
  const [row] = await sql<SettingsRow[]>`
    select ${sql.unsafe(COLUMNS)}
    from organizations
    where id = ${organizationId} for share`;
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  return row;
}

/** Whether affiliates of an organization choose the currency that they are paid in. */
export async function mayChoosePayoutCurrency(sql: Connection, organizationId: string): Promise<boolean> {
  const [row] = await sql<{ affiliates_choose_payout_currency: boolean }[]>`
    select affiliates_choose_payout_currency from organizations where id = ${organizationId}`;
  return row?.affiliates_choose_payout_currency ?? false;
}

/** Same as `findSettings`, for a caller that changes them. */
export async function lockSettings(sql: Connection, organizationId: string): Promise<SettingsRow> {
  const [row] = await sql<SettingsRow[]>`
    select ${sql.unsafe(COLUMNS)}
    from organizations
    where id = ${organizationId} for no key update`;
  if (row === undefined) throw new Error(`there is no organization ${organizationId}`);
  return row;
}

export async function updateSettings(
  sql: Connection,
  organizationId: string,
  settings: SettingsRow,
): Promise<void> {
  const values = { ...settings, minimum_payouts: sql.json(settings.minimum_payouts) };
  await sql`update organizations set ${sql(values as never)} where id = ${organizationId}`;
}

/** Returns the organization's currency, locked against a change until the transaction ends. */
export async function lockCurrency(sql: Connection, organizationId: string): Promise<string> {
  return (await findSettings(sql, organizationId)).currency;
}

/** Whether campaigns have amounts in the organization's currency. */
export async function hasFixedAmounts(sql: Connection, organizationId: string): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (
      select from campaigns
      where organization_id = ${organizationId}
        and (commission_type = 'fixed' or first_payment_type = 'fixed' or review_above_minor is not null
          or custom_commissions::jsonb @? '$[*] ? (@.type == "fixed")')) as found`;
  return row.found;
}
