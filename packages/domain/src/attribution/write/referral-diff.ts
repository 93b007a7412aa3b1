import type { AttributedReferralRow, ReferralSource } from "@findersfee/database/attribution/customers";
import type { AffiliateRow } from "@findersfee/database/rows";
import { newId } from "../../ids.ts";
import { serializeEvent, viewReferralEvent } from "../../webhooks/events/data.ts";
import type { CustomerOutcome, ReferralOutcome } from "../decide/outcome.ts";
import { beganAt } from "../decide/referrals.ts";
import { NO_CLICK } from "../facts/clicks.ts";
import { isSameRow, type PendingWrites } from "./pending-writes.ts";
import type { NewLead, TouchedReferral } from "./touched-referral.ts";

type Touched = Omit<TouchedReferral, "overrides" | "cause">;

interface Dependencies {
  /** The stored rows by id. */
  stored: ReadonlyMap<string, AttributedReferralRow>;
  /** The sources by click. */
  sources: ReadonlyMap<string, ReferralSource>;
  affiliateOf: (id: string) => AffiliateRow;
  now: Date;
}

/** Compares a customer's referrals with the stored rows, and adds the differences to the pending writes. */
export class ReferralDiff {
  readonly #writes: PendingWrites;
  readonly #stored: Dependencies["stored"];
  readonly #sources: Dependencies["sources"];
  readonly #affiliateOf: Dependencies["affiliateOf"];
  readonly #now: Date;
  readonly #rows = new Map<ReferralOutcome, AttributedReferralRow>();

  constructor(writes: PendingWrites, { stored, sources, affiliateOf, now }: Dependencies) {
    this.#writes = writes;
    this.#stored = stored;
    this.#sources = sources;
    this.#affiliateOf = affiliateOf;
    this.#now = now;
  }

  /** Assigns the referral its row. Commissions can change the row until `write`. */
  add(referral: ReferralOutcome): void {
    const known = referral.id === null ? undefined : this.#stored.get(referral.id);
    if (known === undefined) {
      const row = { ...newReferral(referral, this.#now), ...(this.#sourceOf(referral) ?? NO_CLICK) };
      this.#rows.set(referral, row);
      this.#announce("referral.created", row);
    } else {
      const source = this.#sourceOf(referral) ?? keptSource(known, referral);
      this.#rows.set(referral, { ...changedReferral(known, referral), ...source });
    }
  }

  /**
   * The click that won the customer, or the affiliate's own one beside the promo code that won: a discount by link has both. A new
   * affiliate after a move does not see it.
   */
  #sourceOf({ candidates, affiliate_id, moved_to }: ReferralOutcome): ReferralSource | null {
    if (moved_to !== null && moved_to !== affiliate_id) return null;
    const own = candidates.filter((candidate) => candidate.affiliate_id === affiliate_id);
    const won = own.findLast(({ result }) => result === "won");
    const click =
      won?.source === "promo_code"
        ? own.findLast(({ source, result }) => source === "click" && result === "lost")
        : won;
    return click === undefined ? null : (this.#sources.get(click.reference) ?? null);
  }

  /** The row of an added referral. */
  rowOf(referral: ReferralOutcome): AttributedReferralRow {
    const row = this.#rows.get(referral);
    if (row === undefined) throw new Error("a payment's referral was not added to the diff");
    return row;
  }

  /** The first commission of a referral converts it, even one that moved from another referral. */
  convert(row: AttributedReferralRow): void {
    if (row.converted_at !== null) return;
    this.#announce("referral.converted", row);
    row.converted_at = this.#now;
  }

  /** Adds the rows to the writes. Replaced referrals keep their data, but no email or id finds them any more. */
  write(superseded: CustomerOutcome["superseded"]): void {
    for (const [{ id }, row] of this.#rows) {
      const before = id === null ? undefined : this.#stored.get(id);
      if (before === undefined) this.#writes.new_referrals.push(row);
      else this.#change(before, row);
    }
    for (const id of superseded) {
      const row = this.#stored.get(id);
      if (row !== undefined) this.#change(row, { ...row, replaced_at: row.replaced_at ?? this.#now });
    }
  }

  /**
   * The rows with leads that may differ from the stored ones, after `write`: new, changed and replaced rows,
   * rows in a trial, and all rows of a customer with an override. A new row of an affiliate whose campaign does not pay for
   * sign-ups has none.
   */
  touched({ superseded, overrides }: Pick<CustomerOutcome, "superseded" | "overrides">): Touched[] {
    const of_outcomes = [...this.#rows].flatMap(([referral, row]) => {
      const before = referral.id === null ? undefined : this.#stored.get(referral.id);
      const is_same = before !== undefined && isSameRow(before, row);
      const is_created = before === undefined ? this.#paysSignUps(boundTo(row)) : isBoundAgain(before, row);
      const new_leads = leadsOf(referral, is_created ? row : null);
      if ((is_same || before === undefined) && new_leads.length === 0 && overrides === null) return [];
      return [{ referral: row, since: beganAt(referral), is_new: before === undefined, new_leads }];
    });
    const of_others = superseded.flatMap((id) => {
      const row = this.#stored.get(id);
      if (row === undefined) return [];
      const replaced_at = row.replaced_at ?? this.#now;
      return [{ referral: { ...row, replaced_at }, since: row.signup_date, is_new: false, new_leads: [] }];
    });
    return [...of_outcomes, ...of_others];
  }

  #paysSignUps(affiliate_id: string): boolean {
    return this.#affiliateOf(affiliate_id).campaign.lead_commissions.some(({ kind }) => kind === "signup");
  }

  #change(before: AttributedReferralRow, row: AttributedReferralRow): void {
    if (isSameRow(before, row)) return;
    this.#writes.changed_referrals.push(row);
    const is_renamed =
      before.email !== row.email ||
      before.processor_customer_id !== row.processor_customer_id ||
      before.replaced_at !== row.replaced_at;
    if (is_renamed) this.#writes.renamed_referral_ids.push(row.id);
  }

  #announce(type: "referral.created" | "referral.converted", row: AttributedReferralRow): void {
    const data = viewReferralEvent({ ...row, affiliate: this.#affiliateOf(row.affiliate_id) });
    this.#writes.events.push(serializeEvent(type, data, this.#now));
  }
}

/** The affiliate that reports gave a referral, whoever a person moved it to. */
export function boundTo({
  moved_from,
  affiliate_id,
}: Pick<AttributedReferralRow, "affiliate_id" | "moved_from">): string {
  return moved_from ?? affiliate_id;
}

/** Whether a referral was made by a credit for a payment. */
export function isCredited({ attributed_by }: Pick<AttributedReferralRow, "attributed_by">): boolean {
  return attributed_by?.startsWith("organization:") === true;
}

/** Whether reports made a customer another affiliate's, or one's who had it only by a credit. */
function isBoundAgain(before: AttributedReferralRow, row: AttributedReferralRow): boolean {
  return row.attributed_by !== null && (boundTo(before) !== boundTo(row) || isCredited(before));
}

/** The sign-up of a referral, unless a person credited a payment instead, and the trial. */
function leadsOf({ trial_at }: ReferralOutcome, created: AttributedReferralRow | null): NewLead[] {
  const leads: NewLead[] = [];
  if (created !== null && !isCredited(created)) {
    leads.push({ kind: "signup", reference: null, occurred_at: created.signup_date });
  }
  if (trial_at !== null) leads.push({ kind: "trial", reference: null, occurred_at: trial_at });
  return leads;
}

/** The click is no longer stored, or the referral was not attributed again. */
function keptSource(
  before: AttributedReferralRow,
  { affiliate_id, moved_to, attributed_by }: ReferralOutcome,
): ReferralSource {
  if (moved_to !== null && moved_to !== affiliate_id) return NO_CLICK;
  const is_same = before.affiliate_id === affiliate_id && before.attributed_by === attributed_by;
  if (!is_same) return NO_CLICK;
  const { link_code, landing_url, referrer, sub_id, visitor_country } = before;
  return { link_code, landing_url, referrer, sub_id, visitor_country };
}

/** The affiliate who has the customer now, and the one before a move. */
function affiliateOf({ affiliate_id, moved_to }: ReferralOutcome) {
  const is_moved = moved_to !== null && moved_to !== affiliate_id;
  return is_moved ? { affiliate_id: moved_to, moved_from: affiliate_id } : { affiliate_id, moved_from: null };
}

function newReferral(
  referral: ReferralOutcome,
  now: Date,
): Omit<AttributedReferralRow, keyof ReferralSource> {
  const { email, customer_id, attributed_by, since, signup_date, processor_status } = referral;
  return {
    id: newId(now),
    email,
    ...affiliateOf(referral),
    subscription_status: processor_status ?? "signed_up",
    signup_date,
    processor_customer_id: customer_id,
    converted_at: null,
    created_at: now,
    attributed_by,
    attributed_at: attributed_by === null ? null : since,
    processor_status,
    email_is_manual: false,
    customer_id_is_manual: false,
    replaced_at: null,
    customer_country: referral.customer_country,
  };
}

function changedReferral(
  before: AttributedReferralRow,
  referral: ReferralOutcome,
): Omit<AttributedReferralRow, keyof ReferralSource> {
  const { email, customer_id, attributed_by, since, signup_date } = referral;
  const keeps_customer_id = before.customer_id_is_manual && before.processor_customer_id !== null;
  const { processor_status } = referral;
  // A manual status stays until the processor reports another one.
  const subscription_status =
    processor_status === before.processor_status
      ? before.subscription_status
      : (processor_status ?? "signed_up");
  const bound = attributed_by === null ? {} : { attributed_by, attributed_at: since, signup_date };
  return {
    ...before,
    ...affiliateOf(referral),
    email: before.email_is_manual ? before.email : email,
    processor_customer_id: keeps_customer_id ? before.processor_customer_id : customer_id,
    customer_id_is_manual: before.customer_id_is_manual && (keeps_customer_id || customer_id === null),
    subscription_status,
    processor_status,
    replaced_at: null,
    customer_country: referral.customer_country ?? before.customer_country,
    ...bound,
  };
}
