import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** Bytes that arrive together, and the time between them: about 160 kB a second. */
const CHUNK_BYTES = 8_192;
const CHUNK_MILLISECONDS = 50;

export interface SlowLink {
  url: string;
  close(): Promise<void>;
}

/** Forwards connections to a server and returns its bytes in chunks, as a slow network does. */
export async function openSlowLink(url: string): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  const link = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Either end may leave at any time; the other one then has nothing to wait for.
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    forwardSlowly(upstream, client).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => link.listen(0, "127.0.0.1", resolve));
  const address = link.address();
  if (address === null || typeof address === "string") throw new Error("the link has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => link.close(resolve));
    },
  };
}

async function forwardSlowly(from: Socket, to: Socket): Promise<void> {
  for await (const bytes of from as AsyncIterable<Buffer>) {
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      to.write(bytes.subarray(start, start + CHUNK_BYTES));
      await wait(CHUNK_MILLISECONDS);
    }
  }
  to.end();
}
