import { type ChildProcess, fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Reply } from "./jobs.ts";

const STOP_MILLISECONDS = 10_000;

/**
 * A child process that runs jobs, one at a time. It exits when asked to, and also when this process is gone
 * for any reason.
 */
export class Child<Job extends object, Result> {
  readonly #process: ChildProcess;
  readonly #name: string;

  /** `stdout` is a file for the process's output; errors are printed here. */
  constructor(file: URL, options: { stdout?: string; exec_arguments?: readonly string[] } = {}) {
    const output = options.stdout === undefined ? null : openSync(options.stdout, "a");
    this.#name = basename(file.pathname, ".ts");
    this.#process = fork(fileURLToPath(file), {
      execArgv: [...process.execArgv, ...(options.exec_arguments ?? [])],
      stdio: ["ignore", output ?? "ignore", "inherit", "ipc"],
    });
    if (output !== null) closeSync(output);
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error(`${this.#name} did not start`);
    return pid;
  }

  /** Throws the process's error, or an error if it exits. */
  ask(job: Job): Promise<Result> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`${this.#name} exited with code ${code}`));
      this.#process.once("exit", onExit);
      this.#process.once("message", (reply: Reply<Result>) => {
        this.#process.off("exit", onExit);
        if ("failure" in reply) reject(new Error(`${this.#name}: ${reply.failure}`));
        else resolve(reply.result);
      });
      this.#process.send(job);
    });
  }

  /** Kills the process, as a crash would. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGKILL");
    await ended;
  }

  /** Resolves when the process has exited. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    if (this.#process.connected) this.#process.disconnect();
    const patience = new AbortController();
    const late = delay(STOP_MILLISECONDS, "late", { signal: patience.signal }).catch(() => null);
    if ((await Promise.race([ended, late])) === "late") this.#process.kill("SIGKILL");
    await ended;
    patience.abort();
  }
}
