import { once } from "node:events";
import { createServer } from "node:http";
import { collectDefaultMetrics, Registry } from "prom-client";

/** Serves `/metrics` and `/healthz` of a worker that runs alone. */
export async function serveMetrics(
  registry: Registry,
  { host, port }: { host: string; port: number },
): Promise<{ url: string; close: () => Promise<void> }> {
  const own = new Registry();
  collectDefaultMetrics({ register: own });
  const all = Registry.merge([own, registry]);
  const server = createServer((request, response) => {
    if (request.url === "/healthz") response.end("ok\n");
    else if (request.url !== "/metrics") response.writeHead(404).end();
    else {
      all.metrics().then(
        (text) => response.setHeader("content-type", all.contentType).end(text),
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
