import { connect, createServer, type Socket } from "node:net";

/** A proxy that delays bytes by half of a round trip in each direction. */
export async function startSlowNetwork(
  port: number,
  round_trip_milliseconds: number,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const service = connect({ port, host: "127.0.0.1", noDelay: true });
    delay(client, service, round_trip_milliseconds / 2);
    delay(service, client, round_trip_milliseconds / 2);
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

function delay(from: Socket, to: Socket, milliseconds: number): void {
  from.on("data", (chunk) => setTimeout(() => to.write(chunk), milliseconds));
  from.on("end", () => setTimeout(() => to.end(), milliseconds));
  from.on("error", () => to.destroy());
}
