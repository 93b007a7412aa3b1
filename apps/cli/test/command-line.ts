import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { UNOPTIMIZED } from "@findersfee/database/testing/node-options";
import { inject } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export type Environment = Record<string, string>;
/** The user that a process runs as, its folder, and the file that Node runs. */
export type Identity = Pick<SpawnOptions, "uid" | "gid" | "cwd"> & { program?: string };

/**
 * The configuration of a service on a database, at any port, that also delivers to receivers on this machine.
 */
export function serviceEnvironment(DATABASE_URL: string, changes: Environment = {}): Environment {
  return {
    DATABASE_URL,
    SECRETS_KEY: randomBytes(32).toString("base64"),
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOW_PRIVATE: "true",
    PORT: "0",
    ...changes,
  };
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A `findersfee` process with an environment that contains only PATH. */
export class CommandLine {
  readonly child: ChildProcess;
  stdout = "";
  stderr = "";
  /** Resolves when it has exited and all its output has been read. */
  protected readonly closed: Promise<void>;
  protected hasClosed = false;

  constructor(
    parameters: string[],
    environment: Environment,
    { program = inject("program"), ...identity }: Identity = {},
  ) {
    this.child = spawn(process.execPath, [...UNOPTIMIZED, program, ...parameters], {
      cwd: ROOT,
      ...identity,
      env: { PATH: process.env.PATH ?? "", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    // Not chunks of bytes: one may end within a character.
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.closed = once(this.child, "close").then(() => {
      this.hasClosed = true;
    });
  }

  /** Resolves when the process has exited. */
  async outcome(): Promise<Outcome> {
    await this.closed;
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  /** Resolves with the match of `pattern` in the output, once there is one. */
  async says(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.stdout);
      if (found !== null) return found[1] ?? found[0];
      if (this.hasClosed)
        throw new Error(`The process exited before printing ${pattern}: ${this.stdout}${this.stderr}`);
      await Promise.race([once(this.child.stdout ?? this.child, "data"), this.closed]);
    }
  }

  async end(signal: NodeJS.Signals): Promise<Outcome> {
    this.child.kill(signal);
    return await this.outcome();
  }
}

/** Runs a command until it exits: `findersfee("org list --json", …)`. */
export function findersfee(parameters: string | string[], environment: Environment): Promise<Outcome> {
  const list = typeof parameters === "string" ? parameters.split(" ").filter(Boolean) : parameters;
  return new CommandLine(list, environment).outcome();
}
