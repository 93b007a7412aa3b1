import type { CommissionRuleInput } from "@findersfee/contract/campaigns/rules";

type Reward = CommissionRuleInput["reward"];

export const NOTHING: Reward = { type: "nothing", amount: null, amounts: [] };

export const percent = (amount: number): Reward => ({ type: "percentage", amount, amounts: [] });

/** Major units by currency. */
export const fixed = (amounts: Record<string, number>): Reward => ({
  type: "fixed",
  amount: null,
  amounts: Object.entries(amounts).map(([currency, amount]) => ({ currency, amount })),
});

export function rule(
  conditions: CommissionRuleInput["conditions"],
  reward: Reward,
  name: string | null = null,
): CommissionRuleInput {
  return { name, conditions, reward };
}
