import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import {
  type AttributedCommissionRow,
  type CorrectionRow,
  findCorrections,
  findCustomersCommissions,
} from "@findersfee/database/attribution/customers";
import {
  countEarnedLeads,
  findLeads,
  type LeadRow,
  type LeadTermsRow,
  upsertLeads,
} from "@findersfee/database/attribution/leads";
import type { CommissionChange, NewWrittenCommission } from "@findersfee/database/commissions/changes";
import type { Transaction } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { OrganizationContext } from "../../context.ts";
import { groupBy } from "../../group-by.ts";
import { newId } from "../../ids.ts";
import { findReviewer, type Reviewer, reviewRow } from "../../ledger/review.ts";
import { type ReviewChange, writeCommissions } from "../../ledger/write-commissions.ts";
import { serializeEvent, viewCommissionEvent } from "../../webhooks/events/data.ts";
import { recordEvent } from "../../webhooks/events/record.ts";
import { dayOf, decideLead, leadCommissionOf, refuseLead } from "../decide/lead.ts";
import type { CommissionAmounts } from "../facts/refunds.ts";
import { manualChange } from "./commission-diff.ts";
import { isSameRow } from "./pending-writes.ts";
import { boundTo, isCredited } from "./referral-diff.ts";
import { findPassing, movedReview } from "./review-diff.ts";
import type { NewLead, TouchedReferral } from "./touched-referral.ts";

/** The stored data of leads, with the parts that change. */
interface Loaded {
  commissions: ReadonlyMap<string, AttributedCommissionRow[]>;
  corrections: ReadonlyMap<string, CorrectionRow>;
  affiliates: ReadonlyMap<string, AffiliateRow>;
}

/**
 * Decides about the leads of referrals and stores the differences: the leads, their commissions and the events. A lead keeps the terms
 * that counted when its affiliate first had it, so only new leads, and referrals with another affiliate, time or state change any.
 *
 * The caller holds the organization's lock of payments, and has written the referrals.
 */
export async function recordLeads(
  sql: Transaction,
  organization: OrganizationContext,
  touched: readonly TouchedReferral[],
): Promise<void> {
  await (await decideLeads(sql, organization, touched))?.write();
}

/** Decides about the leads of referrals, and writes nothing. Null: they have no leads. */
export async function decideLeads(
  sql: Transaction,
  organization: OrganizationContext,
  touched: readonly TouchedReferral[],
): Promise<LeadWriter | null> {
  const known_ids = touched.flatMap(({ is_new, referral }) => (is_new ? [] : referral.id));
  const stored = known_ids.length === 0 ? [] : await findLeads(sql, organization.id, [...new Set(known_ids)]);
  if (stored.length === 0 && touched.every(({ new_leads }) => new_leads.length === 0)) return null;
  const by_referral = groupBy(stored, ({ referral_id }) => referral_id);
  const now = new Date();
  // Those of replaced referrals first: they leave their places in a day's limit, and the same customer may take one.
  const leads = touched
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .flatMap((one) => {
      const known = by_referral.get(one.referral.id) ?? [];
      const kinds = new Set(known.map(({ kind }) => kind));
      const added = one.new_leads.filter(({ kind }) => !kinds.has(kind));
      return [
        ...known.map((lead) => ({ ...one, lead: { ...lead, occurred_at: timeOf(lead, one) }, before: lead })),
        ...added.map((lead) => ({ ...one, lead: newLead(lead, one, { organization, now }), before: null })),
      ];
    });
  if (leads.length === 0) return null;
  const loaded = await load(sql, organization.id, leads);
  const decide = async (also_cleared: readonly string[]) => {
    const reviewOf = await findReviewer(sql, organization, loaded.affiliates.values(), also_cleared);
    const writer = new LeadWriter(sql, organization, { loaded, reviewOf, now });
    for (const one of leads) await writer.add(one);
    return writer;
  };
  const writer = await decide([]);
  const passing = await findPassing(sql, organization.id, [writer]);
  return passing.length === 0 ? writer : await decide(passing);
}

const placeOf = ({ referral }: TouchedReferral) => (referral.replaced_at === null ? 1 : 0);

/** A lead of a referral, and its stored state. Null: it is new. */
interface TouchedLead extends TouchedReferral {
  lead: LeadRow;
  before: LeadRow | null;
}

/** When a lead happened, as it is known now: sign-ups and trials have the times that reports gave their referral. */
function timeOf({ kind, occurred_at }: LeadRow, { referral, new_leads }: TouchedReferral): Date {
  if (kind === "signup" && referral.attributed_by !== null) return referral.signup_date;
  return kind === "trial"
    ? (new_leads.find((lead) => lead.kind === kind)?.occurred_at ?? occurred_at)
    : occurred_at;
}

function newLead(
  lead: NewLead,
  { referral }: TouchedReferral,
  { organization, now }: { organization: OrganizationContext; now: Date },
): LeadRow {
  return {
    ...lead,
    id: newId(now),
    referral_id: referral.id,
    created_at: now,
    terms: [],
    currency: organization.currency,
    outcome: "no_lead_commission",
    affiliate_id: referral.affiliate_id,
    commission_id: null,
  };
}

/** Loads commissions and locks them: a payout run takes none until the transaction ends. */
async function load(
  sql: Transaction,
  organizationId: string,
  leads: readonly TouchedLead[],
): Promise<Loaded> {
  const ids = leads.flatMap(({ lead }) => lead.commission_id ?? []).sort();
  const commissions =
    ids.length === 0
      ? []
      : await findCustomersCommissions(sql, organizationId, { referral_ids: [], ids, lock: true });
  const corrections = ids.length === 0 ? [] : await findCorrections(sql, organizationId, ids);
  const affiliate_ids = leads.flatMap((one) => [ownerOf(one).affiliate_id, boundTo(one.referral)]);
  const affiliates = await findAffiliates(sql, organizationId, [...new Set(affiliate_ids)]);
  return {
    commissions: groupBy(commissions, ({ reversal_of, id }) => reversal_of ?? id),
    corrections: new Map(corrections.map((correction) => [correction.commission_id, correction])),
    affiliates: new Map(affiliates.map((affiliate) => [affiliate.id, affiliate])),
  };
}

/** The affiliate who has a lead: of its referral before any move, or of a move that covers it. */
function ownerOf({ referral, overrides, lead }: TouchedLead): { affiliate_id: string; is_stopped: boolean } {
  const decided = overrides?.ofLead(lead);
  return {
    affiliate_id: decided?.affiliate_id ?? boundTo(referral),
    is_stopped: decided?.is_stopped ?? false,
  };
}

/** Whether it is the sign-up of a customer who turned out to have been nobody's, until a person credited a payment. */
function isOfCredited({ referral, lead }: TouchedLead): boolean {
  return lead.kind === "signup" && isCredited(referral);
}

/** Each affiliate's terms once, these in place of others. */
function withTerms(known: readonly LeadTermsRow[], decided: readonly LeadTermsRow[]): LeadTermsRow[] {
  return [...new Map([...known, ...decided].map((terms) => [terms.affiliate_id, terms])).values()];
}

/** Decides leads one after the other, since each counts for the daily limit of the next, and writes them. */
class LeadWriter {
  readonly #sql: Transaction;
  readonly #organization: OrganizationContext;
  readonly #loaded: Loaded;
  readonly #reviewOf: Reviewer;
  readonly #now: Date;
  readonly new_commissions: NewWrittenCommission[] = [];
  readonly changed_commissions: CommissionChange[] = [];
  readonly reviews: ReviewChange[] = [];
  readonly #leads: LeadRow[] = [];
  readonly #events: ReturnType<typeof serializeEvent>[] = [];

  constructor(
    sql: Transaction,
    organization: OrganizationContext,
    { loaded, reviewOf, now }: { loaded: Loaded; reviewOf: Reviewer; now: Date },
  ) {
    this.#sql = sql;
    this.#organization = organization;
    this.#loaded = loaded;
    this.#reviewOf = reviewOf;
    this.#now = now;
  }

  async add(one: TouchedLead): Promise<void> {
    const { before } = one;
    const is_early = one.lead.occurred_at < one.since;
    // A trial before the referral is another affiliate's, or nobody's.
    if (before === null && one.lead.kind === "trial" && is_early) return;
    // The terms of affiliates who might have it later are those of that time.
    if (isOfCredited(one)) return this.#store(one, { ...one.lead, outcome: "referral_withdrawn" });
    const { affiliate_id, is_stopped } = ownerOf(one);
    const first_terms = await this.#signUpTerms(one);
    const is_unpaid = first_terms?.amount_minor === null;
    if (before === null && is_unpaid) return;
    const terms = await this.#termsOf(one, affiliate_id);
    const is_replaced = one.referral.replaced_at !== null;
    const outcome = decideLead(terms, { is_replaced, is_stopped, is_unpaid, is_early });
    const decided = first_terms === null ? [terms] : [first_terms, terms];
    const lead: LeadRow = { ...one.lead, affiliate_id, outcome, terms: withTerms(one.lead.terms, decided) };
    if (lead.commission_id === null && outcome === "commission") {
      lead.commission_id = this.#create(lead, terms, one);
      this.#leads.push(lead);
    } else this.#store(one, lead, terms);
  }

  /** Stores a lead if it changed, and changes its commission to what it earns now. Terms are those of one that earns. */
  #store({ before, cause }: TouchedLead, lead: LeadRow, terms: LeadTermsRow | null = null): void {
    if (lead.commission_id !== null) this.#change(lead, terms, cause);
    // The outcome says whether an affiliate's terms changed, and their number whether there are new ones.
    const is_same =
      before !== null &&
      before.terms.length === lead.terms.length &&
      isSameRow({ ...before, terms: null }, { ...lead, terms: null });
    if (!is_same) this.#leads.push(lead);
  }

  /**
   * The terms of a sign-up for the affiliate that reports gave the customer: a sign-up that this affiliate's campaign does not
   * pay for earns nothing after a move either. Null: it is another lead, or one without such terms.
   */
  async #signUpTerms(one: TouchedLead): Promise<LeadTermsRow | null> {
    const { lead, before, new_leads, referral } = one;
    if (lead.kind !== "signup") return null;
    const affiliate_id = boundTo(referral);
    const is_bound = before === null || new_leads.some(({ kind }) => kind === "signup");
    if (is_bound) return await this.#termsOf(one, affiliate_id);
    return lead.terms.find((terms) => terms.affiliate_id === affiliate_id) ?? null;
  }

  /** The stored terms of an affiliate, or those that count from now on. */
  async #termsOf(one: TouchedLead, affiliate_id: string): Promise<LeadTermsRow> {
    const { lead, referral, since } = one;
    const known = lead.terms.find((terms) => terms.affiliate_id === affiliate_id);
    const was_early = known?.refusal === "before_referral";
    if (known !== undefined && !(was_early && lead.occurred_at >= since)) return known;
    const affiliate = this.#affiliate(affiliate_id);
    const paid = leadCommissionOf(affiliate, lead.kind);
    const limit = paid?.daily_limit ?? null;
    const captured = { ...lead, email: referral.email, since };
    const refusal =
      (was_early ? null : refuseLead(captured, affiliate, this.#organization.currency)) ??
      ((await this.#isWithinLimit(lead, affiliate_id, limit)) ? null : "daily_limit_reached");
    if (known !== undefined) return { ...known, refusal };
    return {
      affiliate_id,
      campaign_id: affiliate.campaign.id,
      amount_minor: paid === undefined ? null : String(paid.value),
      refusal,
    };
  }

  async #isWithinLimit({ kind, occurred_at }: LeadRow, affiliate_id: string, limit: number | null) {
    if (limit === null) return true;
    const { since, until } = dayOf(occurred_at);
    const now = this.#leads.filter(
      (other) =>
        other.affiliate_id === affiliate_id &&
        other.kind === kind &&
        other.outcome === "commission" &&
        since <= other.occurred_at &&
        other.occurred_at < until,
    );
    const period = { affiliate_id, kind, since, until, most: limit, except: this.#leads.map(({ id }) => id) };
    return now.length + (await countEarnedLeads(this.#sql, this.#organization.id, period)) < limit;
  }

  #affiliate(id: string): AffiliateRow {
    const affiliate = this.#loaded.affiliates.get(id);
    if (affiliate === undefined) throw new Error(`affiliate ${id} of a lead was not loaded`);
    return affiliate;
  }

  /** Returns the id of the new commission. */
  #create(lead: LeadRow, terms: LeadTermsRow, { referral, cause }: TouchedLead): string {
    const made = {
      id: newId(this.#now),
      ...amountsOf(terms),
      currency: lead.currency,
      payout_status: "not_paid" as const,
      referral_date: lead.occurred_at,
      processor_payment_id: null,
      lead: lead.kind,
      recruit_commission_id: null,
      created_at: this.#now,
    };
    const { affiliate_id, referral_id } = lead;
    const written = { ...made, affiliate_id, referral_id, reversal_of: null, cause };
    const review = this.#reviewOf(written);
    this.new_commissions.push({ ...written, review });
    const affiliate = this.#affiliate(affiliate_id);
    const data = viewCommissionEvent({
      ...made,
      ...reviewRow(review, made),
      affiliate,
      referral,
      payout: null,
    });
    this.#events.push(serializeEvent("commission.created", data, this.#now));
    return made.id;
  }

  /**
   * Changes the lead's commission to the amount that it earns now. A commission in a payout stays, and a
   * reversal nets it.
   */
  #change(
    { outcome, commission_id, affiliate_id, occurred_at }: LeadRow,
    terms: LeadTermsRow | null,
    cause: string,
  ): void {
    const stored = this.#loaded.commissions.get(commission_id ?? "") ?? [];
    const original = stored.find(({ reversal_of }) => reversal_of === null);
    if (original === undefined) throw new Error(`commission ${commission_id} of a lead was not loaded`);
    const correction = this.#loaded.corrections.get(original.id);
    const earns = outcome === "commission" && correction?.voided !== true;
    // A person restored it, although its lead earns nothing.
    const is_gift = outcome !== "commission" && correction?.voided === false;
    const full = earns && terms !== null ? amountsOf(terms) : { ...original };
    const amounts = {
      revenue_minor: 0n,
      commission_minor: correction?.commission_minor ?? full.commission_minor,
    };
    const { added, changed } = manualChange(
      {
        commission: { ...amounts, id: original.id },
        referral_date: correction?.referral_date ?? occurred_at,
        affiliate_id: earns ? affiliate_id : original.affiliate_id,
        netAmounts: earns || is_gift ? amounts : null,
      },
      { stored, now: this.#now },
    );
    // Reversals were reviewed with their original.
    this.new_commissions.push(...added.map((row) => ({ ...row, cause, review: null })));
    for (const row of changed) {
      const change = { before: original, after: { ...row, cause } };
      this.changed_commissions.push(change);
      const review = movedReview(change, { reviewOf: this.#reviewOf, earning: full, now: this.#now });
      if (review !== null) this.reviews.push({ ...review, cause });
    }
  }

  async write(): Promise<void> {
    const { changed_commissions: changed, new_commissions: added, reviews } = this;
    await writeCommissions(this.#sql, this.#organization.id, { changed, added, reviews });
    await upsertLeads(this.#sql, this.#organization.id, this.#leads);
    for (const event of this.#events) await recordEvent(this.#sql, this.#organization.id, event);
  }
}

function amountsOf({ amount_minor }: LeadTermsRow): CommissionAmounts {
  if (amount_minor === null) throw new Error("a lead earns that its campaign does not pay for");
  return { revenue_minor: 0n, commission_minor: BigInt(amount_minor) };
}
