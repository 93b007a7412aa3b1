import { eventually } from "@findersfee/database/testing/eventually";
import { freePort } from "@findersfee/database/testing/free-port";
import type { Delivery } from "./deliveries.ts";
import { RunningProgram } from "./running-program.ts";

export interface Address {
  port: number;
  url: string;
}

/** A subscriber's server in another language. */
export class Receiving {
  readonly #program: RunningProgram;
  readonly #url: string;

  private constructor(program: RunningProgram, url: string) {
    this.#program = program;
    this.#url = url;
  }

  /** The folder where a server can be started, after subscribing. */
  static async freeAddress(): Promise<Address> {
    const port = await freePort();
    return { port, url: `http://127.0.0.1:${port}/webhooks` };
  }

  /** Starts it; resolves when it responds or has exited. */
  static async start(
    command: (port: number) => Promise<string[]>,
    secrets: readonly string[],
    address?: Address,
  ): Promise<Receiving> {
    const { port, url } = address ?? (await Receiving.freeAddress());
    const environment = { PORT: String(port), WEBHOOK_SECRET: secrets.join(" ") };
    const program = new RunningProgram(await command(port), environment);
    const receiving = new Receiving(program, url);
    await eventually(async () => program.hasEnded || (await receiving.answerTo("", {})));
    return receiving;
  }

  /** The accepted events in its output: `<webhook-id> <type> <id of the resource>`. */
  get events(): string[] {
    const lines = this.#program.output.matchAll(/[0-9a-f-]{36} [a-z]+\.[a-z]+ [0-9a-f-]{36}/g);
    return [...lines].map(([line]) => line);
  }

  get hasEnded(): boolean {
    return this.#program.hasEnded;
  }

  /** Whether it accepts a delivery; rejected ones must get 400. */
  async takes({ id, timestamp, signature, body }: Delivery): Promise<boolean> {
    const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
    const status = await this.answerTo(body, headers);
    if (status !== 204 && status !== 400) throw new Error(`the receiver returned ${status}`);
    return status === 204;
  }

  /** The response's status. */
  async answerTo(body: string, headers: Record<string, string>): Promise<number> {
    const response = await fetch(this.#url, { method: "POST", body, headers });
    await response.arrayBuffer();
    return response.status;
  }

  async stop(): Promise<void> {
    await this.#program.stop();
  }
}
