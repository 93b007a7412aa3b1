import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A response received over a raw connection. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests validate the bodies
  body: any;
}

const PATIENCE_MILLISECONDS = 60_000;

/** A connection that can send malformed HTTP. */
export class RawConnection {
  readonly socket: Socket;
  /** The error that closed the connection, or null for an orderly end. */
  readonly ended: Promise<Error | null>;
  private received: Buffer = Buffer.alloc(0);
  /** Called when data has arrived, or no more will. */
  private notice: () => void = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.notice();
    });
    socket.on("end", () => {
      socket.end();
      this.notice();
    });
    this.ended = new Promise((resolve) => {
      let failure: Error | null = null;
      socket.on("error", (error) => {
        failure = error;
      });
      socket.on("close", () => {
        resolve(failure);
        this.notice();
      });
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  write(data: string | Buffer): void {
    this.socket.write(typeof data === "string" ? Buffer.from(data, "latin1") : data);
  }

  /** The next response; null when the connection ended without one. */
  async answer(): Promise<RawAnswer | null> {
    for (;;) {
      const answer = this.takeAnswer();
      if (answer !== null) return answer;
      if (this.socket.closed || this.socket.readableEnded) return null;
      await this.change();
    }
  }

  private change(): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new Error(`no response; received: ${this.received}`));
      const timer = setTimeout(refuse, PATIENCE_MILLISECONDS);
      this.notice = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private takeAnswer(): RawAnswer | null {
    const text = this.received.toString("latin1");
    const end_of_head = text.indexOf("\r\n\r\n");
    if (end_of_head === -1) return null;
    const [start = "", ...lines] = text.slice(0, end_of_head).split("\r\n");
    const headers = new Headers(lines.map((line): [string, string] => split(line)));
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1]);
    if (status === 100) {
      this.received = this.received.subarray(end_of_head + 4);
      return this.takeAnswer();
    }
    const rest = this.received.subarray(end_of_head + 4);
    const framed = headers.has("content-length")
      ? sized(rest, Number(headers.get("content-length")))
      : chunked(rest);
    if (framed === null) return null;
    this.received = framed.left;
    const body = framed.body.toString("utf8");
    return { status, headers, text: body, body: body.startsWith("{") ? JSON.parse(body) : null };
  }
}

interface Framed {
  body: Buffer;
  /** The data after the body. */
  left: Buffer;
}

function sized(received: Buffer, length: number): Framed | null {
  if (received.length < length) return null;
  return { body: received.subarray(0, length), left: received.subarray(length) };
}

function chunked(received: Buffer): Framed | null {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end_of_size = received.indexOf("\r\n", at);
    if (end_of_size === -1) return null;
    const size = Number.parseInt(received.toString("latin1", at, end_of_size), 16);
    at = end_of_size + 2 + size + 2;
    if (received.length < at) return null;
    if (size === 0) return { body: Buffer.concat(chunks), left: received.subarray(at) };
    chunks.push(received.subarray(end_of_size + 2, at - 2));
  }
}

function split(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** Sends a text over a new connection and returns the first response. */
export async function sendRaw(url: string, data: string | Buffer): Promise<RawAnswer> {
  const connection = await RawConnection.open(url);
  try {
    connection.write(data);
    const answer = await connection.answer();
    if (answer === null) throw new Error("the connection ended without a response");
    return answer;
  } finally {
    connection.close();
  }
}

/** A request head; `{ host: null }` omits a header. */
export function head(start: string, headers: Record<string, string | null> = {}): string {
  const all: Record<string, string | null> = { host: "localhost", ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return `${[start, ...lines].join("\r\n")}\r\n\r\n`;
}
