import type { Answer } from "./answers.ts";
import { lineOf, lineOfAdjustment } from "./balances.ts";
import { DAY, type Deed, HOUR, type Payment, type Terms } from "./history.ts";
import { lineOfLead } from "./leads.ts";
import { HAS_COMMISSION, isStopping, type Override } from "./overrides.ts";
import { lineOfRecruit } from "./recruits.ts";
import { NO_CORRECTION, State } from "./state.ts";

/*
 * The independent model: a second program that computes what the documents promise, and shares no code with the service.
 * docs/contributing/testing.md says how it is used.
 */

/** What people do in a history, one deed after another. */
export class Model extends State {
  /** Deeds happen one after another, all of them soon after the start. */
  #now = 0;

  /** A payment that is made and reported now. */
  pay(fact: Payment): void {
    this.#now += 1;
    this.report({ ...fact, at: this.#now });
  }

  perform(deed: Deed): Answer {
    this.#now += 1;
    switch (deed.kind) {
      case "refer":
        return this.#refer(deed);
      case "set_rate":
        return this.#setTerms(deed.campaign, { rate: deed.rate });
      case "set_leads":
        return this.#setTerms(deed.campaign, { leads: deed.leads });
      case "set_review":
        return this.#setTerms(deed.campaign, deed.terms);
      case "set_tiers":
        return this.#setTerms(deed.campaign, { tiers: deed.tiers });
      case "set_recruiting":
        // Recruits keep the terms of the day on which they were created.
        return "done";
      case "set_tier":
        return this.#setTier(deed);
      case "approve":
      case "reject":
        return this.#review(deed);
      case "convert":
        return this.#convert(deed);
      case "set_converts":
        this.settings = { ...this.settings, converts: deed.converts };
        return "done";
      case "enter_rate":
        this.rates.enter(deed);
        return "done";
      case "set_affiliate":
        return this.#setAffiliate(deed);
      case "set_payouts":
        this.hold_days = deed.hold_days ?? this.hold_days;
        this.minimum = deed.minimum ?? this.minimum;
        return "done";
      case "correct":
      case "void":
      case "restore":
        return this.#correct(deed);
      case "void_recruits":
      case "restore_recruits":
        return this.#correctRecruits(deed);
      case "keep_voided":
        return this.#keepVoided(deed);
      case "manual":
        return this.#addManual(deed);
      case "change_id":
        return this.#changeId(deed.customer);
      case "run":
        this.balances.run([...this.lines.values()], this.minimum, this.history.currency);
        return "done";
      case "move":
        return this.balances.move(deed.status) > 0 ? "done" : "skipped";
      case "return":
        return this.balances.return() > 0 ? "done" : "skipped";
      case "sign_up":
        return this.#signUp(deed);
      case "move_customer":
        return this.#moveCustomer(deed);
      case "credit":
        return this.#credit(deed);
      case "stop_customer":
        return this.#stopCustomer(deed.customer);
      case "resume":
      case "undo":
        return this.#changeOverride(deed);
      case "rerun":
        return this.#rerun(deed.payment);
      case "adjust":
        return this.#adjust(deed);
      case "set_adjustment":
        return this.#setAdjustment(deed);
    }
  }

  #refer({ customer, affiliate }: Deed & { kind: "refer" }): Answer {
    if (this.settings.affiliates[affiliate]?.is_customer === customer) return "invalid_request";
    if (!this.#canRefer(customer)) return "referral_exists";
    this.referrals.set(customer, { affiliate, at: this.#now });
    this.known_ids.add(customer);
    this.with_email.add(customer);
    return "done";
  }

  /**
   * The answer says nothing of the effect. An address alone does not name a customer who is known by id. A signed sign-up
   * counts like a referral by API.
   */
  #signUp({ customer, click, signed }: Deed & { kind: "sign_up" }): Answer {
    const affiliate = this.history.clicks[click];
    if (affiliate === undefined || this.history.customers[customer] === "some") return "skipped";
    const partner = this.settings.affiliates[affiliate];
    const counts = partner?.approved && !partner.banned && partner.is_customer !== customer;
    if (!counts) return "done";
    if (signed && this.#canRefer(customer)) this.referrals.set(customer, { affiliate, at: this.#now });
    // Facts that are older than the sign-up, and those that are reported later, decide whether it makes a referral.
    const sign_ups = this.sign_ups.get(customer) ?? [];
    if (!signed) this.sign_ups.set(customer, [...sign_ups, { affiliate, at: this.#now }]);
    return "done";
  }

  /** A referral by API replaces one of a sign-up, unless something confirmed it. */
  #canRefer(customer: number): boolean {
    const { referral, is_signed_up } = this.decide(customer);
    return referral === null || (is_signed_up && !this.leads.hasConversion(customer));
  }

  /** Returns what the service says of the conversion. */
  #convert({ customer, name, by, click, hours_ago }: Deed & { kind: "convert" }): Answer {
    const affiliate = by === "click" ? this.history.clicks[click] : undefined;
    if (by === "click" && affiliate === undefined) return "skipped";
    if (by === "id" && this.history.customers[customer] === "guest") return "skipped";
    if (this.new_ids.has(customer)) return "skipped";
    if (by === "id" && !this.known_ids.has(customer)) return "not_found";
    // An address alone does not name a customer who is known by id.
    const is_named = this.history.customers[customer] !== "some" || this.known_ids.has(customer);
    if (by !== "id" && !is_named) return "skipped";
    const at = hours_ago === 0 ? this.#now : -hours_ago * HOUR;
    if (this.decide(customer).referral === null) {
      const partner = this.settings.affiliates[affiliate ?? -1];
      const counts = partner?.approved && !partner.banned && partner.is_customer !== customer;
      if (affiliate === undefined || !counts) return "not_found";
      this.referrals.set(customer, { affiliate, at: this.#now });
    }
    this.leads.add(customer, { kind: name, at, of: this.decide(customer).referral_by });
    this.settle();
    const lead = this.leads.results(this.led(customer)).find(({ kind }) => kind === name);
    return `conversion: ${lead?.outcome}`;
  }

  #setTerms(campaign: number, changes: Partial<Terms>): Answer {
    const campaigns = this.settings.campaigns.map((terms, number) =>
      number === campaign ? { ...terms, ...changes } : terms,
    );
    this.settings = { ...this.settings, campaigns };
    return "done";
  }

  #setAffiliate({ affiliate, banned, approved }: Deed & { kind: "set_affiliate" }): Answer {
    const affiliates = this.settings.affiliates.map((partner, number) =>
      number !== affiliate
        ? partner
        : { ...partner, banned: banned ?? partner.banned, approved: approved ?? partner.approved },
    );
    this.settings = { ...this.settings, affiliates };
    return "done";
  }

  /** A change is newer than all others. */
  #setTier({ affiliate, tier, since }: Deed & { kind: "set_tier" }): Answer {
    const { tiers = [], campaign } = this.settings.affiliates[affiliate] ?? {};
    const steps = this.settings.campaigns[campaign ?? -1]?.tiers ?? [];
    const is_stored = tiers.every((change) => change.since < since);
    if (!is_stored || steps.length <= (tier ?? 0)) return "skipped";
    const affiliates = this.settings.affiliates.map((partner, number) =>
      number === affiliate ? { ...partner, tiers: [...tiers, { since, tier }] } : partner,
    );
    this.settings = { ...this.settings, affiliates };
    return "done";
  }

  /** What was in a payout is left out: a correction beside it is voided then, or the commission. */
  #correctRecruits({ kind, payment }: Deed & { kind: "void_recruits" | "restore_recruits" }): Answer {
    const root = `p${payment}`;
    const recruiters = this.recruits.recruitersOf(root);
    const recruiter = recruiters.at(-1);
    const isFree = (one: number) => !this.balances.wasInPayout(lineOfRecruit(root, one));
    if (recruiter === undefined || !recruiters.every(isFree)) return "skipped";
    if (this.decisionOf(payment)?.outcome !== "commission") return "skipped";
    const { amount = 0 } = this.lines.get(lineOfRecruit(root, recruiter)) ?? {};
    if (amount > 0 !== (kind === "void_recruits")) return "skipped";
    const was_voided = this.recruits.isVoided(root, recruiter);
    this.recruits.setVoided(root, recruiter, kind === "void_recruits");
    if (kind === "void_recruits") return "done";
    this.result();
    const { amount: restored = 0 } = this.lines.get(lineOfRecruit(root, recruiter)) ?? {};
    if (restored > 0) return "done";
    this.recruits.setVoided(root, recruiter, was_voided);
    return "commission_locked";
  }

  #correct(deed: Deed & { kind: "correct" | "void" | "restore" }): Answer {
    const payment = this.payments.get(deed.payment);
    const decision = this.decisionOf(deed.payment);
    if (payment === undefined || decision?.outcome !== "commission") return "skipped";
    const reversed = this.reversed(payment, Number.POSITIVE_INFINITY);
    const correction = this.corrections.get(deed.payment) ?? NO_CORRECTION;
    const remaining = this.remaining(payment, decision);
    const is_rejected = this.created.find(`p${deed.payment}`)?.review === "rejected";
    const is_gone = is_rejected || reversed >= payment.revenue + payment.tax;
    if (is_gone || correction.voided !== (deed.kind === "restore")) return "skipped";
    const amount = deed.kind === "correct" ? Math.round((remaining * deed.percent) / 100) : null;
    if (amount === remaining || amount === 0) return "skipped";
    if (this.balances.isLocked(lineOf(deed.payment, decision))) return "commission_locked";
    if (amount !== null) {
      this.corrections.set(deed.payment, { ...correction, amount, reversed });
    } else {
      this.corrections.set(deed.payment, { ...correction, ...this.#voided(deed.kind === "void") });
    }
    return "done";
  }

  #voided(voided: boolean): { voided: boolean; voided_at: number } {
    return { voided, voided_at: this.#now };
  }

  /** Only what waits is rejected. */
  #review({ kind, payment }: Deed & { kind: "approve" | "reject" }): Answer {
    const created = this.created.find(`p${payment}`);
    const decision = this.decisionOf(payment);
    if (created === undefined || decision?.outcome !== "commission") return "skipped";
    const is_rejected = created.review === "rejected";
    if (created.review !== "pending" && !(is_rejected && kind === "approve")) return "skipped";
    const correction = this.corrections.get(payment) ?? NO_CORRECTION;
    if (correction.voided && !is_rejected) return "skipped";
    created.review = kind === "approve" ? "approved" : "rejected";
    this.corrections.set(payment, { ...correction, ...this.#voided(kind === "reject") });
    return "done";
  }

  /** What was in a payout is left out: a reversal beside the commission is voided then, or the commission. */
  #keepVoided({ payment: name, stays }: Deed & { kind: "keep_voided" }): Answer {
    const payment = this.payments.get(name);
    const decision = this.decisionOf(name);
    if (payment === undefined || decision?.outcome !== "commission") return "skipped";
    if (this.balances.wasInPayout(lineOf(name, decision))) return "skipped";
    if (this.created.find(`p${name}`)?.review === "rejected") return "skipped";
    const correction = this.corrections.get(name) ?? NO_CORRECTION;
    if (correction.voided === stays) return "done";
    if (stays && this.remaining(payment, decision) > 0) return "invalid_request";
    this.corrections.set(name, { ...correction, ...this.#voided(stays) });
    return "done";
  }

  /** Left out where the id alone ties the customer to the referral: the former one then names a stranger. */
  #changeId(customer: number): Answer {
    if (!this.reported_emails.has(customer)) return "skipped";
    const { referral, is_signed_up } = this.decide(customer);
    if (referral === null || is_signed_up) return "skipped";
    this.new_ids.add(customer);
    return "done";
  }

  #addManual({ customer, payment, amount, days_ago }: Deed & { kind: "manual" }): Answer {
    const affiliate = this.decide(customer).referral;
    if (affiliate === null) return "skipped";
    if (payment !== null) {
      const is_taken = this.manual.some((manual) => manual.payment === payment);
      if (is_taken || this.hadCommission(payment)) return "commission_exists";
    }
    const decided = new Set(this.payments.keys());
    const at = days_ago === 0 ? this.#now : -days_ago * DAY;
    this.manual.push({ customer, affiliate, payment, amount, at, decided });
    return "done";
  }

  #moveCustomer({ customer, affiliate, unpaid_commissions }: Deed & { kind: "move_customer" }): Answer {
    const { referral } = this.decide(customer);
    if (referral === null) return "skipped";
    if (this.settings.affiliates[affiliate]?.banned) return "override_refused";
    const others = unpaid_commissions
      ? this.#unpaidOfOthers(customer, affiliate)
      : { payments: new Set<number>(), manual: new Set<number>(), leads: new Set<string>() };
    const count = others.payments.size + others.manual.size + others.leads.size;
    if (referral === affiliate && count === 0) return "override_refused";
    this.overrides.push({ ...this.#newOverride("move_customer", customer), affiliate, ...others });
    return "done";
  }

  /** A customer's commissions that are in no payout, and another affiliate's. Void ones can be restored later. */
  #unpaidOfOthers(customer: number, affiliate: number): Pick<Override, "payments" | "manual" | "leads"> {
    const isFree = (line: string) => !this.balances.isLocked(line);
    const payments = [...this.decide(customer).by_payment].filter(([name, decision]) => {
      const has_other = decision.outcome === "commission" && decision.affiliate !== affiliate;
      return has_other && isFree(lineOf(name, decision));
    });
    const manual = [...this.manual.entries()].filter(([number, commission]) => {
      if (commission.customer !== customer) return false;
      const { id, affiliate: owner } = this.manualLine(number, commission);
      return owner !== affiliate && isFree(id);
    });
    const leads = this.leads.results(this.led(customer)).filter((lead) => {
      return lead.outcome === "commission" && lead.affiliate !== affiliate && isFree(lineOfLead(lead));
    });
    return {
      leads: new Set(leads.map(({ id }) => id)),
      payments: new Set(payments.map(([name]) => name)),
      manual: new Set(manual.map(([number]) => number)),
    };
  }

  /** A stranger's payment is left out: the request would have to name the customer. */
  #credit({ payment: name, affiliate, past_payments }: Deed & { kind: "credit" }): Answer {
    const payment = this.payments.get(name);
    if (payment === undefined) return "not_found";
    const { customer } = payment;
    if (!this.isKnown(payment)) return "skipped";
    const { by_payment } = this.decide(customer);
    const outcome = by_payment.get(name)?.outcome ?? "";
    if (HAS_COMMISSION.has(outcome)) return "commission_exists";
    if (!this.with_email.has(customer)) return "invalid_request";
    const payments = [...by_payment].filter(([other, decision]) => {
      const earlier = this.payments.get(other);
      if (earlier === undefined || !past_payments || !this.isKnown(earlier)) return false;
      const is_free = !HAS_COMMISSION.has(decision.outcome) && decision.outcome !== "nothing_paid";
      return is_free && earlier.at < payment.at;
    });
    this.overrides.push({
      ...this.#newOverride("credit", customer),
      affiliate,
      payments: new Set([name, ...payments.map(([other]) => other)]),
    });
    if (this.remainingOf(name) > 0) return "done";
    this.overrides.pop();
    return "override_refused";
  }

  #newOverride(kind: Override["kind"], customer: number): Override {
    const nothing = { payments: new Set<number>(), manual: new Set<number>(), leads: new Set<string>() };
    const state = { ended_at: Number.POSITIVE_INFINITY, is_ended: false, is_undone: false };
    return { kind, customer, at: this.#now, affiliate: null, ...nothing, ...state };
  }

  #stopCustomer(customer: number): Answer {
    if (this.decide(customer).referral === null) return "skipped";
    const is_stopped = this.overrides.some(
      (override) => override.customer === customer && isStopping(override),
    );
    if (is_stopped) return "override_refused";
    this.overrides.push(this.#newOverride("stop_customer", customer));
    return "done";
  }

  #changeOverride({ kind, override: number }: Deed & { kind: "resume" | "undo" }): Answer {
    const override = this.overrides[number];
    if (override === undefined) return "skipped";
    if (kind === "resume" ? !isStopping(override) : override.is_undone) return "override_refused";
    if (kind === "resume")
      Object.assign(override, {
        is_ended: true,
        ended_at: override.is_ended ? override.ended_at : this.#now,
      });
    else override.is_undone = true;
    return "done";
  }

  /** A customer who has an affiliate keeps that affiliate, whatever settings the checkouts had. */
  #rerun(name: number): Answer {
    const payment = this.payments.get(name);
    if (payment === undefined) return "skipped";
    payment.found.clear();
    this.rates.forget(name);
    const { customer } = payment;
    if (!this.isKnown(payment) || this.decide(customer).referral !== null) return "done";
    for (const checkout of this.checkouts)
      if (checkout.customer === customer) checkout.settings = this.settings;
    return "done";
  }

  #adjust({ affiliate, amount, currency }: Deed & { kind: "adjust" }): Answer {
    const others = { currency: currency ?? this.history.currency, is_voided: false };
    this.adjustments.push({ affiliate, amount, ...others });
    return "done";
  }

  #setAdjustment({ adjustment: number, voided }: Deed & { kind: "set_adjustment" }): Answer {
    const adjustment = this.adjustments[number];
    if (adjustment === undefined) return "skipped";
    if (this.balances.isLocked(lineOfAdjustment(number))) return "adjustment_locked";
    adjustment.is_voided = voided;
    return "done";
  }
}
