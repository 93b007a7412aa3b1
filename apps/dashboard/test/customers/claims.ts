import { acceptClaim, previewClaim } from "@findersfee/domain/customers/claims/accept";
import { declineClaim } from "@findersfee/domain/customers/claims/decline";
import { claim } from "@findersfee/domain/testing/customers/claims/program";
import { ARABIC, MARKUP, type Place } from "../program.ts";

const DAY_MILLISECONDS = 86_400_000;

/** The day `days` days ago, in UTC. */
export function dayAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** The id of a row that has this value, in a table of the organization. */
async function idBy({ context: { database }, organization_id }: Place, email: string): Promise<string> {
  const [row] = await database<[{ id: string }]>`
    select id from affiliates where organization_id = ${organization_id} and email = ${email}`;
  return row.id;
}

/** An affiliate's report of a missing sale; returns its id. */
export async function report(
  place: Place,
  fields: { by?: string; email: string; days: number; note?: string },
): Promise<string> {
  const {
    by = "jane@example.com",
    email,
    days,
    note = "She told me that she bought through my link.",
  } = fields;
  const affiliate_id = await idBy(place, by);
  return (await claim(place.context, affiliate_id, { email, note, paid_on: dayAgo(days) })).id;
}

async function decisionOf({ context: { database }, organization_id }: Place, payment_id: string) {
  const [row] = await database<[{ id: string }]>`
    select id from payment_decisions
    where organization_id = ${organization_id} and payment_id = ${payment_id} and replaced_at is null`;
  return row.id;
}

/** Accepts a claim for a payment of the processor. */
export async function accept(place: Place, id: string, payment_id: string): Promise<void> {
  const input = { id, payment_decision_id: await decisionOf(place, payment_id) };
  const { version } = await previewClaim(place.context, input);
  await acceptClaim(place.context, { ...input, version, answer: "Thank you for the hint." });
}

export async function decline(place: Place, id: string): Promise<void> {
  await declineClaim(place.context, { id, answer: "The click was too old." });
}

export type Claims = Record<"expired" | "unknown" | "taken" | "declined" | "accepted", string>;

/** Claims in every state, beside facts of every kind, in an organization that was filled. */
export async function fillClaims(place: Place): Promise<Claims> {
  const expired = await report(place, { email: "customer7@example.com", days: 1 });
  const unknown = await report(place, { email: "nobody@example.com", days: 2, note: `${MARKUP}\n${ARABIC}` });
  const taken = await report(place, { email: "customer5@example.com", days: 2 });
  const declined = await report(place, { email: "customer8@example.com", days: 1 });
  await decline(place, declined);
  const accepted = await report(place, { email: "customer9@example.com", days: 0 });
  await accept(place, accepted, "in_9");
  return { expired, unknown, taken, declined, accepted };
}
