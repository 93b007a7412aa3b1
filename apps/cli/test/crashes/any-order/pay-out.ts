import { transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { newId } from "@findersfee/domain/ids";
import { payDue, settlePayouts } from "@findersfee/domain/testing/postings";
import type { Program } from "./program.ts";

/** Pays out about half of the unpaid commissions, like a run that started when that half was due. */
export async function payOut({ context, organization_id }: Program): Promise<void> {
  await transaction(context.database, async (sql) => {
    await lockPayments(sql, organization_id);
    const made_at = new Date();
    const run_id = newId(made_at);
    const runs = await sql`
      insert into payout_runs (organization_id, id, period, cutoff_at, currency, method,
        started_by, created_at, finished_at, due_at)
      select ${organization_id}, ${run_id},
        (select to_char(date '2000-01-01' + count(*) * interval '1 month', 'YYYY-MM') from payout_runs
          where organization_id = ${organization_id}),
        percentile_disc(0.5) within group (order by due_at), 'USD', 'manual', 'test',
        now(), now(), null
      from unpaid_commissions where organization_id = ${organization_id} having count(*) > 0
      returning id`;
    // No commission is unpaid.
    if (runs.length === 0) return;
    await payDue(sql, organization_id, { run_id });
    await settlePayouts(sql, organization_id, { status: "paid" });
  });
}
