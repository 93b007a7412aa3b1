import { z } from "zod";

const answerSchema = z.object({ result: z.object({ data: z.unknown() }) });

const failureSchema = z.object({
  error: z.object({
    message: z.string(),
    data: z.object({ issues: z.array(z.object({ path: z.string(), message: z.string() })).default([]) }),
  }),
});

/** The service rejected an operation of the dashboard. */
export class RejectedError extends Error {
  override readonly name = "RefusedError";
  readonly issues: readonly { path: string; message: string }[];

  constructor(message: string, issues: readonly { path: string; message: string }[]) {
    super(message);
    this.issues = issues;
  }
}

/** Calls the dashboard's tRPC operations; tRPC has no client here. */
export class Dashboard {
  readonly #base_url: string;
  readonly #key: string;
  readonly #signal: AbortSignal;

  constructor(base_url: string, key: string, signal: AbortSignal) {
    this.#base_url = base_url;
    this.#key = key;
    this.#signal = signal;
  }

  /** Reads, as in `query("endpoints.list", {}, schema)`. */
  async query<Data>(operation: string, input: object, schema: z.ZodType<Data>): Promise<Data> {
    const query = new URLSearchParams({ input: JSON.stringify(input) });
    return await this.#call(`${operation}?${query}`, { method: "GET", signal: this.#signal }, schema);
  }

  /** Changes data. */
  async mutate<Data>(operation: string, input: object, schema: z.ZodType<Data>): Promise<Data> {
    const body = JSON.stringify(input);
    return await this.#call(operation, { method: "POST", body, signal: this.#signal }, schema);
  }

  /** Cleans up, even after an interrupted demo. */
  async deleteEndpoint(id: string): Promise<void> {
    const body = JSON.stringify({ id });
    await this.#call("endpoints.delete", { method: "POST", body }, z.unknown());
  }

  async #call<Data>(path: string, init: RequestInit, schema: z.ZodType<Data>): Promise<Data> {
    const headers = { authorization: `Bearer ${this.#key}`, "content-type": "application/json" };
    const response = await fetch(`${this.#base_url}/trpc/dashboard.${path}`, { ...init, headers });
    const answer: unknown = JSON.parse(await response.text());
    const failure = failureSchema.safeParse(answer).data?.error;
    if (failure !== undefined) throw new RejectedError(failure.message, failure.data.issues);
    return schema.parse(answerSchema.parse(answer).result.data);
  }
}
