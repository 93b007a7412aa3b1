// npx openapi-typescript $FINDERSFEE_URL/v1/openapi.json --output findersfee.ts
import createClient from "openapi-fetch";
import type { components, paths } from "./findersfee.ts";

type Schemas = components["schemas"];

const findersfee = createClient<paths>({
  baseUrl: `${process.env.FINDERSFEE_URL}/v1`,
  headers: { Authorization: `Bearer ${process.env.FINDERSFEE_API_KEY}` },
});

/** The service's error. */
function errorOf({ error: { code, message, request_id } }: Schemas["ErrorBody"]): Error {
  return new Error(`${code}: ${message} (${request_id})`);
}

async function createCampaign(): Promise<string> {
  const { data, error } = await findersfee.POST("/campaigns", {
    params: { header: { "Idempotency-Key": "quick-start-campaign" } },
    body: {
      name: "Quick start",
      commission_type: "percentage",
      commission_amount: 30,
      website_url: "https://example.com",
    },
  });
  if (error !== undefined) throw errorOf(error);
  return data.data.id;
}

/** An existing affiliate is not an error for this program. */
async function createAffiliate(email: string, campaign_id: string): Promise<Schemas["Affiliate"] | null> {
  const { data, error } = await findersfee.POST("/affiliates", { body: { email, campaign_id } });
  if (error?.error.code === "affiliate_exists") return null;
  if (error !== undefined) throw errorOf(error);
  return data.data;
}

async function listAffiliates(cursor: string): Promise<Schemas["AffiliatePage"]> {
  const { data, error } = await findersfee.GET("/affiliates", { params: { query: { limit: 2, cursor } } });
  if (error !== undefined) throw errorOf(error);
  return data;
}

async function* everyAffiliate(): AsyncGenerator<Schemas["Affiliate"]> {
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = await listAffiliates(cursor);
    yield* page.data;
    cursor = page.pagination.next_cursor;
  }
}

const campaign_id = await createCampaign();
for (const name of ["ada", "ben", "cyd", "ada"]) {
  const affiliate = await createAffiliate(`${name}@example.com`, campaign_id);
  console.log(name, affiliate?.links[0]?.url ?? "exists");
}
for await (const { email } of everyAffiliate()) console.log(email);
