// npx swagger-typescript-api generate --path $FINDERSFEE_URL/v1/openapi.json --name findersfee.ts
import { Api, type Event } from "./findersfee.ts";

const findersfee = new Api({
  baseUrl: `${process.env.FINDERSFEE_URL}/v1`,
  securityWorker: () => ({ headers: { Authorization: `Bearer ${process.env.FINDERSFEE_API_KEY}` } }),
});

/** `type` names one of the event types and determines the shape of `data`. */
function describe(event: Event): string {
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

let cursor: string | null = "";
while (cursor !== null) {
  const { data } = await findersfee.events.listEvents({
    types: ["affiliate.created", "commission.created"],
    limit: 2,
    cursor,
  });
  for (const event of data.data) console.log(describe(event));
  cursor = data.pagination.next_cursor;
}
