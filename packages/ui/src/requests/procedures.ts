import type { ErrorObject } from "@findersfee/contract/errors";
import type { TRPCClient } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { APPLICATION_PATH } from "./application-path.ts";
import { RequestFailed } from "./failure.ts";
import { readJson, send } from "./fetch-json.ts";

interface Options {
  signal?: AbortSignal;
  /** `keepalive`: the request outlives the page. `idempotency_key`: a change that is sent again with it happens once. */
  context?: { keepalive?: boolean; idempotency_key?: string };
}

/**
 * The procedures of a router of the service: `procedures.me.get.query()`. Calls throw `RequestFailed`. tRPC's
 * own client would be 6 kB of each page; its types give the input and output of each procedure. `onResponse`
 * sees the responses before their bodies.
 */
export function createProcedures<Router extends AnyTRPCRouter>(
  path: string,
  headersOf: () => Record<string, string> = () => ({}),
  onResponse: (response: Response) => void = () => {},
): TRPCClient<Router> {
  const below = (names: readonly string[]): unknown =>
    new Proxy(() => {}, {
      get: (_target, name) => below([...names, String(name)]),
      apply: (_target, _this, [input, options]: [unknown, Options | undefined]) => {
        const headers = headersOf();
        const url = `${APPLICATION_PATH}${path}/${names.slice(0, -1).join(".")}`;
        const { context: { idempotency_key, ...context } = {}, ...init } = options ?? {};
        return names.at(-1) === "query"
          ? call(`${url}${queryOf(input)}`, { ...init, headers }, onResponse)
          : call(
              url,
              {
                ...init,
                ...context,
                method: "POST",
                headers: {
                  ...headers,
                  "content-type": "application/json",
                  ...(idempotency_key === undefined ? {} : { "idempotency-key": idempotency_key }),
                },
                ...(input === undefined ? {} : { body: JSON.stringify(input) }),
              },
              onResponse,
            );
      },
    });
  return below([]) as TRPCClient<Router>;
}

function queryOf(input: unknown): string {
  return input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
}

async function call(
  url: string,
  init: RequestInit,
  onResponse: (response: Response) => void,
): Promise<unknown> {
  const response = await send(url, init);
  onResponse(response);
  const answer = await readJson<{ result: { data?: unknown }; error: { data: ErrorObject } }>(response);
  if (answer.result !== undefined) return answer.result.data;
  throw new RequestFailed(response, answer.error?.data ?? null);
}
