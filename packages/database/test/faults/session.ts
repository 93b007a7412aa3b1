import type { Socket } from "node:net";
import { FAULTS, type Fault, type FaultKind } from "./kinds.ts";
import {
  fatal,
  isEncryptionRequest,
  type Message,
  MessageReader,
  query,
  stringsOf,
  TERMINATE,
} from "./messages.ts";

/** Chooses how a call fails, or null: it does not. `sql` is `connect` for the beginning of a session. */
export type Decide = (sql: string, in_transaction: boolean) => FaultKind | null;

interface Call {
  fault: Fault | null;
  sql: string;
  /** Whether the client has sent all of it. */
  is_asked: boolean;
  /** Whether the server got a statement that fails in its place. */
  is_replaced: boolean;
  /** The answers that the client does not get, or not yet. */
  withheld: Message[];
}

/** Messages of the server that belong to no call: notices, parameters, notifications. */
const UNASKED = new Set(["N", "S", "A"]);
/** Answers that a client waits for before it sends the rest of its call: about its login, or its parameters. */
const INTERIM = new Set(["R", "1", "t", "T", "n", "E"]);
/** Messages of the client that belong to the current call: passwords, and rows of COPY. */
const WITHIN = new Set(["p", "d", "c", "f"]);

const CONNECT = "connect";
const ROLLS_BACK = /^\s*rollback\b/i;
const COMMITS = /^\s*(commit|end)\b/i;

/** One client's connection through the proxy, call by call: up to each `ReadyForQuery` of the server. */
export class Session {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #decide: Decide;
  readonly #from_client = new MessageReader("client");
  readonly #from_server = new MessageReader("server");
  /** Prepared statements by name. */
  readonly #statements = new Map<string, string>();
  /** Messages of the client that are not yet passed on. */
  readonly #queue: Message[] = [];
  #call: Call | null = null;
  /** `I`: in no transaction; `T`: in one; `E`: in one that failed. */
  #status = "I";
  #is_silent = false;
  #is_over = false;
  /** How the client learns that its session ended: once the server has released its locks, so that a repetition finds none. */
  #part: () => void;

  constructor(client: Socket, server: Socket, decide: Decide) {
    this.#client = client;
    this.#server = server;
    this.#decide = decide;
    this.#part = () => client.destroy();
    client.on("error", () => {});
    server.on("error", () => {});
    client.on("data", (chunk) => {
      for (const message of this.#from_client.read(chunk)) this.#onClient(message);
    });
    server.on("data", (chunk) => {
      for (const message of this.#from_server.read(chunk)) this.#onServer(message);
    });
    client.on("close", () => this.#onEnd());
    server.on("close", () => {
      if (!this.#is_silent) this.#part();
    });
  }

  /** Whether nothing comes through. */
  get is_silent(): boolean {
    return this.#is_silent;
  }

  /** Forwards the withheld messages, and all later ones. */
  release(): void {
    if (!this.#is_silent) return;
    this.#is_silent = false;
    if (this.#client.destroyed) this.#leave();
    else if (this.#server.destroyed) this.#client.destroy();
    else this.#goOn();
  }

  #goOn(): void {
    const withheld = this.#call?.withheld.splice(0) ?? [];
    if (this.#call !== null) this.#call.fault = null;
    for (const message of withheld) this.#onServer(message);
    this.#server.resume();
    this.#advance();
  }

  /** Resets the connection, wherever it stands. */
  cut(): void {
    this.#is_silent = false;
    this.#client.resetAndDestroy();
    this.#leave();
  }

  /** The server does not hear of it while nothing comes through. */
  #onEnd(): void {
    if (!this.#is_silent) this.#leave();
  }

  #leave(): void {
    this.#is_over = true;
    this.#server.end(TERMINATE);
  }

  #onClient(message: Message): void {
    if (this.#is_over) return;
    if (isEncryptionRequest(message)) this.#client.write("N");
    else if (message.type === "X") this.#onEnd();
    else if (WITHIN.has(message.type)) this.#server.write(message.bytes);
    else {
      this.#queue.push(message);
      this.#advance();
    }
  }

  /** Forwards the client's messages up to the end of the current call. */
  #advance(): void {
    while (!this.#is_silent && this.#call?.is_asked !== true) {
      const [message] = this.#queue;
      if (message === undefined) return;
      this.#call ??= this.#open(message);
      if (this.#call === null || this.#is_silent) return;
      this.#queue.shift();
      this.#noteStatement(message);
      if (["", "Q", "S"].includes(message.type)) this.#call.is_asked = true;
      if (this.#call.is_replaced) this.#endReplaced(this.#call);
      else this.#server.write(message.bytes);
    }
  }

  /** Returns null when the connection has ended over it. */
  #open(message: Message): Call | null {
    const sql = this.#sqlOf(message);
    const call: Call = { fault: null, sql, is_asked: false, is_replaced: false, withheld: [] };
    // A lone Sync message is not a call.
    const kind = message.type === "S" ? null : this.#decide(sql, this.#status !== "I");
    if (kind === null) return call;
    const fault = FAULTS[kind];
    if (fault.moment === "after") return { ...call, fault };
    if (fault.outcome === "silent") this.#silence();
    else if (fault.outcome === "cut" || this.#cannotFail(sql)) return this.#end();
    else if (sql === CONNECT) return this.#end("53300");
    else {
      call.is_replaced = true;
      this.#raise(fault.outcome.error);
    }
    return call;
  }

  /** Ends the session: with this SQLSTATE of the server, or by a reset of the connection. */
  #end(code?: string): null {
    this.#part = () => {
      if (code === undefined) this.#client.resetAndDestroy();
      else this.#client.end(fatal(code));
    };
    this.#leave();
    return null;
  }

  #silence(): void {
    this.#is_silent = true;
    this.#server.pause();
  }

  /** Whether no statement can fail here: the end of a failed transaction only does with its connection. */
  #cannotFail(sql: string): boolean {
    return this.#status === "E" || ROLLS_BACK.test(sql);
  }

  /** The server raises the error itself, so that both sides agree about the transaction. */
  #raise(code: string): void {
    this.#server.write(
      query(`do $$ begin raise exception using errcode = '${code}', message = 'a fault of the test'; end $$`),
    );
  }

  #onServer(message: Message): void {
    const call = this.#call;
    if (this.#is_silent && call !== null) call.withheld.push(message);
    else if (call === null || UNASKED.has(message.type)) this.#client.write(message.bytes);
    else if (call.is_replaced) this.#onReplaced(call, message);
    else if (call.fault !== null) this.#onSwallowed(call, message);
    else this.#answer(message);
  }

  #answer(message: Message): void {
    this.#client.write(message.bytes);
    if (message.type !== "Z") return;
    this.#status = String.fromCharCode(message.bytes[5] ?? 0);
    this.#call = null;
    this.#advance();
  }

  /** The client gets the error now, and that the server is ready once it has sent its whole call. */
  #onReplaced(call: Call, message: Message): void {
    if (message.type === "E") this.#client.write(message.bytes);
    if (message.type !== "Z") return;
    const status = String.fromCharCode(message.bytes[5] ?? 0);
    // A commit that fails ends its transaction.
    if (status === "E" && COMMITS.test(call.sql)) {
      this.#server.write(query("rollback"));
      return;
    }
    call.withheld.push(message);
    this.#endReplaced(call);
  }

  #endReplaced(call: Call): void {
    const [ready] = call.withheld;
    if (call.is_asked && ready !== undefined) this.#answer(ready);
  }

  #onSwallowed(call: Call, message: Message): void {
    if (INTERIM.has(message.type)) {
      this.#client.write(message.bytes);
      return;
    }
    call.withheld.push(message);
    if (message.type !== "Z") return;
    if (call.fault?.outcome === "silent") this.#silence();
    else this.#end(call.fault?.outcome === "cut" ? undefined : "57P01");
  }

  #sqlOf(message: Message): string {
    switch (message.type) {
      case "":
        return CONNECT;
      case "Q":
        return stringsOf(message, 1)[0] ?? "";
      case "P":
        return stringsOf(message, 2)[1] ?? "";
      case "B":
        return this.#statements.get(stringsOf(message, 2)[1] ?? "") ?? "";
      default:
        return "";
    }
  }

  #noteStatement(message: Message): void {
    if (message.type !== "P") return;
    const [name = "", sql = ""] = stringsOf(message, 2);
    this.#statements.set(name, sql);
  }
}
