import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { eventually } from "@findersfee/database/testing/eventually";

/** The server's script for a connection once a whole request has come. */
export type Script = (socket: Socket, request: string) => void;

/** In looks of ten milliseconds, of which a process has fewer that stands still: before a client would end a connection for being idle. */
const LOOKS = 350;

/** Resolves when a server's client has closed every connection. */
export async function isAlone(server: { readonly open: number }): Promise<void> {
  for (let looked = 0; server.open > 0; looked++) {
    if (looked === LOOKS) throw new Error(`${server.open} connections are open`);
    await delay(10);
  }
}

/** A server that sends the bytes of its script, HTTP or not. */
export class RawServer {
  script: Script;
  /** Connections that were made. */
  connections = 0;
  requests = 0;
  /** Runs the script at the first bytes received. */
  speaks_first = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(script: Script, tls: { key: string; cert: string } | null) {
    this.script = script;
    const onConnection = (socket: Socket) => this.#serve(socket);
    this.#server = tls === null ? createServer(onConnection) : createTlsServer(tls, onConnection);
    // In some tests, the client refuses the handshake.
    this.#server.on("tlsClientError", () => {});
  }

  static async start(script: Script, tls: { key: string; cert: string } | null = null): Promise<RawServer> {
    const server = new RawServer(script, tls);
    server.#server.on("connection", (socket: Socket) => {
      server.connections += 1;
      server.#sockets.add(socket);
      socket.on("close", () => server.#sockets.delete(socket));
    });
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections that are open. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Resolves when the client has closed every connection. */
  async isAlone(): Promise<void> {
    await isAlone(this);
  }

  /** Resolves when this many requests have arrived. */
  async hasRequests(count: number): Promise<void> {
    await eventually(() => {
      if (this.requests < count) throw new Error(`${this.requests} requests have come`);
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #serve(socket: Socket): void {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (this.speaks_first) this.script(socket, text);
      if (end === -1 || text.length < end + 4 + length) return;
      const request = text.slice(0, end + 4 + length);
      text = text.slice(end + 4 + length);
      this.requests += 1;
      this.script(socket, request);
    });
  }
}
