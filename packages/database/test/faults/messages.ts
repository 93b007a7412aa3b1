/** A message of Postgres' protocol, version 3: a type of one character, and the whole message as it was sent. */
export interface Message {
  /** Empty for the first messages of a client, which have none. */
  type: string;
  bytes: Buffer;
}

const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;

/** Splits a stream into messages, wherever its chunks end. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);
  #is_typed: boolean;

  /** A client's first messages have no type; a server's all have one. */
  constructor(side: "client" | "server") {
    this.#is_typed = side === "server";
  }

  read(chunk: Buffer): Message[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const messages: Message[] = [];
    for (let message = this.#next(); message !== null; message = this.#next()) messages.push(message);
    return messages;
  }

  #next(): Message | null {
    const length_at = this.#is_typed ? 1 : 0;
    if (this.#rest.length < length_at + 4) return null;
    const end = length_at + this.#rest.readInt32BE(length_at);
    if (this.#rest.length < end) return null;
    const bytes = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    const message = { type: this.#is_typed ? String.fromCharCode(bytes[0] ?? 0) : "", bytes };
    // After a request for encryption, the client sends its startup message, which has no type either.
    if (message.type === "" && !isEncryptionRequest(message)) this.#is_typed = true;
    return message;
  }
}

export function isEncryptionRequest({ type, bytes }: Message): boolean {
  if (type !== "") return false;
  const code = bytes.readInt32BE(4);
  return code === SSL_REQUEST || code === GSS_REQUEST;
}

/** The strings of a message that ends each with a zero byte, from an offset on. */
export function stringsOf({ bytes }: Message, count: number, offset = 5): string[] {
  const strings: string[] = [];
  for (let start = offset; strings.length < count && start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    strings.push(bytes.toString("utf8", start, end));
    start = end + 1;
  }
  return strings;
}

/** A simple query. */
export function query(sql: string): Buffer {
  return typed("Q", `${sql}\0`);
}

/** Ends the session in order. */
export const TERMINATE = typed("X", "");

/** As the server reports that it ends a connection, or does not begin one. */
export function fatal(code: string): Buffer {
  return typed("E", `SFATAL\0VFATAL\0C${code}\0Mthe connection ends, by a fault of the test\0\0`);
}

function typed(type: string, body: string): Buffer {
  const bytes = Buffer.alloc(5 + Buffer.byteLength(body));
  bytes.write(type, 0, "latin1");
  bytes.writeInt32BE(bytes.length - 1, 1);
  bytes.write(body, 5, "utf8");
  return bytes;
}
