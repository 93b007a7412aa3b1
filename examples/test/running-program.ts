import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running program with an environment that contains only PATH. */
export class RunningProgram {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  #stdout = "";
  #stderr = "";

  constructor([command = "", ...parameters]: string[], environment: Record<string, string>, cwd?: string) {
    this.#child = spawn(command, parameters, {
      cwd,
      env: { PATH: process.env.PATH ?? "", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#closed = once(this.#child, "close");
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
  }

  /** All its output. */
  get output(): string {
    return this.#stdout + this.#stderr;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Resolves when it has exited. */
  async outcome(): Promise<Outcome> {
    await this.#closed;
    return { code: this.#child.exitCode, stdout: this.#stdout, stderr: this.#stderr };
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#closed;
  }
}
