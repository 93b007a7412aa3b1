/*
 * Question: do signals of fraud slow payments down? Processes invoices of referred customers, each with a click, by a campaign that
 * flags all signals, and by one without any.
 */
import { signalNames } from "@findersfee/contract/attribution/signals";
import { NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import type { Database } from "@findersfee/database/postgres/connect";
import { CLICKS, makePartitions } from "@findersfee/database/postgres/partitions";
import { insertClicks } from "@findersfee/database/tracking/clicks";
import { insertAffiliateNetworks } from "@findersfee/database/tracking/networks";
import { updateCampaign } from "@findersfee/domain/campaigns/update";
import { newId } from "@findersfee/domain/ids";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { contextOf, makeProgram, type Program } from "../program.ts";
import { spread } from "../rounds.ts";
import { fine, formatTable, type Verdict, whole } from "../table.ts";
import { Payments, processAlone } from "./process-payments.ts";

const MIN_RATIO = 0.8;
/** Clicks in the same minutes as the customers', so that a minute has as many as a busy program's. */
const OTHER_CLICKS_EACH = 4;

/** Question 7, for signals. */
export async function measureSignals(bench: Bench): Promise<Verdict[]> {
  return await withSide(bench, false, async (without) => {
    return await withSide(bench, true, async (with_signals) => {
      const rounds: { without: number; with_signals: number }[] = [];
      for (let round = 0; round <= (bench.quick ? 3 : 7); round++) {
        const result = {
          without: await without.workOff(processAlone),
          with_signals: await with_signals.workOff(processAlone),
        };
        if (round > 0) rounds.push(result);
      }
      bench.print(
        formatTable([
          ["payments without signals, /s", `with all ${signalNames.length}`, "ratio"],
          ...rounds.map((item) => [
            whole(item.without),
            whole(item.with_signals),
            fine(item.with_signals / item.without),
          ]),
        ]),
      );
      const ratio = spread(rounds.map((item) => item.with_signals / item.without)).median;
      return [
        {
          question: `7 payments with all ${signalNames.length} signals`,
          measured: `${whole(spread(rounds.map((item) => item.with_signals)).median)}/s`,
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
  has_signals: boolean,
  use: (payments: Payments) => Promise<Result>,
): Promise<Result> {
  const program = await makeProgram(await bench.server.createDatabase(), 0);
  return await withConnection(program.database_url, async (database) => {
    const context = contextOf(database, program.organization_id);
    const flagged = Object.fromEntries(signalNames.map((name) => [name, "flag" as const]));
    const signals = { ...NO_SIGNALS, ...flagged, referrers: ["coupons.example.com"] };
    const campaigns = await database<{ id: string }[]>`select id from campaigns`;
    if (has_signals) for (const { id } of campaigns) await updateCampaign(context, { id, signals });
    const click_ids = await insertEvidence(database, program);
    return await use(new Payments(database, program, bench.quick ? 2_000 : 6_000, click_ids));
  });
}

/** A click of each referral within the last half hour among others, and a network of each affiliate; returns the clicks' ids. */
async function insertEvidence(database: Database, program: Program): Promise<string[]> {
  const { organization_id, affiliate_ids, referral_ids } = program;
  await makePartitions(database, CLICKS, { ahead: 0 });
  const now = Date.now();
  const clicks = Array.from({ length: referral_ids.length * (1 + OTHER_CLICKS_EACH) }, (_, number) => {
    const clicked_at = new Date(now - 60_000 - (number % 1_800) * 1_000);
    return {
      organization_id,
      id: newId(clicked_at),
      affiliate_id: affiliate_ids[number % affiliate_ids.length] ?? "",
      code: `jane-${number % affiliate_ids.length}`,
      visitor_hash: number.toString(16).padStart(32, "0"),
      network_hash: number.toString(16).padStart(32, "0"),
      landing_url: "https://example.com/pricing",
      referrer: "https://blog.example.com/",
      sub_id: null,
      country: null,
      clicked_at,
    };
  });
  for (let from = 0; from < clicks.length; from += 500) {
    await insertClicks(database, clicks.slice(from, from + 500));
  }
  const networks = affiliate_ids.map((affiliate_id) => ({
    organization_id,
    affiliate_id,
    network_hash: "f".repeat(32),
  }));
  await insertAffiliateNetworks(database, networks, new Date(now));
  await database`vacuum analyze`;
  return clicks.slice(0, referral_ids.length).map(({ id }) => id);
}
