import { decideWaitingForRates } from "@findersfee/domain/attribution/decide-waiting-for-rates";
import type { ApiResponse } from "../test-service.ts";
import { post, signatureOf } from "../tracking-program.ts";
import type { Answer } from "./answers.ts";
import { type Deed, type Fact, type History, HOUR, isFact, type Step, unitOf } from "./history.ts";
import { headersOf, messagesOf, processorOf } from "./messages.ts";
import type { Model } from "./model.ts";
import {
  customerEmail,
  customerId,
  type Message,
  newCustomerId,
  newEmail,
  otherPaymentId,
  paymentId,
} from "./names.ts";
import {
  enterRate,
  makeProgram,
  nextMillisecond,
  type Program,
  payRuns,
  processMessages,
  storeTier,
  type WorkedService,
} from "./program.ts";
import { changeSettings, update } from "./settings.ts";

/** An answer of the service that is not the model's. */
export interface WrongAnswer {
  number: number;
  step: Step;
  expected: Answer;
  actual: string;
}

const REASON = { reason: "Agreed on the phone." };
const PATHS = { move_customer: "move", stop_customer: "stop" };

/** Lets the history happen to the service, and to the model. Messages are processed before each deed, and at the end. */
export class Driver {
  readonly #worked: WorkedService;
  readonly #history: History;
  readonly program: Program;
  #runs = 0;
  /** Whether messages wait. At the start, those of codes may. */
  #waits = true;
  /** The ids of the overrides, in the order in which they were made. */
  readonly #overrides: string[] = [];
  readonly #adjustments: string[] = [];

  private constructor(worked: WorkedService, history: History, program: Program) {
    this.#worked = worked;
    this.#history = history;
    this.program = program;
  }

  static async start(worked: WorkedService, history: History): Promise<Driver> {
    return new Driver(worked, history, await makeProgram(worked, history));
  }

  async drive(model: Model): Promise<WrongAnswer | null> {
    for (const [number, step] of this.#history.steps.entries()) {
      if (isFact(step)) {
        await this.#report(model, number, step);
        continue;
      }
      await this.#process();
      model.settle();
      const remaining = "payment" in step && step.payment !== null ? model.remainingOf(step.payment) : 0;
      const expected = model.perform(step);
      if (expected === "skipped") continue;
      model.settle();
      const actual = await this.#perform(step, remaining);
      if (actual !== expected) return { number, step, expected, actual };
    }
    await this.#process();
    model.settle();
    return null;
  }

  async #process(): Promise<void> {
    if (this.#waits) await processMessages(this.#worked, this.program);
    this.#waits = false;
  }

  /** What is paid now has a time of its own, after all that people did before. */
  async #report(model: Model, number: number, step: Fact & { twice: boolean }): Promise<void> {
    const is_now = step.kind === "payment" && step.is_now === true;
    const fact = is_now ? { ...step, at: (await nextMillisecond()) - this.program.start } : step;
    const messages = messagesOf(this.#history, number, fact, this.program);
    for (const message of step.twice ? [...messages, ...messages] : messages) await this.#send(message);
    if (messages.length === 0) return;
    if (is_now) model.pay(step);
    else model.report(step);
    if (is_now) await nextMillisecond();
  }

  async #send(message: Message): Promise<void> {
    this.#waits = true;
    const { organization, signing_secret } = this.program;
    const path = `/processors/${processorOf(this.#history)}/${organization.organization_id}`;
    const response = await fetch(`${organization.url}${path}`, {
      method: "POST",
      headers: headersOf(this.#history, message, signing_secret),
      body: message.body,
    });
    const answer = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${answer} for ${message.body}`);
  }

  /** Returns "done", or the code of the error. */
  async #perform(deed: Deed, remaining: number): Promise<string> {
    switch (deed.kind) {
      case "refer":
        return await this.#refer(deed);
      case "set_rate":
      case "set_leads":
      case "set_review":
      case "set_recruiting":
      case "set_tiers":
      case "set_affiliate":
      case "set_payouts":
        return await changeSettings(this.program, deed, this.#history.currency);
      case "set_tier":
        await storeTier(this.#worked, this.program, {
          ...deed,
          of: this.#history.affiliates[deed.affiliate],
        });
        return "done";
      case "set_converts":
        await this.program.staff.settings.update.mutate({ converts_fixed_amounts: deed.converts });
        return "done";
      case "enter_rate":
        await enterRate(this.program, deed);
        await decideWaitingForRates(this.#worked.service.database);
        return "done";
      case "convert":
        return await this.#convert(deed);
      case "correct":
      case "void":
      case "restore":
      case "keep_voided":
        return await this.#correct(deed, remaining);
      case "void_recruits":
      case "restore_recruits":
        return await this.#correctRecruits(deed);
      case "approve":
      case "reject": {
        const { commission_id } = await this.#decisionOn(deed.payment);
        return await this.#call("POST", `/commissions/${commission_id}/${deed.kind}`, REASON);
      }
      case "manual":
        return await this.#addManual(deed);
      case "change_id":
        return await this.#changeId(deed);
      case "run":
        return await this.#run();
      case "move":
        return await this.#move(deed);
      case "return":
        return await this.#return();
      case "sign_up":
        return await this.#signUp(deed);
      case "move_customer":
      case "credit":
      case "stop_customer":
        return await this.#override(deed);
      case "resume":
      case "undo":
        return await this.#call("POST", `/overrides/${this.#overrides[deed.override]}/${deed.kind}`, REASON);
      case "rerun":
        return await this.#rerun(deed.payment);
      case "adjust":
        return await this.#adjust(deed);
      case "set_adjustment":
        return await this.#call("PUT", `/adjustments/${this.#adjustments[deed.adjustment]}`, {
          payout_status: deed.voided ? "voided" : "not_paid",
        });
    }
  }

  async #refer({ customer, affiliate }: Deed & { kind: "refer" }): Promise<string> {
    const by_id = this.#history.customers[customer] !== "guest";
    return await this.#call("POST", "/referrals", {
      affiliate_id: this.program.affiliates[affiliate],
      email: customerEmail(customer),
      ...(by_id ? { processor_customer_id: customerId(customer) } : {}),
    });
  }

  async #signUp({ customer, click, signed }: Deed & { kind: "sign_up" }): Promise<string> {
    const { organization, clicks, signup_secret: secret } = this.program;
    const click_id = clicks[click] ?? "";
    const email = customerEmail(customer);
    const body = {
      key: organization.publishable_key,
      click_id,
      email,
      ...(signed ? { signature: signatureOf({ secret, click_id, email }) } : {}),
    };
    const { status } = await post(`${organization.url}/track/signup`, body);
    return status === 200 ? "done" : String(status);
  }

  /** Returns the outcome. */
  async #convert({
    customer,
    name: kind,
    by,
    click,
    hours_ago,
  }: Deed & { kind: "convert" }): Promise<string> {
    const { organization, clicks } = this.program;
    const occurred_at = new Date(this.program.start - hours_ago * HOUR).toISOString();
    const answer: ApiResponse = await organization.rest("POST", "/conversions", {
      kind,
      ...(by === "id" ? { processor_customer_id: customerId(customer) } : { email: customerEmail(customer) }),
      ...(by === "click" ? { click_id: clicks[click] } : {}),
      ...(hours_ago === 0 ? {} : { occurred_at }),
    });
    if (answer.status !== 200) return answer.body.error?.code ?? String(answer.status);
    return `conversion: ${answer.body.data.outcome}`;
  }

  async #correct(
    deed: Deed & { kind: "correct" | "void" | "restore" | "keep_voided" },
    remaining: number,
  ): Promise<string> {
    const decision = await this.#decisionOn(deed.payment);
    const path = `/commissions/${decision.commission_id}`;
    if (deed.kind === "correct") {
      const amount = Math.round((remaining * deed.percent) / 100) / unitOf(decision.currency);
      return await this.#call("PUT", path, { commission_amount: amount });
    }
    if (deed.kind === "keep_voided") return await this.#call("PUT", path, { stays_voided: deed.stays });
    return await this.#call("PUT", path, { payout_status: deed.kind === "void" ? "voided" : "not_paid" });
  }

  async #correctRecruits({
    kind,
    payment,
  }: Deed & { kind: "void_recruits" | "restore_recruits" }): Promise<string> {
    const { commission_id } = await this.#decisionOn(payment);
    const { data } = await this.program.organization.trpc.commissions.list.query({
      for_recruits: true,
      limit: 100,
    });
    const line = data.find(({ recruit_commission_id }) => recruit_commission_id === commission_id);
    return await this.#call("PUT", `/commissions/${line?.id}`, {
      payout_status: kind === "void_recruits" ? "voided" : "not_paid",
    });
  }

  async #decisionOn(payment: number) {
    const { data } = await this.program.staff.payment_decisions.list.query({
      processor_payment_id: paymentId(this.#history, payment),
      limit: 1,
    });
    const [decision] = data;
    if (decision === undefined) throw new Error(`no decision on payment ${payment}`);
    return decision;
  }

  async #rerun(payment: number): Promise<string> {
    const { id } = await this.#decisionOn(payment);
    await this.program.staff.payment_decisions.rerun.mutate({ id });
    return "done";
  }

  async #addManual(deed: Deed & { kind: "manual" }): Promise<string> {
    const { customer, payment, by_other_name, amount, days_ago } = deed;
    const { start } = this.program;
    const unit = unitOf(this.#history.currency);
    return await this.#call("POST", "/commissions", {
      referral_id: await this.#referralOf(customer),
      revenue_amount: (amount * 2) / unit,
      commission_amount: amount / unit,
      ...(days_ago === 0 ? {} : { referral_date: new Date(start - days_ago * 86_400_000).toISOString() }),
      ...(payment === null ? {} : { processor_payment_id: this.#nameOf(payment, by_other_name) }),
    });
  }

  #nameOf(payment: number, by_other_name: boolean): string {
    const other = by_other_name ? otherPaymentId(this.#history, payment) : null;
    return other ?? paymentId(this.#history, payment);
  }

  async #referralOf(customer: number): Promise<string> {
    for (const email of [customerEmail(customer), newEmail(customer)]) {
      const path = `/referrals?email=${encodeURIComponent(email)}`;
      const { body } = await this.program.organization.rest("GET", path);
      if (body.data.length > 0) return body.data[0].id;
    }
    return "none";
  }

  async #override(deed: Deed & { kind: "move_customer" | "credit" | "stop_customer" }): Promise<string> {
    const { organization, affiliates } = this.program;
    const [path, body] =
      deed.kind === "credit"
        ? [
            `/affiliates/${affiliates[deed.affiliate]}/credit`,
            {
              processor_payment_id: paymentId(this.#history, deed.payment),
              past_payments: deed.past_payments,
            },
          ]
        : [`/referrals/${await this.#referralOf(deed.customer)}/${PATHS[deed.kind]}`, this.#moved(deed)];
    const answer: ApiResponse = await organization.rest("POST", path, { ...REASON, ...body });
    if (answer.status !== 200) return answer.body.error?.code ?? String(answer.status);
    this.#overrides.push(answer.body.data.override.id);
    return "done";
  }

  #moved(deed: Deed & { kind: "move_customer" | "stop_customer" }): object {
    if (deed.kind === "stop_customer") return {};
    const { affiliate, unpaid_commissions } = deed;
    return { affiliate_id: this.program.affiliates[affiliate], unpaid_commissions };
  }

  async #changeId({ customer }: Deed & { kind: "change_id" }): Promise<string> {
    const path = `/referrals/${await this.#referralOf(customer)}`;
    return await this.#call("PUT", path, { processor_customer_id: newCustomerId(customer) });
  }

  async #adjust({ affiliate, amount, currency }: Deed & { kind: "adjust" }): Promise<string> {
    const answer: ApiResponse = await this.program.organization.rest("POST", "/adjustments", {
      affiliate_id: this.program.affiliates[affiliate],
      amount: amount / unitOf(currency ?? this.#history.currency),
      ...(currency === null ? {} : { currency }),
      ...REASON,
    });
    if (answer.status !== 200) return answer.body.error?.code ?? String(answer.status);
    this.#adjustments.push(answer.body.data.id);
    return "done";
  }

  /** Each run is for another month. */
  async #run(): Promise<string> {
    this.#runs += 1;
    const period = `2001-${String(this.#runs).padStart(2, "0")}`;
    await this.program.staff.payout_runs.start.mutate({ period });
    await payRuns(this.#worked, this.program);
    return "done";
  }

  async #move({ status }: Deed & { kind: "move" }): Promise<string> {
    const { staff } = this.program;
    const from = status === "processing" ? ["pending"] : ["pending", "processing"];
    const ids: string[] = [];
    for (const open of from) ids.push(...(await this.#payouts(open)));
    if (ids.length === 0) return "no open payouts";
    await staff.payouts.move.mutate({ ids, status, through_processing: status === "paid" });
    return "done";
  }

  async #return(): Promise<string> {
    const ids = await this.#payouts("paid");
    if (ids.length === 0) return "no paid payouts";
    await this.program.staff.payouts.move.mutate({ ids, status: "failed" });
    return "done";
  }

  async #payouts(status: string): Promise<string[]> {
    const { body } = await this.program.organization.rest("GET", `/payouts?status=${status}&limit=100`);
    return body.data.map(({ id }: { id: string }) => id);
  }

  async #call(method: string, path: string, body: object): Promise<string> {
    return await update(this.program, method, path, body);
  }
}
