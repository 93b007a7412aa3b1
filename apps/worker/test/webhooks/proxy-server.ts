import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";

/** Answers a CONNECT in another way than by a tunnel. */
export type Refusal = (socket: Socket, request: IncomingMessage) => void;

/** An HTTP proxy that opens a tunnel to this machine, for any address. */
export class ProxyServer {
  /** The host and port of each CONNECT. */
  readonly asked: string[] = [];
  readonly authorizations: (string | undefined)[] = [];
  /** Null: it opens the tunnel. */
  refusal: ((authority: string) => Refusal | null) | null = null;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #tls: boolean;

  private constructor(tls: { key: string; cert: string } | null) {
    this.#tls = tls !== null;
    this.#server = tls === null ? createServer() : createTlsServer(tls);
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("tlsClientError", () => {});
    this.#server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#tunnel(request, { socket, head }),
    );
  }

  static async start(tls: { key: string; cert: string } | null = null): Promise<ProxyServer> {
    const proxy = new ProxyServer(tls);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return this.#tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  }

  /** Connections that clients have to it. */
  get open(): number {
    return this.#sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #tunnel(request: IncomingMessage, { socket, head }: { socket: Socket; head: Buffer }): void {
    const authority = request.url ?? "";
    this.asked.push(authority);
    this.authorizations.push(request.headers["proxy-authorization"]);
    socket.on("error", () => {});
    const refuse = this.refusal?.(authority) ?? null;
    if (refuse !== null) {
      // Otherwise the server would not notice that the client closes.
      socket.resume().on("end", () => socket.destroy());
      refuse(socket, request);
      return;
    }
    let is_open = false;
    const receiver = connect(Number(authority.split(":").at(-1)), "127.0.0.1", () => {
      is_open = true;
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      receiver.write(head);
      receiver.pipe(socket).pipe(receiver);
    });
    receiver.on("error", () => {
      if (!is_open) socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    receiver.on("close", () => socket.destroy());
    socket.on("close", () => receiver.destroy());
  }
}
