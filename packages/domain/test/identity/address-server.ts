import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv4 } from "node:net";

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NO_SUCH_NAME = 3;

/** Addresses of a name; null: there is no such name; "silence": no answer at all. */
export type NameAnswer = string[] | null | "silence";

/** The answer to a question; `times`: how often the name was asked for with this type, this time included. */
export type NameScript = (name: string, asked: { times: number; type: "A" | "AAAA" }) => NameAnswer;

/** A name server (RFC 1035, as much of it as a resolver asks for) that gives a test's answers. */
export class NameServer {
  readonly #asked = new Map<string, number>();
  readonly #socket: Socket = createSocket("udp4");
  readonly #answer: NameScript;

  private constructor(answer: NameScript) {
    this.#answer = answer;
  }

  static async start(answer: NameScript): Promise<NameServer> {
    const server = new NameServer(answer);
    server.#socket.on("message", (query, { port, address }) => {
      const reply = server.#reply(query);
      if (reply !== null) server.#socket.send(reply, port, address);
    });
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, "close");
  }

  #reply(query: Buffer): Buffer | null {
    const { name, type, end } = question(query);
    const key = `${name} ${type}`;
    const times = (this.#asked.get(key) ?? 0) + 1;
    this.#asked.set(key, times);
    const answer = this.#answer(name, { times, type: type === TYPE_A ? "A" : "AAAA" });
    if (answer === "silence") return null;
    const matching = (answer ?? []).filter((address) => (isIPv4(address) ? TYPE_A : TYPE_AAAA) === type);
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (answer === null ? NO_SUCH_NAME : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(matching.length, 6);
    return Buffer.concat([
      head,
      query.subarray(12, end),
      ...matching.map((address) => record(address, type)),
    ]);
  }
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** An answer for the name of the question, good for no time at all. */
function record(address: string, type: number): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split(".").map(Number)) : v6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function v6Bytes(address: string): Buffer {
  const [head = "", tail = ""] = address.split("::");
  const [first, last] = [head, tail].map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => "0");
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...(first ?? []), ...zeros, ...(last ?? [])].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  }
  return bytes;
}
