import { trackedClickSchema } from "@findersfee/contract/tracking/tracking";
import type { StripeObject } from "@findersfee/samples/stripe/api-version";
import { sampleSignature } from "@findersfee/samples/stripe/signature";
import { createClient, type Findersfee } from "@findersfee/sdk";
import { z } from "zod";
import { Dashboard } from "./dashboard.ts";
import type { DemonstrationOrganization } from "./organization.ts";

/** The target of the campaign's links. */
export const SITE = "https://example.com";

const BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";

const clickAnswer = z.object({ data: trackedClickSchema });

/**
 * A client for the running service, in the roles of the organization and of third parties, over HTTP only.
 */
export class Service {
  readonly base_url: string;
  readonly organization: DemonstrationOrganization;
  /** Calls of the organization's own programs. */
  readonly findersfee: Findersfee;
  /** Calls of the dashboard's operations. */
  readonly dashboard: Dashboard;
  readonly #signal: AbortSignal;

  constructor(base_url: string, organization: DemonstrationOrganization, signal: AbortSignal) {
    this.base_url = base_url;
    this.organization = organization;
    this.findersfee = createClient({ apiKey: organization.api_key, baseUrl: base_url });
    this.dashboard = new Dashboard(base_url, organization.admin_key, signal);
    this.#signal = signal;
  }

  /** Reports a click as the tracker does in a visitor's browser. */
  async click(code: string): Promise<z.output<typeof trackedClickSchema>> {
    const { status, text } = await this.#post("/track/click", {
      headers: { "content-type": "text/plain", "user-agent": BROWSER, origin: SITE },
      body: JSON.stringify({
        key: this.organization.publishable_key,
        code,
        url: `${SITE}/?via=${encodeURIComponent(code)}`,
      }),
    });
    if (status !== 200) throw new Error(`POST /track/click returned ${status}: ${text}`);
    return clickAnswer.parse(JSON.parse(text)).data;
  }

  /** Sends an event as Stripe does, signed now. */
  async sendEvent(event: StripeObject, signing_secret: string): Promise<void> {
    const body = JSON.stringify(event);
    const path = `/processors/stripe/${this.organization.organization_id}`;
    const { status, text } = await this.#post(path, {
      headers: {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": await sampleSignature(body, signing_secret),
      },
      body,
    });
    if (status !== 200) throw new Error(`POST ${path} returned ${status}: ${text}`);
  }

  async #post(path: string, init: { headers: Record<string, string>; body: string }) {
    const signal = this.#signal;
    const response = await fetch(`${this.base_url}${path}`, { ...init, method: "POST", signal });
    return { status: response.status, text: await response.text() };
  }
}

/**
 * Checks that a service is running.
 *
 * @throws Error with instructions
 */
export async function requireService(base_url: string, signal: AbortSignal): Promise<void> {
  const where = "start one with `findersfee start` in another terminal, or set its address (--base-url).";
  const response = await fetch(`${base_url}/readyz`, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new Error(`No service responds at ${base_url}: ${where}`);
  });
  const text = await response.text();
  if (response.status === 200 && text.includes('"ready"')) return;
  throw new Error(`The server at ${base_url} is not a ready service (${response.status}): ${where}`);
}
