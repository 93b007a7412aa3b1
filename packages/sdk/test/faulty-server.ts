import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Handles one request. */
export type Fault = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export interface FaultySeen {
  url: string;
  idempotency_key: string | null;
  at: number;
}

export interface FaultyServer {
  url: string;
  /** The requests received so far, in order. */
  seen: FaultySeen[];
  close: () => Promise<void>;
}

/**
 * Starts a server that applies one fault per request in this order, and the last one to all further requests.
 */
export async function startFaulty(...faults: [Fault, ...Fault[]]): Promise<FaultyServer> {
  const seen: FaultySeen[] = [];
  const server = createServer((incoming, outgoing) => {
    const key = incoming.headers["idempotency-key"];
    seen.push({
      url: incoming.url ?? "",
      idempotency_key: typeof key === "string" ? key : null,
      at: performance.now(),
    });
    const fault = faults[Math.min(seen.length, faults.length) - 1] ?? faults[0];
    fault(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Responds. */
export function respond(status: number, body: unknown, headers: Record<string, string> = {}): Fault {
  return (incoming, outgoing) => {
    incoming.resume();
    const text = typeof body === "string" ? body : JSON.stringify(body);
    outgoing.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  };
}

/** Never responds. */
export function hang(): Fault {
  return (incoming) => incoming.resume();
}

/** Closes the connection before responding. */
export function drop(): Fault {
  return (incoming) => incoming.socket.destroy();
}

/** Starts a response and closes the connection partway. */
export function breakOff(): Fault {
  return (incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": "100" });
    outgoing.write('{"result":', () => incoming.socket.destroy());
  };
}

/** Forwards the request to the service and relays the response. */
export function forward(service_url: string): Fault {
  return (incoming, outgoing) => {
    pass(service_url, incoming, (answered) => {
      outgoing.writeHead(answered.statusCode ?? 0, answered.headers);
      answered.pipe(outgoing);
    });
  };
}

/**
 * Forwards the request to the service, waits for its response, and closes the connection instead of relaying
 * it.
 */
export function loseAnswer(service_url: string): Fault {
  return (incoming) => {
    pass(service_url, incoming, (answered) => {
      answered.resume();
      answered.once("end", () => incoming.socket.destroy());
    });
  };
}

function pass(
  service_url: string,
  incoming: IncomingMessage,
  answered: (respond: IncomingMessage) => void,
): void {
  const { method, headers, url = "" } = incoming;
  incoming.pipe(request(`${service_url}${url}`, { method: method ?? "GET", headers }, answered));
}

/** An error as in the service's tRPC responses. */
export function trpcError(code: string, status: number, more: object = {}): object {
  return {
    error: {
      message: "Said so.",
      code: -32000,
      data: { httpStatus: status, code, message: "Said so.", request_id: "req-1", ...more },
    },
  };
}

/** A page of a list, as a procedure returns it. */
export const EMPTY_PAGE = {
  result: {
    data: {
      data: [],
      pagination: {
        page: 1,
        limit: 10,
        total_count: 0,
        total_pages: 0,
        has_more: false,
        next_cursor: null,
      },
    },
  },
};
