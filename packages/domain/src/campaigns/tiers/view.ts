import type { Tiers } from "@findersfee/contract/campaigns/tiers";
import type { StoredRule } from "@findersfee/database/campaigns/rule-sets";
import type { TiersRow } from "@findersfee/database/rows";
import { toMajor } from "../../money.ts";
import { viewReward } from "../rules/view.ts";

/** The tiers of a campaign as the API shows them, in the order of the schema. `rules`: all of its stored ones. */
export function viewTiers(
  tiers: TiersRow | null,
  { rules, currency }: { rules: readonly StoredRule[]; currency: string },
): Tiers | null {
  if (tiers === null) return null;
  const { measure, period, steps } = tiers;
  return {
    measure,
    period,
    steps: steps.map(({ id, name, from, bonus }) => {
      const rule = rules.find((one) => one.id === id);
      return {
        id,
        name,
        from: viewNumber(BigInt(from), { measure, currency }),
        commission: rule === undefined ? null : viewReward(rule.reward),
        bonus: bonus === null ? null : toMajor(BigInt(bonus), currency),
      };
    }),
  };
}

/** A stored number: customers, or major units of the organization's currency. */
export function viewNumber(
  number: bigint,
  { measure, currency }: Pick<TiersRow, "measure"> & { currency: string },
): number {
  return measure === "customers" ? Number(number) : toMajor(number, currency);
}

/** The rules of a campaign without its tiers' rules. */
export function withoutTiers(rules: readonly StoredRule[], tiers: TiersRow | null): StoredRule[] {
  const ids = new Set(tiers?.steps.map(({ id }) => id));
  return rules.filter(({ id }) => !ids.has(id));
}
