import { connect, createServer, type Socket } from "node:net";

const ONE_WAY_MILLISECONDS = 20;

/** A proxy that delays bytes by 20 ms in each direction, as a connection with a round trip of 40 ms. */
export async function startSlowNetwork(port: number): Promise<{ port: number; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const service = connect({ port, host: "127.0.0.1", noDelay: true });
    delay(client, service);
    delay(service, client);
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function delay(from: Socket, to: Socket): void {
  from.on("data", (chunk) => setTimeout(() => to.write(chunk), ONE_WAY_MILLISECONDS));
  from.on("end", () => setTimeout(() => to.end(), ONE_WAY_MILLISECONDS));
  from.on("error", () => to.destroy());
}
