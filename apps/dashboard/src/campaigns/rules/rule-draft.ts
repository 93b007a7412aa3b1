import type { BillingInterval, CommissionRule } from "@findersfee/contract/campaigns/rules";
import { newKey } from "../../requests/new-key.ts";

/** The most rules that the service takes. */
export const MOST_RULES = 50;

type Conditions = CommissionRule["conditions"];
export type RewardType = CommissionRule["reward"]["type"];

export interface RangeDraft {
  from: string;
  to: string;
}

/** The conditions that a person has added, as they are typed. Lists have one value a line, or several with commas. */
export interface ConditionsDraft {
  products?: string;
  intervals?: BillingInterval[];
  payments?: RangeDraft;
  months?: RangeDraft;
  countries?: string;
  currencies?: string;
  amount?: { currency: string; from: string; below: string };
  metadata?: { key: string; values: string };
  promo_codes?: string;
  /** The ids of the campaign's tiers. */
  tiers?: string[];
  tags?: string;
}

/** A condition that the form adds and changes. */
export type ConditionName = keyof ConditionsDraft;

export interface AmountDraft {
  /** Identifies the row on the page. */
  key: string;
  currency: string;
  amount: string;
}

/** A rule as a form edits it. */
export interface RuleDraft {
  /** Identifies the rule on the page. */
  key: string;
  /** Null: it is new. */
  id: string | null;
  name: string;
  type: RewardType;
  /** Percent. */
  amount: string;
  amounts: AmountDraft[];
  conditions: ConditionsDraft;
}

/** A rule as the service takes it. */
export interface WrittenRule {
  id?: string;
  name: string | null;
  conditions: Conditions;
  reward: CommissionRule["reward"];
}

export function newRule(currency: string): RuleDraft {
  return {
    key: newKey(),
    id: null,
    name: "",
    type: "percentage",
    amount: "",
    amounts: [{ key: newKey(), currency, amount: "" }],
    conditions: {},
  };
}

/** The same rule once more, as a new one. */
export const copyOf = (rule: RuleDraft): RuleDraft => ({ ...rule, key: newKey(), id: null });

export function ruleDraftOf({ id, name, conditions, reward }: CommissionRule): RuleDraft {
  return {
    key: id,
    id,
    name: name ?? "",
    type: reward.type,
    amount: reward.amount === null ? "" : String(reward.amount),
    amounts: reward.amounts.map(({ currency, amount }) => ({
      key: currency,
      currency,
      amount: String(amount),
    })),
    conditions: conditionsDraftOf(conditions),
  };
}

function conditionsDraftOf(conditions: Conditions): ConditionsDraft {
  const { products, intervals, payments, months, countries, currencies, amount, metadata, promo_codes } =
    conditions;
  return {
    ...(conditions.tiers && { tiers: conditions.tiers }),
    ...(products && { products: products.join("\n") }),
    ...(intervals && { intervals }),
    ...(payments && { payments: rangeDraftOf(payments) }),
    ...(months && { months: rangeDraftOf(months) }),
    ...(countries && { countries: countries.join(", ") }),
    ...(currencies && { currencies: currencies.join(", ") }),
    ...(amount && {
      amount: { currency: amount.currency, from: textOf(amount.from), below: textOf(amount.below) },
    }),
    ...(metadata && { metadata: { key: metadata.key, values: metadata.values.join("\n") } }),
    ...(promo_codes && { promo_codes: promo_codes.join(", ") }),
    ...(conditions.tags && { tags: conditions.tags.join(", ") }),
  };
}

const rangeDraftOf = ({ from, to }: { from?: number | undefined; to?: number | undefined }): RangeDraft => ({
  from: textOf(from),
  to: textOf(to),
});

/** The rule, with NaN, which the service refuses, for texts that are no number. */
export function ruleOf({ id, name, type, amount, amounts, conditions }: RuleDraft): WrittenRule {
  return {
    ...(id !== null && { id }),
    name: name.trim() === "" ? null : name.trim(),
    conditions: conditionsOf(conditions),
    reward: {
      type,
      amount: type === "percentage" ? numberOf(amount) : null,
      amounts:
        type === "fixed"
          ? amounts.map((item) => ({ currency: item.currency, amount: numberOf(item.amount) }))
          : [],
    },
  };
}

function conditionsOf(draft: ConditionsDraft): Conditions {
  const { products, intervals, payments, months, countries, currencies, amount, metadata, promo_codes } =
    draft;
  return {
    ...(draft.tiers && { tiers: draft.tiers }),
    ...(products !== undefined && { products: valuesOf(products) }),
    ...(intervals && { intervals }),
    ...(payments && { payments: rangeOf(payments) }),
    ...(months && { months: rangeOf(months) }),
    ...(countries !== undefined && { countries: codesOf(countries) }),
    ...(currencies !== undefined && { currencies: codesOf(currencies) }),
    ...(amount && {
      amount: {
        currency: amount.currency,
        ...numbersIn({ from: amount.from, below: amount.below }),
      },
    }),
    ...(metadata && { metadata: { key: metadata.key.trim(), values: linesOf(metadata.values) } }),
    ...(promo_codes !== undefined && { promo_codes: valuesOf(promo_codes) }),
    ...(draft.tags !== undefined && { tags: valuesOf(draft.tags).map((tag) => tag.toLowerCase()) }),
  };
}

const rangeOf = ({ from, to }: RangeDraft) => numbersIn({ from, to });

/** The numbers of the texts that are not empty. */
function numbersIn<Name extends string>(texts: Record<Name, string>): Partial<Record<Name, number>> {
  const typed = (Object.keys(texts) as Name[]).filter((name) => texts[name].trim() !== "");
  return Object.fromEntries(typed.map((name) => [name, numberOf(texts[name])])) as Partial<
    Record<Name, number>
  >;
}

const textOf = (number: number | undefined) => (number === undefined ? "" : String(number));

export function numberOf(text: string): number {
  const plain = text.trim().replace(",", ".");
  return plain === "" ? Number.NaN : Number(plain);
}

/** The fields of conditions that have several. */
const PARTS: Partial<Record<ConditionName, string>> = {
  payments: "from to",
  months: "from to",
  amount: "from below currency",
  metadata: "key values",
};

/** The paths of all fields that its form has, within the rule. */
export function fieldPaths({ amounts, conditions }: RuleDraft): string[] {
  const of_amounts = amounts.flatMap((_, index) =>
    ["amount", "currency"].map((field) => `reward.amounts[${index}].${field}`),
  );
  const of_conditions = (Object.keys(conditions) as ConditionName[]).flatMap((name) =>
    ["", ...(PARTS[name]?.split(" ") ?? [])].map(
      (part) => `conditions.${name}${part === "" ? "" : `.${part}`}`,
    ),
  );
  return ["id", "name", "reward.type", "reward.amount", "reward.amounts", ...of_amounts, ...of_conditions];
}

const trimmed = (values: readonly string[]) => values.map((value) => value.trim()).filter(Boolean);

export const valuesOf = (text: string): string[] => trimmed(text.split(/[\n,]/));

/** Values of metadata can contain commas. */
const linesOf = (text: string): string[] => trimmed(text.split("\n"));

/** Codes of countries and currencies. */
const codesOf = (text: string): string[] => trimmed(text.toUpperCase().split(/[\s,]/));
