import { request as send } from "node:http";
import type { ApiResponse, TestService } from "../test-service.ts";

/** The public address of services with host names: nobody resolves it. */
export const PUBLIC_URL = "https://app.example.com";

/**
 * A browser on pages of a host, at any address of the connection. It keeps the cookies of each host apart, as
 * browsers do.
 */
export class HostBrowser {
  readonly #service: TestService;
  readonly #cookies = new Map<string, Map<string, string>>();

  constructor(service: TestService) {
    this.#service = service;
  }

  cookiesOf(host: string): Map<string, string> {
    const cookies = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, cookies);
    return cookies;
  }

  /** Sends a request to a host, from its own page. */
  async send(
    host: string,
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse & { text: string }> {
    const cookies = this.cookiesOf(host);
    const answer = await exchange(this.#service.url, path, {
      method: body === undefined ? "GET" : "POST",
      body: body === undefined ? "" : JSON.stringify(body),
      headers: {
        host,
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") }),
        ...(body === undefined ? {} : { "content-type": "application/json", origin: `https://${host}` }),
        ...headers,
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split("=");
      if (attributes.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }
}

/** `fetch` sends no `Host` of one's choice. */
function exchange(
  url: string,
  path: string,
  { body, ...options }: { method: string; headers: Record<string, string>; body: string },
): Promise<ApiResponse & { text: string }> {
  return new Promise((resolve, reject) => {
    const sent = send(`${url}${path}`, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const headers = new Headers();
        for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
          for (const value of values) headers.append(name, value);
        }
        const body = text.startsWith("{") ? JSON.parse(text) : null;
        resolve({ status: answer.statusCode ?? 0, headers, text, body });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
