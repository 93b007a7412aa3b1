import type { Onboarding } from "@findersfee/contract/onboarding";
import { readOnboarding } from "@findersfee/database/onboarding/onboarding";
import { outcomeName } from "../attribution/view.ts";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";

const iso = (time: string) => new Date(time).toISOString();

/** The first steps of an organization, each with the last fact seen, in one statement. */
export async function getOnboarding({ database, organization }: Context): Promise<Onboarding> {
  const row = await readOnboarding(database, organization.id);
  const { click, payment, commission } = row;
  return {
    dismissed_at: row.dismissed_at?.toISOString() ?? null,
    is_test: row.test_of !== null,
    publishable_key: row.publishable_key,
    test_data: row.test_data,
    campaign: row.campaign,
    affiliate: row.affiliate,
    click: click === null ? null : { ...click, clicked_at: iso(click.clicked_at) },
    connections: row.connections.map(({ name, livemode, refused_at, refused_reason: reason, message }) => ({
      name,
      livemode,
      refused: refused_at === null || reason === null ? null : { at: iso(refused_at), reason },
      message: message === null ? null : { ...message, received_at: iso(message.received_at) },
    })),
    payment:
      payment === null
        ? null
        : { ...payment, outcome: outcomeName.parse(payment.outcome), paid_at: iso(payment.paid_at) },
    commission:
      commission === null
        ? null
        : {
            id: commission.id,
            currency: commission.currency,
            commission_amount: toMajor(BigInt(commission.commission_minor), commission.currency),
          },
  };
}
