import { randomInt } from "node:crypto";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { Missing, type Target } from "./attack.ts";
import { type AttackResponse, BROWSER, fieldsOf, parseBody } from "./request.ts";

interface Sent {
  method: "GET" | "POST";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A browser at one of the service's own pages, with cookies and an address of its own. */
export class Browser {
  readonly #target: Target;
  readonly #address: string | undefined;
  readonly #cookies = new Map<string, string>();

  constructor(target: Target, address: string | undefined = newAddress()) {
    this.#target = target;
    this.#address = address;
  }

  /** Another browser with the same cookies, at another address: a thief's. */
  copy(): Browser {
    const copy = new Browser(this.#target);
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value);
    return copy;
  }

  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<AttackResponse> {
    return await this.send({
      method: "POST",
      path,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<AttackResponse> {
    return await this.send({ method: "GET", path, headers });
  }

  /** Reads by an operation of tRPC; `post` changes by one. */
  async query(
    path: string,
    input: object | undefined,
    headers: Record<string, string> = {},
  ): Promise<AttackResponse> {
    const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    return await this.get(path + query, headers);
  }

  async send({ method, path, headers, body }: Sent): Promise<AttackResponse> {
    const { url, signal } = this.#target;
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = request(url + path, {
      method,
      signal,
      headers: {
        "user-agent": BROWSER,
        origin: new URL(url).origin,
        ...(cookie === "" ? {} : { cookie }),
        ...headers,
      },
      ...(this.#address === undefined ? {} : { localAddress: this.#address, family: 4 }),
    });
    sent.end(body);
    const response = await responseOf(sent);
    this.#keep(response.headers["set-cookie"] ?? []);
    const content = await text(response);
    return { status: response.statusCode ?? 0, body: parseBody(response.headers["content-type"], content) };
  }

  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
    }
  }
}

function responseOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on("response", resolve);
    sent.on("error", reject);
  });
}

/** On Linux, all of 127.0.0.0/8 is this machine. Elsewhere it is 127.0.0.1 alone. */
const HAS_NETWORKS = process.platform === "linux";

/** An address in a network (IPv4 /24) that no other browser has, if this machine has several. */
function newAddress(): string | undefined {
  return HAS_NETWORKS ? `127.${randomInt(1, 200)}.${randomInt(256)}.${randomInt(1, 255)}` : undefined;
}

/** Throws `Missing` if this machine has one network alone, so that strangers cannot have others. */
export function requireNetworks(): void {
  if (!HAS_NETWORKS) throw new Missing("several addresses of this machine, as Linux has them");
}

/** The data of a success, of REST or tRPC. Throws on an error. */
export function dataOf({ status, body }: AttackResponse): Record<string, unknown> {
  if (status !== 200) throw new Error(`expected a success, not ${status}: ${JSON.stringify(body)}`);
  const { data, result } = fieldsOf(body);
  return fieldsOf(result === undefined ? (data ?? {}) : (fieldsOf(result).data ?? {}));
}

/** The code of an error of REST. */
export function errorOf({ body }: AttackResponse): unknown {
  const { error } = fieldsOf(body);
  return error === undefined ? undefined : fieldsOf(error).code;
}
