import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Commands of a document in a shell, which stops at the first that fails. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #code: string;
  readonly #closed: Promise<void>;
  #hasClosed = false;
  /** Those who wait for output. */
  readonly #waiting: (() => void)[] = [];
  /** Both streams, in the order in which they came. */
  output = "";

  constructor(code: string, cwd: string, env: NodeJS.ProcessEnv) {
    this.#code = code;
    // A group of processes, so that Ctrl-C reaches all of them, as in a terminal.
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const child = spawn("bash", ["-euo", "pipefail", "-c", code], {
      cwd,
      env,
      detached: true,
      stdio: [...stdio],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.output += chunk;
        this.#wake();
      });
    }
    this.#closed = once(child, "close").then(() => {
      this.#hasClosed = true;
      this.#wake();
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves with the match of `pattern` in the output, once there is one. */
  async says(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found !== null) return found[1] ?? found[0];
      if (this.#hasClosed) throw new Error(`It ended before printing ${pattern}: ${this.output}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** The exit code and the output, once it has ended. */
  async outcome(): Promise<{ code: number | null; output: string }> {
    await this.#closed;
    return { code: this.#child.exitCode, output: this.output };
  }

  /**
   * The output, once it has ended.
   *
   * @throws if a command failed
   */
  async succeeds(): Promise<string> {
    const { code, output } = await this.outcome();
    if (code !== 0) throw new Error(`exit code ${code} of\n${this.#code}\n${output}`);
    return output;
  }

  /** Ends all of its processes, as Ctrl-C does. */
  async interrupt(): Promise<void> {
    if (!this.#hasClosed) process.kill(-(this.#child.pid ?? 0), "SIGINT");
    await this.#closed;
  }
}
