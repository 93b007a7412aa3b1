/** A client of a service's REST API. */
export interface Poster {
  /** The service's address, without `/v1`. */
  url: string;
  api_key: string;
}

/** Creates a resource through the REST API. */
export async function post({ url, api_key }: Poster, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`${url}/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: { data: { id: string } } = JSON.parse(await response.text());
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.data;
}

/** The affiliates' default campaign. */
export const CAMPAIGN = {
  name: "Partner program",
  commission_type: "percentage",
  commission_amount: 33.3333,
  website_url: "https://example.com",
  is_default: true,
} as const;

let made = 0;

/** Creates an affiliate, which records one event. */
export async function addAffiliate(poster: Poster, fields: object = {}): Promise<string> {
  made += 1;
  return (await post(poster, "/affiliates", { email: `a${made}@example.com`, ...fields })).id;
}
