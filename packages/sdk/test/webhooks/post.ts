import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { SignedDelivery } from "./signed-delivery.ts";

export interface Answered {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** Sends a delivery with its body in one piece, or split into chunks, each in its own packet. */
export async function post(
  url: string,
  { body, headers }: SignedDelivery,
  { chunk_bytes = 0 } = {},
): Promise<Answered> {
  const bytes = Buffer.from(body);
  const length = chunk_bytes > 0 ? {} : { "content-length": bytes.length };
  const outgoing = request(url, { method: "POST", headers: { ...headers, ...length }, agent: false });
  const answered = once(outgoing, "response");
  // After a rejection nobody reads the rest of the body.
  outgoing.on("error", () => {});
  outgoing.setNoDelay(true);
  for (let start = 0; chunk_bytes > 0 && start < bytes.length; start += chunk_bytes) {
    outgoing.write(bytes.subarray(start, start + chunk_bytes));
    await new Promise(setImmediate);
  }
  outgoing.end(chunk_bytes > 0 ? undefined : bytes);
  const [response]: IncomingMessage[] = await answered;
  if (response === undefined) throw new Error("no response");
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += piece;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
