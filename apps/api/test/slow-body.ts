import { head, RawConnection } from "./raw-connection.ts";

/** A POST on a separate connection with its headers and a part of its body sent. */
export async function sendSlowBody(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<RawConnection> {
  const connection = await RawConnection.open(url);
  const sent = { "content-type": "application/json", "content-length": "1000", ...headers };
  connection.write(`${head(`POST ${path} HTTP/1.1`, sent)}{`);
  return connection;
}

/** Opens this many connections with slow bodies. */
export function sendSlowBodies(
  count: number,
  ...parameters: Parameters<typeof sendSlowBody>
): Promise<RawConnection[]> {
  return Promise.all(Array.from({ length: count }, () => sendSlowBody(...parameters)));
}
