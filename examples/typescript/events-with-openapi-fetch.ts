// npx openapi-typescript $FINDERSFEE_URL/v1/openapi.json --output findersfee.ts
import createClient from "openapi-fetch";
import type { components, paths } from "./findersfee.ts";

type Schemas = components["schemas"];

const findersfee = createClient<paths>({
  baseUrl: `${process.env.FINDERSFEE_URL}/v1`,
  headers: { Authorization: `Bearer ${process.env.FINDERSFEE_API_KEY}` },
});

/** `type` names one of the event types and determines the shape of `data`. */
function describe(event: Schemas["Event"]): string {
  switch (event.type) {
    case "affiliate.created":
    case "affiliate.approved":
    case "affiliate.tier_changed":
      return `${event.type}: ${event.data.email} in ${event.data.campaign.name}`;
    case "referral.created":
    case "referral.converted":
      return `${event.type}: ${event.data.email} by ${event.data.affiliate.first_name}`;
    case "commission.created":
      return `${event.type}: ${event.data.commission_amount} ${event.data.currency}`;
  }
}

async function listEvents(cursor: string): Promise<Schemas["EventPage"]> {
  const { data, error } = await findersfee.GET("/events", {
    params: { query: { types: ["affiliate.created", "commission.created"], limit: 2, cursor } },
  });
  if (error !== undefined) throw new Error(`${error.error.code}: ${error.error.message}`);
  return data;
}

let cursor: string | null = "";
while (cursor !== null) {
  const page = await listEvents(cursor);
  for (const event of page.data) console.log(describe(event));
  cursor = page.pagination.next_cursor;
}
