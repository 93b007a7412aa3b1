import { type ProcessorName, processorNames } from "@findersfee/contract/processors/processors";
import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import { findPromoCodes, type KnownPromoCode } from "@findersfee/database/attribution/candidates";
import {
  type AttributedCommissionRow,
  type AttributedReferralRow,
  type CorrectionRow,
  findCorrections,
  findCustomersCommissions,
  findCustomersReferrals,
  type ReferralSource,
} from "@findersfee/database/attribution/customers";
import {
  type CommissionsDecision,
  findCommissionsDecisions,
  listCustomersDecisions,
  type StoredDecision,
} from "@findersfee/database/attribution/decisions";
import type { StoredRule } from "@findersfee/database/campaigns/rule-sets";
import { findPaymentNames } from "@findersfee/database/commissions/payment-names";
import type { Connection } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import type { OrganizationContext } from "../../context.ts";
import { groupBy } from "../../group-by.ts";
import { decidedAs } from "../decide/known-decisions.ts";
import { findClicks, sourceOf } from "../facts/clicks.ts";
import {
  customerKey,
  emailKey,
  emailsOf,
  type FactReference,
  paymentIdsOf,
  referenceOf,
} from "../facts/fact-names.ts";
import {
  type CandidatesOf,
  clickIdsOf,
  clickSource,
  eachOnce,
  namedBy,
  promoCodesOf,
} from "../facts/named-candidates.ts";
import type { OverrideFact, UsedPromoCode } from "../facts/payment-fact.ts";
import { type Relations, relatedOnce } from "../facts/relate.ts";
import {
  affiliateSnapshot,
  type Candidate,
  ruleSetsOf,
  type StoredFact,
  type TierChanges,
} from "../facts/stored-fact.ts";
import { type LoadedExchangeRates, loadExchangeRates } from "./load-exchange-rates.ts";
import { loadManualOfOthers, type ManualOfOthers } from "./load-manual.ts";
import { loadRuleSets } from "./rule-sets.ts";
import { loadObservations, type ObserveOf } from "./signals.ts";
import { loadTiers } from "./tiers.ts";

/** The stored data for attributing some customers again. */
export interface Loaded extends CandidatesOf, LoadedExchangeRates, ManualOfOthers {
  organization: OrganizationContext;
  /** The sources by click. */
  sources: ReadonlyMap<string, ReferralSource>;
  /** The facts by customer. */
  facts: ReadonlyMap<string, StoredFact[]>;
  /** Of a customer's facts. */
  relationsOf: (facts: readonly StoredFact[]) => Relations;
  affiliates: ReadonlyMap<string, AffiliateRow>;
  /** The referrals by all their names; see `referralNames`. */
  referrals: ReadonlyMap<string, AttributedReferralRow>;
  /** Commissions by source: those of a payment, with its adjustments, under the original's id. */
  commissions: ReadonlyMap<string, AttributedCommissionRow[]>;
  /** The decisions about payments that manual commissions have, by the commission. */
  manuals_decisions: ReadonlyMap<string, CommissionsDecision[]>;
  /** Manual commissions by referral. */
  by_hand: ReadonlyMap<string, AttributedCommissionRow[]>;
  /** Commissions that payments created, also those of other customers. */
  of_payments: ReadonlySet<string>;
  /** The commissions that have the payments of the facts, by the payments' names. */
  named: ReadonlyMap<string, string>;
  /** The same of commissions that no payment created: usually none. */
  named_manual: ReadonlyMap<string, string>;
  corrections: ReadonlyMap<string, CorrectionRow>;
  decisions: ReadonlyMap<FactReference, StoredDecision>;
  ruleSetOf: (id: string) => readonly StoredRule[];
  /** Looks up the data that signals of fraud need. */
  observeOf: ObserveOf;
  /** The changes of an affiliate's tier. */
  tiersOf: (affiliate_id: string) => TierChanges;
}

/**
 * Loads the other data about the customers of these facts; `lock` keeps referrals and commissions as they are until the
 * transaction ends.
 */
export async function loadCustomers(
  sql: Connection,
  organization: OrganizationContext,
  facts: ReadonlyMap<string, StoredFact[]>,
  {
    lock,
    customer_ids = [...facts.keys()],
    known_facts = facts,
  }: {
    lock: boolean;
    customer_ids?: string[];
    /** Of these customers and others, with those that are not stored yet. */
    known_facts?: ReadonlyMap<string, StoredFact[]>;
  },
): Promise<Loaded> {
  const all = [...facts.values()].flat();
  const decisions = await listCustomersDecisions(sql, organization.id, customer_ids);
  const referrals = await findCustomersReferrals(sql, organization.id, {
    ...namesOf(all),
    attributed_by: [...new Set(all.flatMap((stored) => [referenceOf(stored), decidedAs(stored)]))],
    ids: decisions.flatMap(({ referral_id }) => referral_id ?? []),
    lock,
  });
  const of = { facts: all, decisions, referrals, lock, known_facts };
  const { commissions, ...earned } = await loadCommissions(sql, organization.id, of);
  const { clicks, ...candidates } = await findCandidates(sql, organization.id, all);
  const affiliate_ids = [
    ...referrals.flatMap(({ affiliate_id, moved_from }) => [affiliate_id, moved_from ?? []].flat()),
    ...all.flatMap(({ fact }) => (fact.kind === "override" ? affiliatesOf(fact) : [])),
    ...all.flatMap(candidates.candidatesOf).map(({ affiliate_id }) => affiliate_id),
    ...decisions.flatMap(({ affiliate_id }) => affiliate_id ?? []),
    ...commissions.map(({ affiliate_id }) => affiliate_id),
    ...earned.manual_moves.flatMap(affiliatesOf),
  ];
  const affiliates =
    affiliate_ids.length === 0 ? [] : await findAffiliates(sql, organization.id, [...new Set(affiliate_ids)]);
  const snapshots = [
    ...all.flatMap(({ snapshot }) => snapshot.affiliates),
    ...affiliates.map((affiliate) => affiliateSnapshot(affiliate, { converts_fixed_amounts: false })),
  ];
  const rule_sets = [...new Set(snapshots.flatMap(ruleSetsOf))];
  const ruleSetOf = rule_sets.length === 0 ? noRules : await loadRuleSets(sql, organization.id, rule_sets);
  const rules = rule_sets.flatMap(ruleSetOf);
  const is_foreign = ({ fact }: StoredFact) => "currency" in fact && fact.currency !== organization.currency;
  const has_tiers = affiliates.some(({ campaign }) => campaign.tiers !== null);
  const may_convert = rules.length > 0 || all.some(is_foreign);
  const relationsOf = relatedOnce();
  return {
    organization,
    facts,
    relationsOf,
    ruleSetOf,
    observeOf: await loadObservations(sql, organization.id, {
      affiliates,
      snapshots,
      clicks,
      referrals,
      facts,
      relationsOf,
      candidatesOf: candidates.candidatesOf,
    }),
    tiersOf: has_tiers ? await loadTiers(sql, organization.id, affiliates) : noRules,
    ...candidates,
    ...(may_convert ? await loadExchangeRates(sql, organization, { facts: all, rules }) : NO_EXCHANGE_RATES),
    affiliates: new Map(affiliates.map((affiliate) => [affiliate.id, affiliate])),
    referrals: new Map(referrals.flatMap((row) => referralNames(row).map((name) => [name, row] as const))),
    commissions: groupBy(commissions, ({ reversal_of, id }) => reversal_of ?? id),
    ...earned,
    decisions: new Map(decisions.map((row) => [`${row.processor}:payment:${row.payment_id}` as const, row])),
  };
}

const noRules = (): never[] => [];

const NO_EXCHANGE_RATES: LoadedExchangeRates = { converts_fixed_amounts: false, exchangeRatesOf: noRules };

/** The commissions of customers' referrals and payments, with people's changes of them. */
async function loadCommissions(
  sql: Connection,
  organizationId: string,
  {
    facts,
    decisions,
    referrals,
    lock,
    known_facts,
  }: {
    facts: readonly StoredFact[];
    decisions: readonly StoredDecision[];
    referrals: readonly AttributedReferralRow[];
    lock: boolean;
    known_facts: ReadonlyMap<string, StoredFact[]>;
  },
): Promise<
  Pick<
    Loaded,
    | "of_payments"
    | "by_hand"
    | "manuals_decisions"
    | "named"
    | "named_manual"
    | "corrections"
    | keyof ManualOfOthers
  > & {
    commissions: AttributedCommissionRow[];
  }
> {
  const ids = [...new Set(facts.flatMap(({ fact }) => paymentIdsOf(fact)))];
  const names = await findPaymentNames(sql, organizationId, ids);
  const of_payments = new Set(decisions.flatMap(({ commission_id }) => commission_id ?? []));
  const manual_ids = decisions.flatMap(({ manual_commission_id }) => manual_commission_id ?? []);
  const named_ids = names.map(({ commission_id }) => commission_id);
  const commissions = await findCustomersCommissions(sql, organizationId, {
    referral_ids: referrals.map(({ id }) => id),
    ids: [...new Set([...of_payments, ...manual_ids, ...named_ids])],
    lock,
  });
  const found = commissions.map(({ id }) => id);
  const corrections = found.length === 0 ? [] : await findCorrections(sql, organizationId, found);
  const originals = commissions.filter(({ reversal_of }) => reversal_of === null);
  const others = originals.flatMap(({ id }) => (of_payments.has(id) ? [] : id));
  const decided = await findCommissionsDecisions(sql, organizationId, others);
  for (const { of_id, is_manual } of decided) if (!is_manual) of_payments.add(of_id);
  const by_hand = originals.filter(({ id, lead }) => lead === null && !of_payments.has(id));
  return {
    commissions,
    of_payments,
    manuals_decisions: groupBy(
      decided.filter(({ is_manual }) => is_manual),
      ({ of_id }) => of_id,
    ),
    by_hand: groupBy(by_hand, ({ referral_id }) => referral_id),
    ...(by_hand.length === 0
      ? NO_MANUAL_OF_OTHERS
      : await loadManualOfOthers(sql, organizationId, { facts, referrals, by_hand, decided, known_facts })),
    named: mapOf(names),
    named_manual: mapOf(names.filter(({ commission_id }) => !of_payments.has(commission_id))),
    corrections: new Map(corrections.map((correction) => [correction.commission_id, correction])),
  };
}

const NO_MANUAL_OF_OTHERS: ManualOfOthers = { manuals_payments: new Map(), manual_moves: [] };

/** The affiliates that an override names. */
function affiliatesOf({ affiliate_id, commissions }: OverrideFact): string[] {
  const former = commissions.map((commission) => commission.affiliate_id);
  return affiliate_id === null ? former : [affiliate_id, ...former];
}

/** Names that find a referral: its id, the fact that created it, and, unless replaced, its email and customer id. */
function referralNames(row: AttributedReferralRow): string[] {
  const { id, email, processor_customer_id, attributed_by, replaced_at } = row;
  const names = [id];
  if (replaced_at === null) {
    names.push(emailKey(email));
    if (processor_customer_id !== null) names.push(customerKey(processor_customer_id));
  }
  if (attributed_by !== null) names.push(`bound:${attributed_by}`);
  return names;
}

function mapOf(names: readonly { name: string; commission_id: string }[]): Map<string, string> {
  return new Map(names.map(({ name, commission_id }) => [name, commission_id]));
}

export function readProcessor(name: string): ProcessorName {
  const known = processorNames.find((item) => item === name);
  if (known === undefined) throw new Error(`stored payment fact has an unknown processor: ${name}`);
  return known;
}

/** The emails and processor's ids of a customer, from its facts. */
export function namesOf(facts: readonly StoredFact[]): { emails: string[]; customer_ids: string[] } {
  const emails = new Set<string>();
  const customer_ids = new Set<string>();
  for (const stored of facts) {
    const { fact } = stored;
    for (const email of emailsOf(stored)) emails.add(lowerCase(email));
    if ("customer_id" in fact && fact.customer_id !== null) customer_ids.add(fact.customer_id);
  }
  return { emails: [...emails], customer_ids: [...customer_ids] };
}

/**
 * Finds the candidates that these facts name, by promo codes and clicks. A candidate in a fact's snapshot stays;
 * unknown ones are looked up again.
 */
async function findCandidates(
  sql: Connection,
  organizationId: string,
  facts: readonly StoredFact[],
): Promise<CandidatesOf & Pick<Loaded, "sources"> & { clicks: ReadonlyMap<string, ClickRow> }> {
  const used = facts.flatMap(promoCodesOf);
  const clicked = new Set(facts.flatMap(clickIdsOf));
  const codes =
    used.length === 0
      ? []
      : await findPromoCodes(sql, organizationId, {
          external_ids: used.flatMap(({ external_id }) => external_id ?? []),
          codes: used.flatMap(({ code }) => (code === null ? [] : lowerCase(code))),
        });
  const clicks = await findClicks(sql, organizationId, [...clicked]);
  const byId = new Map(clicks.map((click) => [click.id, click]));
  const candidatesOf = (stored: StoredFact) =>
    eachOnce([
      ...promoCodesOf(stored).flatMap((code) => codeCandidate(code, { stored, codes })),
      ...clickIdsOf(stored).flatMap((id) => clickCandidate(id, { stored, byId })),
    ]);
  const unknownOf = (stored: StoredFact) => {
    const named = eachOnce(namedBy(stored));
    if (named.length === 0) return named;
    const known = new Set(candidatesOf(stored).map(({ source, reference }) => `${source} ${reference}`));
    return named.filter(({ source, reference }) => !known.has(`${source} ${reference}`));
  };
  const sources = new Map(clicks.map((click) => [click.id, sourceOf(click)]));
  return { candidatesOf, unknownOf, sources, clicks: byId };
}

function codeCandidate(
  { external_id, code }: UsedPromoCode,
  { stored, codes }: { stored: StoredFact; codes: readonly KnownPromoCode[] },
): Candidate[] {
  const reference = external_id ?? code;
  if (reference === null) return [];
  const before = capturedCandidate(stored, "promo_code", reference);
  if (before !== undefined) return [before];
  const known =
    (external_id === null ? undefined : codes.find((item) => item.external_id === external_id)) ??
    (code === null ? undefined : codes.find((item) => item.code === lowerCase(code)));
  if (known === undefined || isNewer(known, stored)) return [];
  return [{ source: "promo_code", reference, affiliate_id: known.affiliate_id, clicked_at: null }];
}

/** The affiliate of a code was decided at its first lookup, even if there was none. */
function isNewer({ created_at }: KnownPromoCode, { snapshot }: StoredFact): boolean {
  return snapshot.captured_at !== null && created_at > snapshot.captured_at;
}

function clickCandidate(
  id: string,
  { stored, byId }: { stored: StoredFact; byId: ReadonlyMap<string, ClickRow> },
): Candidate[] {
  const source = clickSource(stored);
  const before = capturedCandidate(stored, source, id);
  if (before !== undefined) return [before];
  const click = byId.get(id);
  if (click === undefined) return [];
  const { affiliate_id, clicked_at } = click;
  return [{ source, reference: id, affiliate_id, clicked_at }];
}

function capturedCandidate(
  { snapshot }: StoredFact,
  source: Candidate["source"],
  reference: string,
): Candidate | undefined {
  return snapshot.candidates.find((item) => item.source === source && item.reference === reference);
}
