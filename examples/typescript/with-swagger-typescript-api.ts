// npx swagger-typescript-api generate --path $FINDERSFEE_URL/v1/openapi.json --name findersfee.ts
import { type Affiliate, Api, type ErrorBody, type HttpResponse } from "./findersfee.ts";

const findersfee = new Api({
  baseUrl: `${process.env.FINDERSFEE_URL}/v1`,
  securityWorker: () => ({ headers: { Authorization: `Bearer ${process.env.FINDERSFEE_API_KEY}` } }),
});

/** The service's error, if one was thrown. */
function refusalIn(thrown: unknown): ErrorBody["error"] | null {
  const response = thrown as HttpResponse<unknown, ErrorBody | null>;
  return response.error?.error ?? null;
}

async function createCampaign(): Promise<string> {
  const { data } = await findersfee.campaigns.createCampaign(
    {
      name: "Quick start",
      commission_type: "percentage",
      commission_amount: 30,
      website_url: "https://example.com",
    },
    { headers: { "Idempotency-Key": "quick-start-campaign" } },
  );
  return data.data.id;
}

/** An existing affiliate is not an error for this program. */
async function createAffiliate(email: string, campaign_id: string): Promise<Affiliate | null> {
  try {
    const { data } = await findersfee.affiliates.createAffiliate({ email, campaign_id });
    return data.data;
  } catch (error) {
    if (refusalIn(error)?.code === "affiliate_exists") return null;
    throw error;
  }
}

async function* everyAffiliate(): AsyncGenerator<Affiliate> {
  let cursor: string | null = "";
  while (cursor !== null) {
    const { data } = await findersfee.affiliates.listAffiliates({ limit: 2, cursor });
    yield* data.data;
    cursor = data.pagination.next_cursor;
  }
}

try {
  const campaign_id = await createCampaign();
  for (const name of ["ada", "ben", "cyd", "ada"]) {
    const affiliate = await createAffiliate(`${name}@example.com`, campaign_id);
    console.log(name, affiliate?.links[0]?.url ?? "exists");
  }
  for await (const { email } of everyAffiliate()) console.log(email);
} catch (error) {
  const refusal = refusalIn(error);
  if (refusal === null) throw error;
  throw new Error(`${refusal.code}: ${refusal.message} (${refusal.request_id})`);
}
