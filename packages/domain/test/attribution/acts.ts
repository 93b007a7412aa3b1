/* Acts of people on a program's customers, commissions and payouts, by the operations. */
import fc from "fast-check";
import {
  creditPayment,
  moveCustomer,
  resumeCustomer,
  stopCustomer,
  undoOverride,
} from "../../src/attribution/overrides/make.ts";
import { createCommission } from "../../src/commissions/create.ts";
import { updateCommission } from "../../src/commissions/update.ts";
import { DomainError } from "../../src/errors.ts";
import { createAdjustment } from "../../src/ledger/adjustments/create.ts";
import { releaseOne, type World } from "./any-order-world.ts";
import { PARTNERS } from "./customer-stories.ts";
import { payOut } from "./program.ts";

const chosen = fc.nat({ max: 1_000 });
const partner = fc.nat({ max: PARTNERS - 1 });

const move = fc.record({
  does: fc.constant("move" as const),
  chosen,
  partner,
  unpaid_commissions: fc.boolean(),
});
const credit = fc.record({
  does: fc.constant("credit" as const),
  chosen,
  partner,
  past_payments: fc.boolean(),
});
const override = fc.oneof(
  { weight: 3, arbitrary: move },
  { weight: 3, arbitrary: credit },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("stop" as const), chosen }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("resume" as const), chosen }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("undo" as const), chosen }) },
);
const money = fc.oneof(
  fc.record({
    does: fc.constant("pay" as const),
    status: fc.constantFrom("paid" as const, "pending" as const),
  }),
  fc.record({ does: fc.constant("release" as const), chosen }),
  fc.record({ does: fc.constant("adjust" as const), partner, amount: fc.constantFrom(25, -40) }),
);
const commission = fc.oneof(
  fc.record({ does: fc.constant("void" as const), chosen }),
  fc.record({ does: fc.constant("restore" as const), chosen }),
  fc.record({ does: fc.constant("correct" as const), chosen, amount: fc.constantFrom(1, 12.34) }),
  fc.record({
    does: fc.constant("create" as const),
    chosen,
    amount: fc.constantFrom(5, 11),
    /** The payment that it is for, if any. */
    payment: fc.option(chosen),
  }),
);

type ActOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer One> ? One : never;
export type Act = ActOf<typeof override> | ActOf<typeof money> | ActOf<typeof commission>;

/** Overrides, and payouts between them. */
export const override_acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: override }, { weight: 1, arbitrary: money }),
  { minLength: 1, maxLength: 6 },
);

/** Everything that people do. */
export const all_acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: override },
    { weight: 2, arbitrary: money },
    { weight: 3, arbitrary: commission },
  ),
  { minLength: 1, maxLength: 8 },
);

const REASON = { reason: "agreed on the phone", dry_run: false };

/** The knowledge of acts about the world. */
export interface Acting {
  /** The ids of the overrides so far, in the order in which they were made. */
  made: string[];
  /** Payments that get no manual commission, in any world. */
  withdrawn?: ReadonlySet<string>;
}

/**
 * Performs an act that chooses by the shown data of a world. In worlds with the same data it chooses the
 * same, although the ids differ.
 */
export async function perform(world: World, act: Act, acting: Acting): Promise<string> {
  return await attempt(world, act, acting).catch((error: unknown) => {
    if (error instanceof DomainError && error.code !== "internal_error") return error.code;
    throw error;
  });
}

/**
 * The payments that earned before a later report showed that they earn nothing. Their void commissions keep them, so that
 * `commission_exists` depends on the order of the reports.
 */
export async function withdrawnPayments({ context: { database, organization } }: World): Promise<string[]> {
  const rows = await database<{ payment_id: string }[]>`
    select payment_id from payment_decisions
    where organization_id = ${organization.id} and replaced_at is null
      and outcome <> 'commission' and commission_id is not null`;
  return rows.map(({ payment_id }) => payment_id);
}

async function attempt(world: World, act: Act, acting: Acting): Promise<string> {
  const { context, affiliates } = world;
  const { made } = acting;
  switch (act.does) {
    case "move":
    case "credit":
    case "stop":
      return await decide(world, act, made);
    case "resume":
    case "undo": {
      const change = act.does === "resume" ? resumeCustomer : undoOverride;
      await change(context, { ...REASON, id: pick(made, act.chosen) });
      return "done";
    }
    case "pay":
      await payOut(context, act.status);
      return "done";
    case "release":
      await releaseOne(context, act.chosen);
      return "done";
    case "adjust":
      await createAdjustment(context, {
        affiliate_id: pick(affiliates, act.partner),
        amount: act.amount,
        reason: "agreed on the phone",
      });
      return "done";
    default:
      return await change(world, act, acting);
  }
}

async function decide(
  world: World,
  act: Extract<Act, { does: "move" | "credit" | "stop" }>,
  made: string[],
): Promise<string> {
  const { context, affiliates } = world;
  const make = async () => {
    if (act.does === "credit") {
      return await creditPayment(context, {
        ...REASON,
        processor_payment_id: pick(await paymentIds(world), act.chosen),
        affiliate_id: pick(affiliates, act.partner),
        past_payments: act.past_payments,
      });
    }
    const referral_id = pick(await referralIds(world), act.chosen);
    if (act.does === "stop") return await stopCustomer(context, { ...REASON, referral_id });
    const affiliate_id = pick(affiliates, act.partner);
    const { unpaid_commissions } = act;
    return await moveCustomer(context, { ...REASON, referral_id, affiliate_id, unpaid_commissions });
  };
  const { override } = await make();
  made.push(override?.id ?? "");
  return "done";
}

async function change(
  world: World,
  act: Extract<Act, { does: "void" | "restore" | "correct" | "create" }>,
  { withdrawn }: Acting,
): Promise<string> {
  const { context } = world;
  if (act.does === "create") {
    const ids = (act.payment === null ? [] : await paymentIds(world)).filter((id) => !withdrawn?.has(id));
    await createCommission(context, {
      referral_id: pick(await referralIds(world), act.chosen),
      revenue_amount: 50,
      commission_amount: act.amount,
      ...(act.payment !== null && { processor_payment_id: pick(ids, act.payment) }),
    });
    return "done";
  }
  const id = pick(await commissionIds(world), act.chosen);
  if (act.does === "correct") await updateCommission(context, { id, commission_amount: act.amount });
  else await updateCommission(context, { id, payout_status: act.does === "void" ? "voided" : "not_paid" });
  return "done";
}

/** An id that nothing has stands for a choice among none. */
const NOTHING = "00000000-0000-7000-8000-000000000000";

function pick(all: readonly string[], chosen: number): string {
  return all[chosen % all.length] ?? NOTHING;
}

async function referralIds({ context: { database, organization } }: World): Promise<string[]> {
  const rows = await database<{ id: string }[]>`
    select id from referrals
    where organization_id = ${organization.id} and replaced_at is null and email not like 'known%'
    order by signup_date, lower(email), processor_customer_id, attributed_by`;
  return rows.map(({ id }) => id);
}

async function paymentIds({ context: { database, organization } }: World): Promise<string[]> {
  const rows = await database<{ payment_id: string }[]>`
    select payment_id from payment_decisions
    where organization_id = ${organization.id} and replaced_at is null and payment_id not like 'known%'
    order by payment_id`;
  return rows.map(({ payment_id }) => payment_id);
}

/**
 * The commissions of payments and leads that earn, and manual ones, with those for recruits. A void one for a recruit may be of an
 * affiliate who had the payment only in between, which depends on the order of the reports.
 */
async function commissionIds({ context: { database, organization } }: World): Promise<string[]> {
  const rows = await database<{ id: string }[]>`
    select commission.id from commission_states commission
    cross join lateral (select coalesce(commission.recruit_commission_id, commission.id) as id) as root
    left join payment_decisions decision on decision.organization_id = commission.organization_id
      and decision.commission_id = root.id and decision.replaced_at is null
    left join leads lead on lead.organization_id = commission.organization_id and lead.commission_id = root.id
    left join referrals referral
      on referral.organization_id = commission.organization_id and referral.id = commission.referral_id
    where commission.organization_id = ${organization.id} and commission.reversal_of is null
      and not (commission.recruit_commission_id is not null and commission.voided)
      and coalesce(lead.outcome, 'commission') = 'commission'
      and (decision.outcome = 'commission' or not exists (
        select from payment_decisions decided
        where decided.organization_id = commission.organization_id and decided.commission_id = root.id
      ))
    order by decision.payment_id nulls last, commission.recruit_commission_id is not null, lead.kind nulls first,
      lead.occurred_at, case when lead.id is not null then lower(referral.email) end, commission.created_at, commission.id`;
  return rows.map(({ id }) => id);
}
