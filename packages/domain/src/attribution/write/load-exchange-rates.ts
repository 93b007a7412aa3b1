import type { StoredRule } from "@findersfee/database/campaigns/rule-sets";
import {
  convertsFixedAmounts,
  type ExchangeRateRow,
  findExchangeRates,
} from "@findersfee/database/exchange-rates";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { OrganizationContext } from "../../context.ts";
import { BASE_CURRENCY, type ExchangeRate } from "../../exchange-rates/rate.ts";
import { groupBy } from "../../group-by.ts";
import type { PaymentMade } from "../facts/payment-fact.ts";
import type { StoredFact } from "../facts/stored-fact.ts";

/** The stored rates for converting the fixed amounts of some customers' payments. */
export interface LoadedExchangeRates {
  /** The organization's setting. False also if no payment is in another currency. */
  converts_fixed_amounts: boolean;
  /** The rates that count for a payment. */
  exchangeRatesOf: (payment: PaymentMade) => readonly ExchangeRate[];
}

/** Reads the setting and rates for payments in other currencies than fixed amounts, which few customers have. */
export async function loadExchangeRates(
  sql: Connection,
  { id, currency }: Pick<OrganizationContext, "id" | "currency">,
  { facts, rules }: { facts: readonly StoredFact[]; rules: readonly StoredRule[] },
): Promise<LoadedExchangeRates> {
  const fixed = [...new Set([currency, ...rules.flatMap(currenciesOf)])];
  const foreign = facts.filter(({ fact }) => {
    return (
      (fact.kind === "payment" || fact.kind === "charge") && fixed.some((code) => code !== fact.currency)
    );
  });
  if (foreign.length === 0) return { converts_fixed_amounts: false, exchangeRatesOf: () => [] };
  const converts_fixed_amounts = await convertsFixedAmounts(sql, id);
  const converting = foreign.filter(({ snapshot }) => {
    return converts_fixed_amounts || snapshot.affiliates.some(({ terms }) => terms.converts_fixed_amounts);
  });
  const wanted = new Map<string, { currency: string; on_day: string }>();
  for (const { fact, snapshot } of converting) {
    if (fact.kind !== "payment" && fact.kind !== "charge") continue;
    const on_day = dayOf(fact.paid_at);
    const kept = new Set(snapshot.exchange_rates?.map((rate) => rate.currency));
    for (const code of [...fixed, fact.currency]) {
      if (code !== BASE_CURRENCY && !kept.has(code))
        wanted.set(`${on_day} ${code}`, { currency: code, on_day });
    }
  }
  const known = groupBy(await findExchangeRates(sql, id, [...wanted.values()]), ({ on_day }) => on_day);
  return {
    converts_fixed_amounts,
    exchangeRatesOf: ({ paid_at }) => (known.get(dayOf(paid_at)) ?? []).map(rateOf),
  };
}

/**
 * The rates that a decision has used, and the rates of further currencies: the payment may move to an
 * affiliate with rules that have fixed amounts in these.
 */
export function withFurtherRates(
  used: readonly ExchangeRate[] = [],
  further: readonly ExchangeRate[],
): readonly ExchangeRate[] {
  return [...used, ...further.filter(({ currency }) => used.every((rate) => rate.currency !== currency))];
}

/** The currencies of a rule's fixed amounts. */
function currenciesOf({ reward }: StoredRule): string[] {
  return reward.type === "fixed" ? reward.amounts.map((amount) => amount.currency) : [];
}

/** The day of a time, in UTC. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function rateOf({ currency, rate, source, day }: ExchangeRateRow): ExchangeRate {
  return { currency, rate, source, day };
}
