import { transaction } from "@findersfee/database/connect";
import { lockPayments } from "@findersfee/database/processor-work";
import { newId } from "@findersfee/domain/ids";
import type { Program } from "./program.ts";

/** Pays out about half of what is unpaid, as payouts will: their rows, and which commissions are in them. */
export async function payOut({ context, organization_id }: Program): Promise<void> {
  await transaction(context.database, async (sql) => {
    await lockPayments(sql, organization_id);
    const due = await sql<{ affiliate_id: string; currency: string; ids: string[]; amount: string }[]>`
      select affiliate_id, currency, array_agg(id::text) as ids, sum(commission_minor)::text as amount
      from commission_states
      where organization_id = ${organization_id} and payout_status = 'not_paid'
        and hashtext(processor_payment_id) % 2 = 0
      group by affiliate_id, currency having sum(commission_minor) > 0`;
    for (const { affiliate_id, currency, ids, amount } of due) {
      const created_at = new Date();
      const payout = {
        organization_id,
        id: newId(created_at),
        affiliate_id,
        affiliate_name: "Any order",
        amount_minor: amount,
        currency,
        period: created_at.toISOString().slice(0, 7),
        payment_count: ids.length,
        status: "pending",
        method: "manual",
        status_at: created_at,
        status_by: "test",
        created_at,
      };
      await sql`insert into payouts ${sql(payout)}`;
      await sql`
        insert into payout_commissions (organization_id, affiliate_id, commission_id, payout_id)
        select ${organization_id}, ${affiliate_id}, unnest(${ids}::uuid[]), ${payout.id}`;
      await sql`update payouts set status = 'paid' where id = ${payout.id}`;
    }
  });
}
