import { createSocket, type Socket } from "node:dgram";

const TXT = 16;
const IN = 1;
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;
const HEADER_BYTES = 12;

/** A DNS server on loopback, with the TXT records of a map. */
export interface NameServer {
  /** As resolvers take it: `127.0.0.1:5353`. */
  address: string;
  /** Texts by name. Names without any do not exist. */
  records: Map<string, string[]>;
  /** Whether it answers, fails, or is silent. */
  mode: "answers" | "fails" | "silent";
  /** The names that it was asked for. */
  asked: string[];
  close(): Promise<void>;
}

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records: new Map(),
    mode: "answers",
    asked: [],
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on("message", (query, { port, address }) => answer(socket, server, { query, port, address }));
  return server;
}

function answer(
  socket: Socket,
  server: NameServer,
  { query, port, address }: { query: Buffer; port: number; address: string },
): void {
  const { name, question } = questionOf(query);
  server.asked.push(name);
  if (server.mode === "silent") return;
  const texts = server.mode === "fails" ? [] : (server.records.get(name) ?? []);
  const found = texts.length > 0 ? NO_ERROR : NO_SUCH_NAME;
  socket.send(
    respond(query, question, { texts, code: server.mode === "fails" ? SERVER_FAILURE : found }),
    port,
    address,
  );
}

/** RFC 1035, 4.1.2: labels with their lengths, then type and class. */
function questionOf(query: Buffer): { name: string; question: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), question: query.subarray(HEADER_BYTES, at + 5) };
}

function respond(
  query: Buffer,
  question: Buffer,
  { texts, code }: { texts: string[]; code: number },
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  // A response with recursion, to one question.
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(texts.length, 6);
  return Buffer.concat([header, question, ...texts.map(recordOf)]);
}

/** A record of the name at the beginning of the question, in strings of at most 255 bytes. */
function recordOf(text: string): Buffer {
  const strings = (text.match(/.{1,255}/gs) ?? [""]).map((part) =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part, "latin1")]),
  );
  const data = Buffer.concat(strings);
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(IN, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
