import { newKey } from "../../requests/new-key.ts";
import type { Session } from "../../session/session.tsx";

type Campaign = Awaited<ReturnType<Session["api"]["dashboard"]["campaigns"]["get"]["query"]>>["campaign"];
type Tiers = NonNullable<Campaign["tiers"]>;
type Reward = NonNullable<Tiers["steps"][number]["commission"]>;

interface RateDraft {
  type: Campaign["commission_type"];
  amount: string;
}

/** A tier as it is typed. */
export interface TierStepDraft {
  key: string;
  /** Null: it is new. */
  id: string | null;
  name: string;
  from: string;
  /** An empty amount: as in the tier before. */
  rate: RateDraft;
  /** The currency of a fixed amount. */
  currency: string;
  /** A commission that the form cannot show, until a person types another one. */
  other: Reward | null;
  /** Empty: none. */
  bonus: string;
}

export interface TiersDraft {
  measure: Tiers["measure"];
  period: Tiers["period"];
  /** Empty: the campaign has no tiers. */
  steps: TierStepDraft[];
}

export const NO_TIERS: TiersDraft = { measure: "customers", period: "month", steps: [] };

const NAMES = ["Silver", "Gold", "Platinum", "Diamond"];

export function newStep({ steps }: TiersDraft, currency: string): TierStepDraft {
  const name = NAMES.find((one) => steps.every((step) => step.name !== one)) ?? "";
  const rate: RateDraft = { type: steps.at(-1)?.rate.type ?? "percentage", amount: "" };
  return { key: newKey(), id: null, name, from: "", rate, currency, other: null, bonus: "" };
}

export function tierDraftOf(tiers: Campaign["tiers"]): TiersDraft {
  if (tiers === null) return NO_TIERS;
  const { measure, period, steps } = tiers;
  return {
    measure,
    period,
    steps: steps.map(({ id, name, from, commission, bonus }) => ({
      key: id,
      id,
      name,
      from: String(from),
      ...shownRate(commission),
      bonus: bonus === null ? "" : String(bonus),
    })),
  };
}

function shownRate(commission: Reward | null): Pick<TierStepDraft, "rate" | "currency" | "other"> {
  const none = { rate: { type: "percentage" as const, amount: "" }, currency: "", other: commission };
  if (commission === null) return none;
  const { type, amount, amounts } = commission;
  const [first, ...more] = amounts;
  if (type === "percentage") return { ...none, rate: { type, amount: String(amount) }, other: null };
  if (type !== "fixed" || first === undefined || more.length > 0) return none;
  return { rate: { type, amount: String(first.amount) }, currency: first.currency, other: null };
}

/** The tiers that rules can ask for. Drafts that a tab has from before there were tiers have none. */
export function knownTiers({ steps }: TiersDraft = NO_TIERS): { id: string; name: string }[] {
  return steps.map(({ id, key, name }) => ({ id: id ?? key, name: name.trim() }));
}

/** The tiers as the service takes them. Drafts that a tab has from before there were tiers have none. */
export function tiersOf(
  { measure, period, steps }: TiersDraft = NO_TIERS,
  numberOf: (text: string) => number,
): Tiers | null {
  if (steps.length === 0) return null;
  return {
    measure,
    period,
    steps: steps.map(({ id, key, name, from, rate, currency, other, bonus }) => ({
      // Rules can ask for a new tier, too.
      id: id ?? key,
      name: name.trim(),
      from: numberOf(from),
      commission: rewardOf(rate, { currency, other, numberOf }),
      bonus: bonus.trim() === "" ? null : numberOf(bonus),
    })),
  };
}

function rewardOf(
  { type, amount }: RateDraft,
  {
    currency,
    other,
    numberOf,
  }: { currency: string; other: Reward | null; numberOf: (text: string) => number },
): Reward | null {
  if (amount.trim() === "") return other;
  if (type === "percentage") return { type, amount: numberOf(amount), amounts: [] };
  return { type, amount: null, amounts: [{ currency, amount: numberOf(amount) }] };
}
