import { stateOf } from "../../src/affiliates/state.ts";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import type { AffiliateSession } from "../../src/principal.ts";
import { click, report } from "../attribution/program.ts";
import { checkout, payment } from "../attribution/reported.ts";

/** The session of an affiliate in the portal, as a request gets it. */
export async function sessionOf(
  { database, organization }: Context,
  affiliate_id: string,
): Promise<AffiliateSession> {
  const [row] = await database<{ approved: boolean; banned: boolean; declined: boolean; left: boolean }[]>`
    select approved, banned, declined_at is not null as declined, left_at is not null as left from affiliates
    where organization_id = ${organization.id} and id = ${affiliate_id}`;
  if (row === undefined) throw new Error("no affiliate");
  return {
    kind: "affiliate_session",
    session_id: newId(new Date()),
    affiliate_id,
    state: stateOf(row),
    organization,
  };
}

let customers = 0;

/** A new customer clicks an affiliate's link and pays a minute later, 20 days ago; returns its email. */
export async function buy(
  context: Context,
  { affiliate_id }: { affiliate_id: string },
  { subject, ...fields }: Partial<Parameters<typeof payment>[0]> & { subject: string },
): Promise<string> {
  customers += 1;
  const at = new Date(Date.now() - 20 * 24 * 60 * 60_000);
  const customer = { customer_id: `cus_${customers}`, email: `buyer-${customers}@customers.test` };
  const click_ids = [await click(context, { affiliate_id, at: new Date(at.getTime() - 60_000) })];
  await report(
    context,
    checkout({ subject: `cs_${subject}`, ...customer, click_ids, at }),
    payment({ subject, ...customer, at, ...fields }),
  );
  return customer.email;
}

/** The campaigns of the organization show affiliates only a part of customers' emails. */
export async function hideEmails({ database, organization }: Context): Promise<void> {
  await database`update campaigns set hide_emails = true where organization_id = ${organization.id}`;
}
