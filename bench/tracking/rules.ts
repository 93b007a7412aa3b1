/*
 * Question: do commission rules slow payments down? Processes invoices of referred customers by a campaign with as many rules as it may
 * have, none of which matches before the last one, and by one without any.
 */
import { MAX_RULES } from "@findersfee/contract/campaigns/rules";
import type { Database } from "@findersfee/database/postgres/connect";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf, makeProgram } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { Payments, processAlone } from "./process-payments.ts";

const MIN_RATIO = 0.8;

type Rules = NonNullable<Parameters<typeof updateCampaign>[1]["rules"]>;

/** Each kind of condition in turn. */
const CONDITIONS: ((number: number) => Rules[number]["conditions"])[] = [
  (number) => ({ products: [`prod_${number}`], intervals: ["year"] }),
  (number) => ({ payments: { from: 1_000 + number } }),
  (number) => ({ months: { from: 100 + number } }),
  () => ({ countries: ["AQ"] }),
  () => ({ currencies: ["JPY"] }),
  (number) => ({ amount: { currency: "USD", from: 1_000 + number } }),
  (number) => ({ metadata: { key: `key_${number % 10}`, values: ["value"] } }),
  (number) => ({ promo_codes: [`CODE${number}`] }),
];

function rules(): Rules {
  const reward = { type: "percentage" as const, amount: 20, amounts: [] };
  return Array.from({ length: MAX_RULES }, (_, number) => {
    const is_last = number === MAX_RULES - 1;
    const conditions = is_last ? {} : (CONDITIONS[number % CONDITIONS.length]?.(number) ?? {});
    return { name: `Rule ${number}`, conditions, reward };
  });
}

/** Question 7. */
export async function measureRules(bench: Bench): Promise<Verdict[]> {
  return await withSide(bench, [], async (without) => {
    return await withSide(bench, rules(), async (with_rules) => {
      const rounds: { without: number; with_rules: number }[] = [];
      for (let round = 0; round <= (bench.quick ? 3 : 7); round++) {
        const result = {
          without: await without.workOff(processAlone),
          with_rules: await with_rules.workOff(processAlone),
        };
        if (round > 0) rounds.push(result);
      }
      bench.print(
        formatTable([
          ["payments without rules, /s", `with ${MAX_RULES}`, "ratio"],
          ...rounds.map((item) => [
            whole(item.without),
            whole(item.with_rules),
            fine(item.with_rules / item.without),
          ]),
        ]),
      );
      const ratio = spread(rounds.map((item) => item.with_rules / item.without)).median;
      return [
        {
          question: `7 payments with ${MAX_RULES} rules`,
          measured: `${whole(spread(rounds.map((item) => item.with_rules)).median)}/s`,
          limit: `${whole(spread(rounds.map((item) => item.without)).median)}/s without`,
          ratio: fine(ratio),
          target: `>= ${MIN_RATIO}`,
          met: ratio >= MIN_RATIO,
        },
      ];
    });
  });
}

async function withSide<Result>(
  bench: Bench,
  campaign_rules: Rules,
  use: (payments: Payments) => Promise<Result>,
): Promise<Result> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  return await withConnection(program.database_url, async (database) => {
    const context = contextOf(database, program.organization_id);
    const campaigns = await database<{ id: string }[]>`select id from campaigns`;
    for (const { id } of campaigns) await updateCampaign(context, { id, rules: campaign_rules });
    return await use(new Payments(database satisfies Database, program, bench.quick ? 2_000 : 6_000));
  });
}
