import { nameOf } from "@findersfee/contract/affiliates/name";
import {
  type Found,
  MAX_RESULTS,
  type SearchGroup,
  type SearchKind,
  type SearchResult,
} from "@findersfee/contract/search/find";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import {
  findAffiliatesBeginning,
  findByIdText,
  findCommissions as findCommissionIds,
  findCustomersBeginning,
  findPayments as findPaymentIds,
} from "@findersfee/database/search/matches";
import {
  type FoundAffiliateRow,
  type FoundCommissionRow,
  type FoundCustomerRow,
  type FoundEndpointRow,
  type FoundPaymentRow,
  type FoundPayoutRow,
  readFoundAffiliates,
  readFoundCommissions,
  readFoundCustomers,
  readFoundPayments,
  readFoundPayouts,
  searchEndpoints,
} from "@findersfee/database/search/rows";
import { stateOf } from "../affiliates/state.ts";
import { stateOf as commissionStateOf } from "../commissions/list-rows.ts";
import type { Context } from "../context.ts";
import { idTextOf } from "../id-text.ts";
import { toMajor } from "../money.ts";
import { payoutIdTextOf, referenceOf, shortReferenceOf } from "../payouts/reference.ts";
import { findPeopleWithText } from "./people.ts";
import { type Rank, rankOf, ranks } from "./rank.ts";

/** Rows of each index that are read, to be ranked. */
const MOST = 10;
/** The newest endpoints, which are searched one by one. */
const ENDPOINTS = 2_000;
/** An id's end, as screens show it. */
const END_LENGTH = 8;

interface Ranked {
  rank: Rank;
  result: SearchResult;
}

interface Text {
  /** As typed: ids of processors distinguish upper and lower case. */
  typed: string;
  lower: string;
}

/** The people that are found; their newest payments, commissions and payouts are found with them. */
interface People {
  affiliate_ids: string[];
  referral_ids: string[];
}

/**
 * Finds affiliates and customers by any part of their names, addresses and codes, their payments, commissions and payouts, and all of
 * these by the beginning or the end of an id. Endpoints are found by any part of their address.
 */
export async function find(context: Context, { text: typed }: { text: string }): Promise<Found> {
  const text = { typed, lower: lowerCase(typed) };
  const [affiliates, customers, endpoints] = await Promise.all([
    findAffiliates(context, text),
    findCustomers(context, text),
    findEndpoints(context, text),
  ]);
  const people = { affiliate_ids: directIds(affiliates), referral_ids: directIds(customers) };
  const [payments, commissions, payouts] = await Promise.all([
    findPayments(context, text, people),
    findCommissions(context, text, people),
    findPayouts(context, text, people),
  ]);
  const kinds: Record<SearchKind, Ranked[]> = {
    affiliates,
    customers,
    payments,
    commissions,
    payouts,
    endpoints,
  };
  return { groups: groupsOf(kinds) };
}

/** Sorted by the best rank of each; kinds with the same one stay in their order. */
function groupsOf(kinds: Record<SearchKind, Ranked[]>): SearchGroup[] {
  return Object.entries(kinds)
    .flatMap(([kind, ranked]) => {
      const [best] = ranked;
      return best === undefined ? [] : [{ kind: kind as SearchKind, ranked, rank: best.rank }];
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ kind, ranked }) => ({ kind, results: ranked.map(({ result }) => result) }));
}

function directIds(ranked: readonly Ranked[]): string[] {
  return ranked.map(({ result }) => result.id);
}

/** The best results first; results of the same rank in the order of their titles, or as they are. */
function best(ranked: Ranked[], order?: "titles"): Ranked[] {
  return ranked
    .sort(
      (one, other) =>
        one.rank - other.rank || (order === undefined ? 0 : compare(one.result.title, other.result.title)),
    )
    .slice(0, MAX_RESULTS);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

const unique = (...ids: readonly string[][]): string[] => [...new Set(ids.flat())];

/** An id is compared as a whole, by its beginning, and by its last eight characters. */
function rankOfId({ lower }: Text, id: string): Rank {
  if (lower === id.replaceAll("-", "") || id.slice(-END_LENGTH) === lower.replace("…", ""))
    return ranks.equal;
  return id.startsWith(lower) ? rankOf(lower, [id]) : ranks.related;
}

async function findAffiliates(context: Context, text: Text): Promise<Ranked[]> {
  const { database, organization } = context;
  const [beginning, inside, of_id] = await Promise.all([
    findAffiliatesBeginning(database, organization.id, { text: text.lower, most: MOST }),
    findPeopleWithText(context, { people: "affiliates", text: text.lower }),
    findByIdText(database, organization.id, { table: "affiliates", most: MOST, ...idTextOf(text.lower) }),
  ]);
  const rows = await readFoundAffiliates(database, organization.id, unique(of_id, beginning, inside));
  return best(
    rows.map((row) => ({ rank: rankOfAffiliate(text, row), result: viewAffiliate(row) })),
    "titles",
  );
}

function rankOfAffiliate(text: Text, { id, email, first_name, last_name, codes }: FoundAffiliateRow): Rank {
  const values = [email, `${first_name} ${last_name}`.trim(), last_name, ...codes];
  return min(rankOfId(text, id), rankOf(text.lower, values.map(lowerCase)));
}

function min(one: Rank, other: Rank): Rank {
  return one < other ? one : other;
}

function viewAffiliate(row: FoundAffiliateRow): SearchResult {
  const title = nameOf(row);
  return {
    id: row.id,
    title,
    detail: title === nameOf({ ...row, first_name: "", last_name: "" }) ? null : row.email,
    amount: null,
    state: stateOf(row),
    path: `/affiliates/${row.id}`,
  };
}

async function findCustomers(context: Context, text: Text): Promise<Ranked[]> {
  const { database, organization } = context;
  const [beginning, inside, of_id] = await Promise.all([
    findCustomersBeginning(database, organization.id, { text: text.typed, lower: text.lower, most: MOST }),
    findPeopleWithText(context, { people: "customers", text: text.lower }),
    findByIdText(database, organization.id, { table: "referrals", most: MOST, ...idTextOf(text.lower) }),
  ]);
  const rows = await readFoundCustomers(database, organization.id, unique(of_id, beginning, inside));
  return best(
    rows.map((row) => ({ rank: rankOfCustomer(text, row), result: viewCustomer(row) })),
    "titles",
  );
}

function rankOfCustomer(text: Text, { id, email, processor_customer_id }: FoundCustomerRow): Rank {
  const of_texts = min(rankOf(text.lower, [lowerCase(email)]), rankOf(text.typed, [processor_customer_id]));
  return min(rankOfId(text, id), of_texts);
}

function viewCustomer(row: FoundCustomerRow): SearchResult {
  return {
    id: row.id,
    title: row.email,
    detail: affiliateName(row),
    amount: null,
    state: row.subscription_status,
    path: `/referrals/${row.id}`,
  };
}

function affiliateName({
  affiliate_email: email,
  first_name,
  last_name,
}: Pick<FoundCustomerRow, "affiliate_email" | "first_name" | "last_name">): string {
  return nameOf({ email, first_name, last_name });
}

async function findPayments(
  { database, organization }: Context,
  text: Text,
  people: People,
): Promise<Ranked[]> {
  const [matching, of_id] = await Promise.all([
    findPaymentIds(database, organization.id, {
      text: text.typed,
      lower: text.lower,
      ...people,
      most: MOST,
    }),
    findByIdText(database, organization.id, {
      table: "payment_decisions",
      most: MOST,
      ...idTextOf(text.lower),
    }),
  ]);
  const rows = await readFoundPayments(database, organization.id, unique(of_id, matching));
  return best(rows.map((row) => ({ rank: rankOfPayment(text, row), result: viewPayment(row) })));
}

/** Customers are ranked as such: their payments follow them. */
function rankOfPayment(text: Text, { id, payment_id }: FoundPaymentRow): Rank {
  return min(rankOfId(text, id), rankOf(text.typed, [payment_id]));
}

function viewPayment(row: FoundPaymentRow): SearchResult {
  return {
    id: row.id,
    title: row.customer_email ?? row.payment_id,
    detail: row.customer_email === null ? null : row.payment_id,
    amount: amountOf(row.revenue_minor, row.currency),
    state: row.outcome,
    path: `/payments/${row.id}`,
  };
}

function amountOf(minor: bigint, currency: string): SearchResult["amount"] {
  return { amount: toMajor(minor, currency), currency };
}

async function findCommissions(
  { database, organization }: Context,
  text: Text,
  people: People,
): Promise<Ranked[]> {
  const [matching, of_id] = await Promise.all([
    findCommissionIds(database, organization.id, { text: text.typed, ...people, most: MOST }),
    findByIdText(database, organization.id, { table: "commissions", most: MOST, ...idTextOf(text.lower) }),
  ]);
  const rows = await readFoundCommissions(database, organization.id, unique(of_id, matching));
  const now = new Date();
  return best(rows.map((row) => ({ rank: rankOfCommission(text, row), result: viewCommission(row, now) })));
}

function rankOfCommission(text: Text, { id, processor_payment_id }: FoundCommissionRow): Rank {
  return min(rankOfId(text, id), rankOf(text.typed, [processor_payment_id]));
}

function viewCommission(row: FoundCommissionRow, now: Date): SearchResult {
  return {
    id: row.id,
    title: affiliateName(row),
    detail: row.customer_email,
    amount: amountOf(row.commission_minor, row.currency),
    state: commissionStateOf(row, now),
    path: `/commissions/${row.id}`,
  };
}

async function findPayouts(
  { database, organization }: Context,
  text: Text,
  { affiliate_ids }: People,
): Promise<Ranked[]> {
  const ids = await findByIdText(database, organization.id, {
    table: "payouts",
    most: MOST,
    ...payoutIdTextOf(text.lower),
  });
  const payouts = { ids, affiliate_ids, most: MAX_RESULTS };
  const rows = await readFoundPayouts(database, organization.id, payouts);
  return best(rows.map((row) => ({ rank: rankOfPayout(text, row), result: viewPayout(row) })));
}

function rankOfPayout(text: Text, { id }: FoundPayoutRow): Rank {
  const references = [referenceOf(id), shortReferenceOf(id)];
  return min(rankOfId(text, id), rankOf(text.typed.toUpperCase(), references));
}

function viewPayout(row: FoundPayoutRow): SearchResult {
  return {
    id: row.id,
    title: row.affiliate_name,
    detail: row.period,
    amount: amountOf(row.amount_minor, row.currency),
    state: row.status,
    path: `/payouts/${row.id}`,
  };
}

async function findEndpoints({ database, organization }: Context, text: Text): Promise<Ranked[]> {
  const rows = await searchEndpoints(database, organization.id, {
    text: text.lower.replace("…", ""),
    read: ENDPOINTS,
    most: MOST,
  });
  return best(
    rows.map((row) => ({ rank: rankOfEndpoint(text, row), result: viewEndpoint(row) })),
    "titles",
  );
}

function rankOfEndpoint(text: Text, { id, url, description }: FoundEndpointRow): Rank {
  return min(rankOfId(text, id), rankOf(text.lower, [lowerCase(url), lowerCase(description)]));
}

function viewEndpoint({ id, url, description, enabled }: FoundEndpointRow): SearchResult {
  return {
    id,
    title: url,
    detail: description === "" ? null : description,
    amount: null,
    state: enabled ? "enabled" : "disabled",
    path: `/developers/webhooks/${id}`,
  };
}
