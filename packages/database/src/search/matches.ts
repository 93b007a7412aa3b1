import { searched_fields } from "@findersfee/contract/affiliates/fields";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import { prefixBounds } from "../postgres/text-prefix.ts";

/** The ids that a text can be the beginning or the end of. */
export interface IdText {
  /** The bounds of the ids that begin with it; null: it begins none. */
  from: string | null;
  until: string | null;
  /** The last eight digits of an id; null: it ends none. */
  end: string | null;
}

/** The tables with rows that are found by their own ids. */
type Table = "affiliates" | "referrals" | "commissions" | "payouts" | "payment_decisions";

interface Found {
  id: string;
}

const BY_ID: Record<Table, ReturnType<typeof byIdStatement>> = {
  affiliates: byIdStatement("affiliates"),
  referrals: byIdStatement("referrals"),
  commissions: byIdStatement("commissions"),
  payouts: byIdStatement("payouts"),
  payment_decisions: byIdStatement("payment_decisions"),
};

function byIdStatement(table: Table) {
  // No screen shows ids of decisions, and an index of the ends of commissions' ids would make each insert a half dearer.
  const ofEnd =
    table === "payment_decisions" || table === "commissions" ? "false" : "right(id::text, 8) = :end::text";
  return statement<Found, "organization_id" | "most" | keyof IdText>(`
    (select id from ${table}
      where organization_id = :organization_id::uuid and id >= :from::uuid and id <= :until::uuid
      order by id limit :most::int)
    union (select id from ${table} where organization_id = :organization_id::uuid and ${ofEnd} limit :most::int)`);
}

/** Returns the first rows of a table with ids that begin or end with a text. */
export async function findByIdText(
  sql: Connection,
  organization_id: string,
  { table, most, ...text }: IdText & { table: Table; most: number },
): Promise<string[]> {
  if (text.from === null && text.end === null) return [];
  const rows = await BY_ID[table].run(sql, { organization_id, most, ...text });
  return rows.map(({ id }) => id);
}

type Beginning = "organization_id" | "most" | keyof ReturnType<typeof prefixBounds>;

/** The first rows of an index of texts that begin with one: an equal text comes first. `bounds`: the prefix of its parameters. */
function beginning({
  id,
  table,
  text,
  having = "true",
  bounds = "",
}: Record<"id" | "table" | "text", string> & { having?: string; bounds?: string }) {
  const [from, until] = [`:${bounds}from::text`, `:${bounds}until::text`];
  return `(select ${id} as id from ${table}
    where organization_id = :organization_id::uuid and ${text} >= ${from} and ${text} < ${until}
      and starts_with(${text}, ${from}) and ${having}
    order by ${text} limit :most::int)`;
}

const AFFILIATES = statement<Found, Beginning>(
  [
    ...[...searched_fields.map((name) => `lower(${name})`), "lower(first_name || ' ' || last_name)"].map(
      (text) => beginning({ id: "id", table: "affiliates", text }),
    ),
    ...["link", "promo"].map((kind) =>
      beginning({
        id: "affiliate_id",
        table: "affiliate_codes",
        text: "lower(code)",
        having: `kind = '${kind}'`,
      }),
    ),
  ].join(" union "),
);

/** Returns affiliates with an email, name or code that begins with a text in lower case, the first ones of each. */
export async function findAffiliatesBeginning(
  sql: Connection,
  organization_id: string,
  { text, most }: { text: string; most: number },
): Promise<string[]> {
  const rows = await AFFILIATES.run(sql, { organization_id, most, ...prefixBounds(text) });
  return rows.map(({ id }) => id);
}

type EmailBound = keyof ReturnType<typeof emailBounds>;

const CUSTOMERS = statement<Found, Beginning | EmailBound>(
  [
    beginning({
      id: "id",
      table: "referrals",
      text: "lower(email)",
      having: "replaced_at is null",
      bounds: "email_",
    }),
    beginning({ id: "id", table: "referrals", text: "processor_customer_id", having: "replaced_at is null" }),
  ].join(" union "),
);

/** Returns customers with an email that begins with a text in lower case, or an id at the processor that begins with it. */
export async function findCustomersBeginning(
  sql: Connection,
  organization_id: string,
  { text, lower, most }: { text: string; lower: string; most: number },
): Promise<string[]> {
  const rows = await CUSTOMERS.run(sql, {
    organization_id,
    most,
    ...prefixBounds(text),
    ...emailBounds(lower),
  });
  return rows.map(({ id }) => id);
}

function emailBounds(lower: string) {
  const { from, until } = prefixBounds(lower);
  return { email_from: from, email_until: until };
}

/** The newest rows of some people, of each at most `most`, and those with an id at the processor that begins with a text. */
interface OfPeople {
  text: string;
  affiliate_ids: readonly string[];
  referral_ids: readonly string[];
  most: number;
}

type OfPeopleName = Beginning | "affiliate_ids" | "referral_ids";

/** The index of a person's rows sorts them: without the column in the order, Postgres would walk all rows by id. */
function newestOf({
  ids,
  table,
  column,
  order,
  having = "true",
}: Record<"ids" | "table" | "column" | "order", string> & { having?: string }) {
  return `(select newest.id from unnest(:${ids}::text[]::uuid[]) as person (id)
    cross join lateral (
      select id from ${table}
      where organization_id = :organization_id::uuid and ${column} = person.id and ${having}
      order by ${order} limit :most::int
    ) as newest)`;
}

const PAYERS = `(select of.id from ${beginning({ id: "customer_id", table: "customer_keys", text: "key", bounds: "email_" })} as known
  cross join lateral (
    select id from payment_decisions
    where organization_id = :organization_id::uuid and customer_id = known.id and replaced_at is null
    limit :most::int
  ) as of limit :most::int)`;

const PAYMENTS = statement<Found, OfPeopleName | EmailBound>(
  [
    ...["stripe", "generic"].map((processor) =>
      beginning({
        id: "id",
        table: "payment_decisions",
        text: "payment_id",
        having: `processor = '${processor}' and replaced_at is null`,
      }),
    ),
    PAYERS,
    ...[
      { ids: "referral_ids", column: "referral_id", order: "referral_id, id desc" },
      { ids: "affiliate_ids", column: "affiliate_id", order: "affiliate_id, paid_at desc, id desc" },
    ].map((of) => newestOf({ ...of, table: "payment_decisions", having: "replaced_at is null" })),
  ].join(" union "),
);

/**
 * Returns payments with an id at the processor that begins with a text, those of customers with an email that begins with it, referred
 * or not, and the newest ones of some people.
 */
export async function findPayments(
  sql: Connection,
  organization_id: string,
  { text, lower, ...people }: OfPeople & { lower: string },
): Promise<string[]> {
  const rows = await PAYMENTS.run(sql, {
    organization_id,
    ...people,
    ...prefixBounds(text),
    ...emailBounds(`email:${lower}`),
  });
  return rows.map(({ id }) => id);
}

const COMMISSIONS = statement<Found, OfPeopleName>(
  [
    beginning({
      id: "id",
      table: "commissions",
      text: "processor_payment_id",
      having: "processor_payment_id is not null and reversal_of is null",
    }),
    ...["referral", "affiliate"].map((one) =>
      newestOf({ ids: `${one}_ids`, table: "commissions", column: `${one}_id`, order: `${one}_id, id desc` }),
    ),
  ].join(" union "),
);

/** Returns commissions of payments with an id at the processor that begins with a text, and the newest ones of some people. */
export async function findCommissions(
  sql: Connection,
  organization_id: string,
  { text, ...people }: OfPeople,
): Promise<string[]> {
  const rows = await COMMISSIONS.run(sql, { organization_id, ...people, ...prefixBounds(text) });
  return rows.map(({ id }) => id);
}

/** Selects the newest payouts of `:affiliate_ids`. */
export const PAYOUTS_OF_AFFILIATES = newestOf({
  ids: "affiliate_ids",
  table: "payouts",
  column: "affiliate_id",
  order: "affiliate_id, id desc",
});
