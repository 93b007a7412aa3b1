/* Question: is an affiliate's balance as fast with 100,000 commissions? */
import { listBalances } from "@findersfee/domain/ledger/list-balances";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf, makeProgram } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, type Verdict } from "../table.ts";
import { fillPayees } from "./fill.ts";

const MAX_MS = 5;
const TIMES = 200;
/** Over two years; the newest 15 days are held. */
const DAYS = 730;

/** Question 2. */
export async function measureBalance(bench: Bench): Promise<Verdict[]> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  const commissions_each = bench.quick ? 20_000 : 100_000;
  return await withConnection(program.database_url, async (database) => {
    await fillPayees(database, program, { affiliates: 1, commissions_each, days: DAYS });
    const context = contextOf(database, program.organization_id);
    const [payee] = await database<{ affiliate_id: string }[]>`select affiliate_id from balances`;
    const times: number[] = [];
    for (let time = 0; time < TIMES; time++) {
      const began = performance.now();
      const balances = await listBalances(context, payee?.affiliate_id ?? "");
      times.push(performance.now() - began);
      const earned = balances[0]?.earned;
      if (earned !== commissions_each * 30) throw new Error(`unexpected balance ${earned}`);
    }
    const median = spread(times).median;
    return [
      {
        question: `2 balance of an affiliate with ${commissions_each} commissions`,
        measured: `${fine(median)} ms`,
        limit: "",
        ratio: "",
        target: `<= ${MAX_MS} ms`,
        met: median <= MAX_MS,
      },
    ];
  });
}
