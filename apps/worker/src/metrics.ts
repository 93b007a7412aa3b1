import { once } from "node:events";
import { createServer } from "node:http";
import { scrape } from "@findersfee/telemetry/scrape";
import type { Registry } from "prom-client";

/** Serves `/metrics` and `/healthz` of a worker that runs alone. */
export async function serveMetrics(
  registries: Registry[],
  { host, port }: { host: string; port: number },
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url === "/healthz") response.end("ok\n");
    else if (request.url !== "/metrics") response.writeHead(404).end();
    else {
      scrape(registries).then(
        ({ text, content_type }) => response.setHeader("content-type", content_type).end(text),
        (error: unknown) =>
          response.writeHead(503).end(`${error instanceof Error ? error.message : String(error)}\n`),
      );
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host}:${bound}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
