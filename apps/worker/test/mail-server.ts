import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { eventually } from "@findersfee/database/testing/eventually";
import { freePort } from "@findersfee/database/testing/free-port";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

/** A mail that a server took. */
export interface ReceivedMail {
  /** The sender of the envelope. */
  sender: string;
  /** Of the envelope: who gets it. */
  recipients: string[];
  headers: Record<string, string>;
  text: string;
  /** Of a mail in both forms; null: it has none. */
  html: string | null;
}

/** The refused part: the connection, the sender, a recipient (then of this address), or the message. */
export interface Refusal {
  at: "connection" | "sender" | "recipient" | "message";
  code: number;
  recipient?: string;
}

type Answer = (error?: Error) => void;

/** A real SMTP server that stores accepted mails. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  connections = 0;
  refusal: Refusal | null = null;
  /** The credentials of the log-in, `user:password`. */
  login: string | null = null;
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      // It has no certificate that anybody would trust.
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 0,
      onAuth: ({ username, password }, _, callback) => {
        this.login = `${username}:${password}`;
        callback(null, { user: username });
      },
      onConnect: (_, callback) => {
        this.connections += 1;
        this.#decide("connection", callback);
      },
      onMailFrom: (_, __, callback) => this.#decide("sender", callback),
      onRcptTo: ({ address }, _, callback) => this.#decide("recipient", callback, address),
      onData: (stream, session, callback) => {
        text(stream).then((source) => {
          this.#decide("message", (error) => {
            if (error === undefined) this.received.push(readMail(source, session));
            callback(error);
          });
        }, callback);
      },
    });
    // In some tests, a client breaks off.
    this.#server.on("error", () => {});
  }

  /** On the port, or on a free one at which it can start again. */
  static async start(port?: number): Promise<MailServer> {
    const server = new MailServer();
    await once(server.#server.listen(port ?? (await freePort()), "127.0.0.1"), "listening");
    return server;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** Resolves when this many mails have arrived. */
  async has(count: number): Promise<void> {
    await eventually(
      () => {
        if (this.received.length < count)
          throw new Error(`${this.received.length} of ${count} mails have come`);
      },
      { interval: 10 },
    );
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #decide(at: Refusal["at"], answer: Answer, recipient?: string): void {
    const { refusal } = this;
    const isRefused =
      refusal?.at === at && (refusal.recipient === undefined || refusal.recipient === recipient);
    if (!isRefused) {
      answer();
      return;
    }
    answer(Object.assign(new Error("refused by the test"), { responseCode: refusal.code }));
  }
}

function readMail(source: string, { envelope }: SMTPServerSession): ReceivedMail {
  const { headers, body } = readPart(source);
  const boundary = /^multipart\/alternative; boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1];
  const parts = boundary === undefined ? [{ headers, body }] : partsOf(body, boundary);
  const html = parts.find((part) => part.headers["content-type"]?.startsWith("text/html"));
  return {
    sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
    recipients: envelope.rcptTo.map(({ address }) => address),
    headers,
    text: decode(parts[0] ?? { headers, body: "" }),
    html: html === undefined ? null : decode(html),
  };
}

interface Part {
  headers: Record<string, string>;
  body: string;
}

function readPart(source: string): Part {
  const end = source.indexOf("\r\n\r\n");
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      decodeWords(line.slice(line.indexOf(":") + 2)),
    ]),
  );
  return { headers, body: source.slice(end + 4) };
}

/** Decodes the encoded words of RFC 2047 that nodemailer makes. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?= (?==\?UTF-8\?Q\?)/g, "?=")
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=/g, (_, word: string) =>
      decoded(word.replaceAll("_", " "), "quoted-printable"),
    );
}

function partsOf(body: string, boundary: string): Part[] {
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => readPart(part.replace(/^\r\n/, "").replace(/\r\n$/, "")));
}

function decode({ headers, body }: Part): string {
  return decoded(body, headers["content-transfer-encoding"]).replaceAll("\r\n", "\n");
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
