import { setTimeout as delay } from "node:timers/promises";
import { transaction } from "@findersfee/database/postgres/connect";
import { isDeadlock } from "@findersfee/database/postgres/errors";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import { type IncomingFact, recordFacts } from "../../src/attribution/record-facts.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import type { Context } from "../../src/context.ts";
import { createReferral } from "../../src/customers/referrals/create.ts";
import { DomainError } from "../../src/errors.ts";
import { updateSettings } from "../../src/organizations/settings/update.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { addPartner, click } from "../attribution/program.ts";
import { checkout, payment, refund } from "../attribution/reported.ts";
import { workPayoutRuns } from "../work.ts";
import { type Action, type Does, PARTNERS, PAYMENTS } from "./actions.ts";
import { brokenRules, type Earner, earn, makePayoutContext } from "./program.ts";

/** The refunds of a payment, in tenths; together all of it. */
const REFUNDED_TENTHS = [4, 6] as const;
const DAY = 24 * 60 * 60 * 1000;
const HOLD_DAYS = 15;

/** An organization with a history, and the reports of it. */
export class LedgerHistory {
  readonly context: CreationContext;
  readonly partners: (Earner & { click_id: string })[] = [];
  /** Manual commissions by their ids, in minor units. */
  readonly earned = new Map<string, { affiliate_id: string; currency: string; amount_minor: bigint }>();
  readonly brought = new Map<number, Set<number>>();
  readonly payments = new Set<string>();
  /** Parts of payments that are gone; false: that came back. */
  readonly refunds = new Map<string, boolean>();
  readonly #today = Date.now();
  #runs = 0;
  #messages = 0;

  private constructor(context: CreationContext) {
    this.context = context;
  }

  static async begin(database: Context["database"]): Promise<LedgerHistory> {
    const ledger = new LedgerHistory(await makePayoutContext(database, { hold_days: HOLD_DAYS }));
    const { context, partners } = ledger;
    for (let number = 0; number < PARTNERS; number++) {
      const { affiliate_id } = await addPartner(context);
      const fields = { email: `by-hand${number}@customers.test`, subscription_status: "signed_up" } as const;
      const { id } = await createReferral(context, { affiliate_id, ...fields });
      const click_id = await click(context, { affiliate_id, at: ledger.#daysAgo(45) });
      partners.push({ affiliate_id, referral_id: id, click_id });
    }
    return ledger;
  }

  #daysAgo(days: number): Date {
    return new Date(this.#today - days * DAY);
  }

  /** Performs all actions. Refused ones have no effect. */
  async perform(history: readonly (readonly Action[])[]): Promise<void> {
    await Promise.all(
      history.map(async (actions) => {
        for (const action of actions) {
          await this.#do(action).catch((error: unknown) => {
            if (!(error instanceof DomainError) || error.code === "internal_error") throw error;
          });
        }
      }),
    );
  }

  async #do(action: Action): Promise<void> {
    switch (action.does) {
      case "earn":
        return await this.#earn(action);
      case "pay":
        return await this.#pay(action);
      case "bring":
        return await this.#bring(action);
      case "refund":
        return await this.#refund(action);
      case "run":
        return await this.#run();
      case "interrupt":
        return await this.#interrupt();
      case "move":
        return await this.#move(action);
      case "correct":
        return await this.#correct(action);
      case "settings":
        await updateSettings(this.context, {
          minimum_payouts: { USD: action.minimum, EUR: action.minimum / 2 },
        });
        return;
      case "verify":
        return await this.#verify();
    }
  }

  async #earn({ partner, amount, currency, held }: Does<"earn">): Promise<void> {
    const earner = this.partners[partner];
    if (earner === undefined) return;
    const referral_date = this.#daysAgo(held ? 1 : 2 * HOLD_DAYS);
    const id = await earn(this.context, earner, { amount, currency, referral_date });
    const { affiliate_id } = earner;
    this.earned.set(id, { affiliate_id, currency, amount_minor: BigInt(amount) * 100n });
  }

  async #pay({ paid }: Does<"pay">): Promise<void> {
    const payments = paid.map(({ customer, number }) => {
      const subject = `in_${customer}_${number}`;
      this.payments.add(subject);
      return payment({
        subject,
        ...nameOf(customer),
        currency: currencyOf(customer),
        revenue_minor: amountOf(subject),
        // The last one is held.
        at: this.#daysAgo(number === PAYMENTS - 1 ? 1 : 40),
        references: [`pi_${customer}_${number}`],
      });
    });
    await this.#report(...payments);
  }

  /** The first partner referred the customer first: the referral is that partner's in any order of reports. */
  async #bring({ customer, partner }: Does<"bring">): Promise<void> {
    const click_id = this.partners[partner]?.click_id ?? "";
    this.brought.set(customer, (this.brought.get(customer) ?? new Set()).add(partner));
    const at = new Date(this.#daysAgo(44).getTime() + partner * 1_000);
    const subject = `cs_${customer}_${partner}`;
    await this.#report(checkout({ subject, ...nameOf(customer), click_ids: [click_id], at }));
  }

  async #refund({ customer, number, part, failed }: Does<"refund">): Promise<void> {
    const subject = `re_${customer}_${number}_${part}`;
    const is_back = failed || this.refunds.get(subject) === false;
    this.refunds.set(subject, !is_back);
    const since = this.#daysAgo(0.5);
    const gone = refund({
      subject,
      amount_minor: refundedOf(`in_${customer}_${number}`, part),
      at: since,
      references: [`pi_${customer}_${number}`],
    });
    const until = this.#daysAgo(0.25);
    await this.#report(failed ? { ...gone, at: until, rank: 1, until } : gone);
  }

  /** Like a worker after a webhook: after a deadlock the work stays due. */
  async #report(...facts: PaymentFact[]): Promise<void> {
    const { database, organization } = this.context;
    const reported = facts.map((fact): IncomingFact => {
      this.#messages += 1;
      return { processor: "stripe", message_id: `evt_${this.#messages}`, fact };
    });
    for (;;) {
      try {
        return await transaction(database, async (sql) => {
          await lockPayments(sql, organization.id);
          await recordFacts(sql, organization, reported);
        });
      } catch (error) {
        if (!isDeadlock(error)) throw error;
      }
    }
  }

  async #run(): Promise<void> {
    this.#runs += 1;
    const month = new Date(Date.UTC(2000, this.#runs)).toISOString().slice(0, 7);
    await startPayoutRun(this.context, { period: month, method: "manual" });
    await workPayoutRuns(this.context.database, new AbortController().signal);
  }

  async #interrupt(): Promise<void> {
    const interruption = new AbortController();
    const worked = workPayoutRuns(this.context.database, interruption.signal);
    await delay(2);
    interruption.abort();
    await worked;
  }

  async #move({ chosen, to }: Does<"move">): Promise<void> {
    const { database, organization } = this.context;
    const open = await database<{ id: string; status: string }[]>`
      select id, status from payouts
      where organization_id = ${organization.id}
        and status in ('pending', ${to === "processing" ? "pending" : "processing"},
          ${to === "failed" ? "paid" : "pending"})
      order by id`;
    const movable = open.filter(({ status }) => to !== "paid" || status === "processing");
    const ids = chosen.flatMap((number) => movable[number % movable.length]?.id ?? []);
    if (ids.length === 0) return;
    const reason = to === "failed" ? { reason: "No such account." } : {};
    await movePayouts(this.context, { ids, status: to, ...reason });
  }

  /** Not restored amounts: see the last test of corrections.test.ts. */
  async #correct({ chosen, to }: Does<"correct">): Promise<void> {
    const { database, organization } = this.context;
    const other = to === "voided" ? "not_paid" : "voided";
    const rows = await database<{ id: string }[]>`
      select id from commission_states
      where organization_id = ${organization.id} and payout_status = ${other}
      order by id`;
    const id = rows[chosen % rows.length]?.id;
    if (id !== undefined) await updateCommission(this.context, { id, payout_status: to });
  }

  /** Concurrent changes do not look like damage. */
  async #verify(): Promise<void> {
    const found = await brokenRules(this.context);
    if (found.length > 0) throw new Error(`found while others work: ${found.join(", ")}`);
  }
}

function nameOf(customer: number) {
  return { customer_id: `cus_${customer}`, email: `buyer${customer}@customers.test` };
}

export function currencyOf(customer: number): string {
  return customer === 0 ? "EUR" : "USD";
}

/** A payment's amounts; 30 % of gross and net are whole numbers. */
export function amountOf(subject: string): bigint {
  return 10_000n * (BigInt(subject.at(-1) ?? "0") + 1n);
}

export function refundedOf(subject: string, part: 0 | 1): bigint {
  return (amountOf(subject) / 10n) * BigInt(REFUNDED_TENTHS[part]);
}
