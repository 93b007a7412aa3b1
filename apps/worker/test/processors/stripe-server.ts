import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";

/** A promotion code as Stripe returns it (https://docs.stripe.com/api/promotion_codes/object). */
export interface PromotionCode {
  id: string;
  object: "promotion_code";
  active: boolean;
  code: string;
  created: number;
  livemode: boolean;
  metadata: Record<string, string>;
  promotion: { type: "coupon"; coupon: string };
  times_redeemed: number;
}

/** An object as Stripe's API returns it. */
export interface StripeAnswer {
  id: string;
  object: string;
  [field: string]: unknown;
}

interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  form: URLSearchParams;
  authorization: string;
  idempotency_key: string | null;
  /** The connected account in the header `Stripe-Account`. */
  account: string | null;
}

/**
 * A server with the part of Stripe's API that workers call: promotion codes, the list of events, single objects and their
 * lists. Its errors, idempotency and pagination are those of Stripe.
 */
export class StripeServer {
  readonly codes: PromotionCode[] = [];
  readonly coupons = new Set(["co_30"]);
  /** Newest first. */
  events: { id: string; created: number }[] = [];
  /** Single objects by path, such as `invoices/in_1`. */
  readonly objects = new Map<string, StripeAnswer>();
  /** Lists by path, such as `invoices/in_1/lines`. */
  readonly lists = new Map<string, StripeAnswer[]>([["webhook_endpoints", []]]);
  /** Resources that the key may not read, such as `invoices`. */
  readonly forbidden = new Set<string>();
  /** Resources that the key may not write, such as `webhook_endpoints`. */
  readonly forbidden_to_write = new Set<string>();
  /** Delays all responses until it resolves. */
  delayed_until: Promise<void> | null = null;
  readonly calls: Call[] = [];
  /**
   * Responses for the next calls, one each, in place of the real ones. `drop`: performs the call, then drops the
   * connection. `lose`: drops it without performing the call.
   */
  readonly faults: (Answer | "drop" | "lose" | null)[] = [];
  /** Keys that Stripe does not know. */
  readonly unknown_keys = new Set<string>();
  readonly #answers = new Map<string, Answer>();
  #made = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#handle(request).then((answer) => {
        if (answer === "drop") {
          request.socket.destroy();
          return;
        }
        response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
        response.end(JSON.stringify(answer.body));
      });
    });
  }

  static async start(): Promise<StripeServer> {
    const stripe = new StripeServer();
    stripe.#server.listen(0, "127.0.0.1");
    await once(stripe.#server, "listening");
    return stripe;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Adds a promotion code, as a person can in Stripe's dashboard. */
  addPromotionCode(code: string, coupon: string): PromotionCode {
    const created = promotionCode(`promo_hand${this.codes.length}`, { code, coupon, metadata: {} });
    this.codes.push(created);
    return created;
  }

  /** Adds a webhook endpoint, as a person can in Stripe's dashboard. */
  addEndpoint(url: string, enabled_events: readonly string[], status = "enabled"): void {
    const endpoint = webhookEndpoint(`we_${this.endpoints.length}`, { url, enabled_events, metadata: {} });
    this.endpoints.push({ ...endpoint, status });
  }

  /** The webhook endpoints, as Stripe lists them. */
  get endpoints(): StripeAnswer[] {
    const endpoints = this.lists.get("webhook_endpoints") ?? [];
    this.lists.set("webhook_endpoints", endpoints);
    return endpoints;
  }

  async #handle(request: IncomingMessage): Promise<Answer | "drop"> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? "/", "http://stripe");
    const call: Call = {
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
      authorization: request.headers.authorization ?? "",
      idempotency_key: (request.headers["idempotency-key"] as string | undefined) ?? null,
      account: (request.headers["stripe-account"] as string | undefined) ?? null,
    };
    this.calls.push(call);
    await this.delayed_until;
    const fault = this.faults.shift();
    if (fault === "lose") return "drop";
    if (fault !== undefined && fault !== null && fault !== "drop") return fault;
    const answer = this.#answerOnce(call);
    return fault ?? answer;
  }

  /** Repeats the first response to an idempotency key. */
  #answerOnce(call: Call): Answer {
    const { idempotency_key } = call;
    if (idempotency_key === null) return this.#answer(call);
    const answer = this.#answers.get(idempotency_key) ?? this.#answer(call);
    this.#answers.set(idempotency_key, answer);
    return answer;
  }

  #answer({ method, path, query, form, authorization }: Call): Answer {
    const key = authorization.slice("Bearer ".length);
    if (!/^(rk|sk)_/.test(key) || this.unknown_keys.has(key)) {
      return failure(401, { message: `Invalid API Key provided: ${key}` });
    }
    const [, resource = ""] = /^\/v1\/(checkout\/sessions|[a-z_]+)/.exec(path) ?? [];
    if (this.forbidden.has(resource)) return notPermitted(resource, "read");
    if (method !== "GET" && this.forbidden_to_write.has(resource)) return notPermitted(resource, "write");
    if (method !== "GET" && resource === "webhook_endpoints")
      return this.#changeEndpoint({ method, path, form });
    const stored = method === "GET" ? this.#findStored(path.slice("/v1/".length), query) : null;
    if (stored !== null) return stored;
    if (method === "GET" && EMPTY_LISTS.has(resource) && path === `/v1/${resource}`) {
      return page([], { query, url: path });
    }
    if (path === "/v1/events") return this.#listEvents(query);
    if (path === "/v1/promotion_codes" && method === "GET") return this.#listCodes(query);
    if (path === "/v1/promotion_codes") return this.#createCode(form);
    const code = this.codes.find(({ id }) => path === `/v1/promotion_codes/${id}`);
    if (code === undefined) return missing(`No such ${resource}: '${path.split("/").at(-1)}'`);
    if (method === "GET") return { status: 200, body: code };
    code.active = form.get("active") !== "false";
    return { status: 200, body: code };
  }

  #findStored(path: string, query: URLSearchParams): Answer | null {
    const object = this.objects.get(path);
    if (object !== undefined) return { status: 200, body: object };
    const list = this.lists.get(path);
    if (list === undefined) return null;
    const payment_intent = query.get("payment[payment_intent]");
    const listed = list.filter((item) => payment_intent === null || paymentIntentOf(item) === payment_intent);
    return page(listed, { query, url: `/v1/${path}` });
  }

  /** https://docs.stripe.com/api/webhook_endpoints */
  #changeEndpoint({ method, path, form }: Pick<Call, "method" | "path" | "form">): Answer {
    const endpoints = this.endpoints;
    if (path === "/v1/webhook_endpoints") {
      const metadata = metadataOf(form);
      const endpoint = webhookEndpoint(`we_made${this.#made++}`, {
        url: form.get("url") ?? "",
        enabled_events: listOf(form, "enabled_events"),
        metadata,
        api_version: form.get("api_version"),
        description: form.get("description"),
      });
      endpoints.push(endpoint);
      // Only this answer has the secret.
      return { status: 200, body: { ...endpoint, secret: `whsec_secret_of_${endpoint.id}_0123456789` } };
    }
    const id = path.split("/").at(-1) ?? "";
    const index = endpoints.findIndex((item) => item.id === id);
    const endpoint = endpoints[index];
    if (endpoint === undefined) return missing(`No such webhook endpoint: '${id}'`);
    if (method === "DELETE") {
      endpoints.splice(index, 1);
      return { status: 200, body: { id, object: "webhook_endpoint", deleted: true } };
    }
    const events = listOf(form, "enabled_events");
    if (events.length > 0) endpoint.enabled_events = events;
    if (form.has("url")) endpoint.url = form.get("url");
    if (form.has("disabled")) endpoint.status = form.get("disabled") === "true" ? "disabled" : "enabled";
    return { status: 200, body: endpoint };
  }

  #createCode(form: URLSearchParams): Answer {
    const code = form.get("code") ?? "";
    const coupon = form.get("promotion[coupon]") ?? "";
    if (!this.coupons.has(coupon)) return missing(`No such coupon: '${coupon}'`);
    if (!/^[A-Za-z0-9-]+$/.test(code)) return failure(400, { message: "Invalid code.", param: "code" });
    if (this.#findActive(code) !== undefined) {
      return failure(400, { message: `An active promotion code with \`code: ${code}\` already exists.` });
    }
    const created = promotionCode(`promo_made${this.codes.length}`, {
      code,
      coupon,
      metadata: metadataOf(form),
    });
    this.codes.push(created);
    return { status: 200, body: created };
  }

  #findActive(code: string): PromotionCode | undefined {
    return this.codes.find(({ active, code: other }) => active && other.toLowerCase() === code.toLowerCase());
  }

  #listCodes(query: URLSearchParams): Answer {
    const data = this.codes.filter(
      ({ code, promotion, active }) =>
        code.toLowerCase() === query.get("code")?.toLowerCase() &&
        promotion.coupon === query.get("coupon") &&
        String(active) === query.get("active"),
    );
    return { status: 200, body: { object: "list", url: "/v1/promotion_codes", has_more: false, data } };
  }

  #listEvents(query: URLSearchParams): Answer {
    const since = Number(query.get("created[gte]"));
    const listed = this.events.filter(({ created }) => created >= since);
    return page(listed, { query, url: "/v1/events" });
  }
}

/** Lists that tests leave empty. */
const EMPTY_LISTS = new Set([
  "checkout/sessions",
  "invoices",
  "payment_intents",
  "charges",
  "balance_transactions",
  "coupons",
]);

function metadataOf(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

/** The values of `name[0]`, `name[1]` and so on. */
function listOf(form: URLSearchParams, name: string): string[] {
  return [...form].flatMap(([key, value]) => (key.startsWith(`${name}[`) ? [value] : []));
}

/** https://docs.stripe.com/api/webhook_endpoints/object */
function webhookEndpoint(
  id: string,
  fields: {
    url: string;
    enabled_events: readonly string[];
    metadata: Record<string, string>;
    api_version?: string | null;
    description?: string | null;
  },
): StripeAnswer {
  return {
    object: "webhook_endpoint",
    api_version: null,
    application: null,
    created: Math.floor(Date.now() / 1000),
    description: null,
    livemode: true,
    status: "enabled",
    ...fields,
    id,
  };
}

/** https://docs.stripe.com/api/pagination */
function page(
  listed: readonly { id: string }[],
  { query, url }: { query: URLSearchParams; url: string },
): Answer {
  const limit = Number(query.get("limit") ?? 10);
  const after = query.get("starting_after");
  const start = after === null ? 0 : listed.findIndex(({ id }) => id === after) + 1;
  const data = listed.slice(start, start + limit);
  return {
    status: 200,
    body: { object: "list", url, has_more: start + limit < listed.length, data },
  };
}

function paymentIntentOf({ payment }: StripeAnswer): unknown {
  return typeof payment === "object" && payment !== null && "payment_intent" in payment
    ? payment.payment_intent
    : undefined;
}

/** The error for a restricted key without the permission. */
function notPermitted(resource: string, level: "read" | "write"): Answer {
  return failure(403, {
    message: `The provided key does not have the required permissions for this endpoint on account. Having the 'rak_${resource.replace("/", "_")}_${level}' permission would allow this request to continue.`,
  });
}

function promotionCode(
  id: string,
  { code, coupon, metadata }: { code: string; coupon: string; metadata: Record<string, string> },
): PromotionCode {
  return {
    id,
    object: "promotion_code",
    active: true,
    code,
    created: Math.floor(Date.now() / 1000),
    livemode: true,
    metadata,
    promotion: { type: "coupon", coupon },
    times_redeemed: 0,
  };
}

/** https://docs.stripe.com/api/errors */
export function failure(status: number, error: { message: string; code?: string; param?: string }): Answer {
  return { status, body: { error: { type: "invalid_request_error", ...error } } };
}

function missing(message: string): Answer {
  return failure(404, { message, code: "resource_missing" });
}
