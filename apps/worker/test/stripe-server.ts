import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";

/** A promotion code as Stripe answers with it (https://docs.stripe.com/api/promotion_codes/object). */
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

/** An object of Stripe's, as its API answers with it. */
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
  /** The connected account that it is made for. */
  account: string | null;
}

/**
 * Plays the part of Stripe's API that we call: promotion codes, the list of events, single objects and the lists
 * within them, with its shapes of errors, its idempotency and its pages.
 */
export class StripeServer {
  readonly codes: PromotionCode[] = [];
  readonly coupons = new Set(["co_30"]);
  /** Newest first. */
  events: { id: string; created: number }[] = [];
  /** Single objects by their path below `/v1/`, as in `invoices/in_1`. */
  readonly objects = new Map<string, StripeAnswer>();
  /** Lists by their path below `/v1/`, as in `invoices/in_1/lines`. */
  readonly lists = new Map<string, StripeAnswer[]>([["webhook_endpoints", []]]);
  /** Resources that the key may not read, as in `invoices`. */
  readonly forbidden = new Set<string>();
  /** Answers wait for it: a server that is slow. */
  held: Promise<void> | null = null;
  readonly calls: Call[] = [];
  /** Answers the next calls instead, one each; `drop`: performs the request and breaks the connection. */
  readonly faults: (Answer | "drop")[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#take(request).then((answer) => {
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

  /** Makes a promotion code as somebody would in Stripe's dashboard. */
  makeByHand(code: string, coupon: string): PromotionCode {
    const made = promotionCode(`promo_hand${this.codes.length}`, { code, coupon, metadata: {} });
    this.codes.push(made);
    return made;
  }

  /** Adds a webhook endpoint as somebody does in Stripe's dashboard. */
  addEndpoint(url: string, enabled_events: readonly string[], status = "enabled"): void {
    const endpoints = this.lists.get("webhook_endpoints") ?? [];
    endpoints.push({
      id: `we_${endpoints.length}`,
      object: "webhook_endpoint",
      api_version: null,
      application: null,
      created: Math.floor(Date.now() / 1000),
      description: null,
      enabled_events,
      livemode: true,
      metadata: {},
      status,
      url,
    });
    this.lists.set("webhook_endpoints", endpoints);
  }

  async #take(request: IncomingMessage): Promise<Answer | "drop"> {
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
    await this.held;
    const fault = this.faults.shift();
    if (fault !== undefined && fault !== "drop") return fault;
    const answer = this.#remembered(call);
    return fault ?? answer;
  }

  /** With an idempotency key the first response is repeated. */
  #remembered(call: Call): Answer {
    const { idempotency_key } = call;
    if (idempotency_key === null) return this.#answer(call);
    const answer = this.#answers.get(idempotency_key) ?? this.#answer(call);
    this.#answers.set(idempotency_key, answer);
    return answer;
  }

  #answer({ method, path, query, form, authorization }: Call): Answer {
    if (!authorization.startsWith("Bearer rk_")) return failure(401, { message: "Invalid API Key provided" });
    const [, resource = ""] = /^\/v1\/(checkout\/sessions|[a-z_]+)/.exec(path) ?? [];
    if (this.forbidden.has(resource)) return notPermitted(resource);
    const known = method === "GET" ? this.#known(path.slice("/v1/".length), query) : null;
    if (known !== null) return known;
    if (path === "/v1/events") return this.#listEvents(query);
    if (path === "/v1/promotion_codes" && method === "GET") return this.#listCodes(query);
    if (path === "/v1/promotion_codes") return this.#create(form);
    const code = this.codes.find(({ id }) => path === `/v1/promotion_codes/${id}`);
    if (code === undefined) return missing(`No such ${resource}: '${path.split("/").at(-1)}'`);
    if (method === "GET") return { status: 200, body: code };
    code.active = form.get("active") !== "false";
    return { status: 200, body: code };
  }

  #known(path: string, query: URLSearchParams): Answer | null {
    const object = this.objects.get(path);
    if (object !== undefined) return { status: 200, body: object };
    const list = this.lists.get(path);
    if (list === undefined) return null;
    const of_payment = query.get("payment[payment_intent]");
    const listed = list.filter((one) => of_payment === null || paymentIntentOf(one) === of_payment);
    return page(listed, { query, url: `/v1/${path}` });
  }

  #create(form: URLSearchParams): Answer {
    const code = form.get("code") ?? "";
    const coupon = form.get("promotion[coupon]") ?? "";
    if (!this.coupons.has(coupon)) return missing(`No such coupon: '${coupon}'`);
    if (!/^[A-Za-z0-9-]+$/.test(code)) return failure(400, { message: "Invalid code.", param: "code" });
    if (this.#active(code) !== undefined) {
      return failure(400, { message: `An active promotion code with \`code: ${code}\` already exists.` });
    }
    const metadata = Object.fromEntries(
      [...form].flatMap(([name, value]) => {
        const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
        return key === undefined ? [] : [[key, value]];
      }),
    );
    const made = promotionCode(`promo_made${this.codes.length}`, { code, coupon, metadata });
    this.codes.push(made);
    return { status: 200, body: made };
  }

  #active(code: string): PromotionCode | undefined {
    return this.codes.find((one) => one.active && one.code.toLowerCase() === code.toLowerCase());
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

/** What a restricted key gets that lacks a permission. */
function notPermitted(resource: string): Answer {
  return failure(403, {
    message: `The provided key does not have the required permissions for this endpoint on account. Having the 'rak_${resource.replace("/", "_")}_read' permission would allow this request to continue.`,
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
