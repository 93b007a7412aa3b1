import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { waitForResult } from "@findersfee/database/testing/eventually";
import { migrateQueue } from "@findersfee/database/work/queue";
import { sampleSignature } from "@findersfee/samples/stripe/signature";
import { CommandLine, type Environment, serviceEnvironment } from "../../command-line.ts";
import type { Program } from "./program.ts";

const ANSWERS_MILLISECONDS = 60_000;
const BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36";

/** An api and two workers, each a separate process, on a separate database. */
export class Service {
  readonly test: TestDatabase;
  readonly environment: Environment;
  readonly #workers: CommandLine[] = [];
  #api: CommandLine;
  #url = "";

  private constructor(test: TestDatabase, environment: Environment) {
    this.test = test;
    this.environment = environment;
    this.#api = new CommandLine(["api"], environment);
  }

  static async start(): Promise<Service> {
    const test = await createTestDatabase();
    await migrateQueue(test.url);
    const environment = serviceEnvironment(test.url, {
      LOG_LEVEL: "fatal",
      RATE_LIMIT_PER_MINUTE: "0",
      TRACK_LIMIT_PER_MINUTE: "0",
      WORKER_LEASE_SECONDS: "3",
    });
    const service = new Service(test, environment);
    await Promise.all([service.#apiServes(), service.#startWorker(), service.#startWorker()]);
    return service;
  }

  /** The key that encrypts secrets. */
  get secrets_key(): Buffer {
    return Buffer.from(this.environment.SECRETS_KEY ?? "", "base64");
  }

  async end(): Promise<void> {
    await Promise.all([this.#api, ...this.#workers].map((process) => process.end("SIGTERM")));
    await this.test.close();
  }

  async killWorker(): Promise<void> {
    const [worker] = this.#workers.splice(0, 1);
    await worker?.end("SIGKILL");
    await this.#startWorker();
  }

  async killApi(): Promise<void> {
    await this.#api.end("SIGKILL");
    this.#api = new CommandLine(["api"], this.environment);
    await this.#apiServes();
  }

  async #apiServes(): Promise<void> {
    this.#url = await this.#api.says(/served at (http:\S+)\/v1/);
  }

  async #startWorker(): Promise<void> {
    const worker = new CommandLine(["worker"], this.environment);
    this.#workers.push(worker);
    await worker.says(/The worker is running/);
  }

  /** Sends an event to an organization like Stripe, retrying until it is acknowledged. */
  async report({ organization_id, secret }: Program, body: string): Promise<void> {
    await this.#ask(`/processors/stripe/${organization_id}`, {
      body,
      headers: async () => ({
        "content-type": "application/json",
        "stripe-signature": await sampleSignature(body, secret),
      }),
    });
  }

  /** Follows an affiliate's link as a visitor; returns the click's id. */
  async click({ publishable_key: key }: Program, code: string): Promise<string> {
    const answer: { data: { click_id: string | null } } = JSON.parse(
      await this.#ask("/track/click", {
        body: JSON.stringify({ key, code }),
        headers: async () => ({ "user-agent": BROWSER }),
      }),
    );
    if (answer.data.click_id === null) throw new Error(`a click on ${code} does not count`);
    return answer.data.click_id;
  }

  async #ask(
    path: string,
    { body, headers }: { body: string; headers: () => Promise<Record<string, string>> },
  ): Promise<string> {
    return await waitForResult(ANSWERS_MILLISECONDS, async () => {
      const request = { method: "POST", body, headers: await headers() };
      const response = await fetch(`${this.#url}${path}`, request).catch(() => null);
      if (response === null || response.status >= 500) return null;
      const text = await response.text().catch(() => "");
      if (text === "") return null;
      if (response.status !== 200) throw new Error(`${response.status} ${text}`);
      return text;
    });
  }
}
