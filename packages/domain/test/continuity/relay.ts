import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** An address with a server that changes, like the address of a cluster's primary. */
export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #url: URL;
  #target: URL | null;

  private constructor(url: string) {
    this.#url = new URL(url);
    this.#target = new URL(url);
    this.#server = createServer((client) => this.#relay(client));
  }

  /** An address that leads to the server of the URL. */
  static async to(url: string): Promise<Relay> {
    const relay = new Relay(url);
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  get url(): string {
    const url = new URL(this.#url);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** Closes all connections; new ones lead to the server of the URL. Null: nothing is answered. */
  lead(url: string | null): void {
    this.#target = url === null ? null : new URL(url);
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.lead(null);
    this.#server.close();
    await once(this.#server, "close");
  }

  #relay(client: Socket): void {
    this.#follow(client);
    if (this.#target === null) return;
    const server = connect(Number(this.#target.port), "127.0.0.1");
    this.#follow(server);
    client.pipe(server).pipe(client);
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
  }

  #follow(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    // The other end of the socket sees the error.
    socket.on("error", () => socket.destroy());
  }
}
