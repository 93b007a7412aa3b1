import {
  lockOnboardingDismissal,
  dismissOnboarding as updateRow,
} from "@findersfee/database/onboarding/onboarding";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { inTransaction } from "../transaction.ts";

/** Puts the first steps away for all people of the organization, or shows them again. */
export async function dismissOnboarding(context: Context, dismissed: boolean): Promise<void> {
  const { id } = context.organization;
  await inTransaction(context, async (sql) => {
    const before = await lockOnboardingDismissal(sql, id);
    if ((before !== null) === dismissed) return;
    await updateRow(sql, id, dismissed ? new Date() : null);
    await writeAuditEntry(sql, context, {
      resource: "organization",
      id,
      action: "updated",
      before: { first_steps_dismissed: !dismissed },
      after: { first_steps_dismissed: dismissed },
    });
  });
}
