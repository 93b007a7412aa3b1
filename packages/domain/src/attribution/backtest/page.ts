import { listTriedCustomers } from "@findersfee/database/attribution/backtests";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { OrganizationContext } from "../../context.ts";
import { ruleSetsOf, type StoredFact, type TierChanges } from "../facts/stored-fact.ts";
import { customerBefore } from "../write/customer-history.ts";
import { type Loaded, loadCustomers } from "../write/load.ts";
import { type LoadedExchangeRates, loadExchangeRates } from "../write/load-exchange-rates.ts";
import { loadFacts } from "../write/load-facts.ts";
import { type TriedPayment, tryDraft } from "./decide.ts";
import { type Draft, isInPeriod } from "./draft.ts";
import { loadReviews } from "./reviews.ts";

/** Before all customers. */
export const FIRST_CUSTOMER = "00000000-0000-0000-0000-000000000000";

/**
 * The most customers at once, or fewer if they have more payments than that; a customer is always decided as
 * a whole.
 */
const PAGE = { customers: 500, payments: 1_000 };

/** The changes of affiliates' tiers by the draft's tiers, oldest first. */
export type FindTiers = (affiliate_ids: string[]) => Promise<ReadonlyMap<string, TierChanges>>;

const NO_TIERS: ReadonlyMap<string, TierChanges> = new Map();

export interface TriedPage {
  /** Where the next page starts; null: this was the last one. */
  next: string | null;
  /** Payments of the period, also those that the draft does not decide. */
  done: number;
  payments: TriedPayment[];
}

/** Tries a draft on the next customers by id. It reads at one moment, locks nothing and writes nothing. */
export async function tryPage(
  sql: Connection,
  organization: OrganizationContext,
  {
    draft,
    after,
    findTiers,
    most = PAGE,
  }: { draft: Draft; after: string; findTiers: FindTiers; most?: typeof PAGE },
): Promise<TriedPage> {
  const { period } = draft;
  const found = await listTriedCustomers(sql, organization.id, { after, period, limit: most.customers });
  let payments = 0;
  const customers = found.filter((row, index) => {
    payments += row.payments;
    return index === 0 || payments <= most.payments;
  });
  const last = customers.at(-1);
  if (last === undefined) return { next: null, done: 0, payments: [] };
  const facts = await loadFacts(
    sql,
    organization.id,
    customers.map(({ customer_id }) => customer_id),
  );
  const loaded = await loadCustomers(sql, organization, facts, { lock: false });
  const exchange_rates = await loadDraftRates(sql, organization, {
    facts: [...facts.values()].flat(),
    draft,
    ruleSetOf: loaded.ruleSetOf,
  });
  const affiliate_ids = [...loaded.affiliates.keys()];
  const tiers = draft.campaign?.tiers == null ? NO_TIERS : await findTiers(affiliate_ids);
  const waits = await loadReviews(sql, organization, { draft, affiliate_ids });
  const tried = [...facts.values()].flatMap((of_customer) => {
    const { history, decisions } = customerBefore(loaded, of_customer);
    return tryDraft(history, {
      draft,
      exchange_rates,
      decisions,
      waits,
      tiersOf: (id) => tiers.get(id) ?? [],
    });
  });
  const is_last = customers.length === found.length && found.length < most.customers;
  return {
    next: is_last ? null : last.customer_id,
    done: customers.reduce((sum, row) => sum + row.tried, 0),
    payments: tried,
  };
}

/** The rates for the draft's fixed amounts. Those that a payment was decided with do not count: the draft may name other currencies. */
async function loadDraftRates(
  sql: Connection,
  organization: OrganizationContext,
  { facts, draft, ruleSetOf }: { facts: readonly StoredFact[]; draft: Draft } & Pick<Loaded, "ruleSetOf">,
): Promise<LoadedExchangeRates> {
  const tried = facts.filter(({ fact }) => "paid_at" in fact && isInPeriod(draft, fact.paid_at));
  const stored = tried.map((fact) => {
    const { exchange_rates: _rates, ...snapshot } = fact.snapshot;
    return { ...fact, snapshot };
  });
  const sets = new Set(tried.flatMap(({ snapshot }) => snapshot.affiliates.flatMap(ruleSetsOf)));
  const rules = [...draft.rules.values(), ...[...sets].map(ruleSetOf)].flat();
  return await loadExchangeRates(sql, organization, { facts: stored, rules });
}
