import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { genericHeaders } from "@findersfee/domain/testing/processors/signed";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { SECRETS_KEY, subscribe } from "@findersfee/worker/testing/subscriptions";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";
import { CAMPAIGN, post } from "../webhooks/posting.ts";
import { OtlpReceiver, type ReceivedSpan } from "./otlp-receiver.ts";

const KINDS = { server: 2, client: 3, consumer: 5 };
const CALLER = "00f067aa0ba902b7";

let test: TestDatabase;
let subscriber: Receiver;
let collector: OtlpReceiver;
let folder: string;
let environment: Environment;
let api_key: string;
let organization_id: string;
let campaign_id: string;
let running: CommandLine[] = [];
let traces = 0;

beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "findersfee-traces-"));
  environment = serviceEnvironment(test.url, { SECRETS_KEY: SECRETS_KEY.toString("base64") });
  const created = await findersfee("org create --name Traced --json", environment);
  ({ organization_id } = JSON.parse(created.stdout));
  const key = `key create --org ${organization_id} --scopes read,write,admin --json`;
  api_key = JSON.parse((await findersfee(key, environment)).stdout).api_key;
  subscriber = await Receiver.start();
  await subscribe(test.database, organization_id, subscriber.url("/hooks/secret-of-the-owner?token=s3cret"));
  const { url } = await serve("api");
  campaign_id = (await post({ url, api_key }, "/campaigns", CAMPAIGN)).id;
  await stop();
});

beforeEach(async () => {
  collector = await OtlpReceiver.start();
  subscriber.received.length = 0;
});

afterEach(async () => {
  await stop();
  await collector.close();
});

afterAll(async () => {
  await subscriber.close();
  await rm(folder, { recursive: true });
  await test.close();
});

async function serve(command: "api" | "worker" | "start", changes: Environment = {}) {
  const service = new CommandLine([command], { ...environment, ...changes });
  running.push(service);
  if (command === "worker") await service.says(/The worker is running/);
  const url =
    command === "api"
      ? await service.says(/served at (http:\S+)\/v1/)
      : command === "start"
        ? await service.says(/API +(http:\S+)\/v1/)
        : "";
  return { service, url };
}

async function stop() {
  const ended = await Promise.all(running.map((service) => service.end("SIGTERM")));
  running = [];
  return ended;
}

const sending = (changes: Environment = {}): Environment => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_BSP_SCHEDULE_DELAY: "50",
  ...changes,
});

function newTrace(sampled = true): { trace_id: string; traceparent: string } {
  traces += 1;
  const trace_id = `4bf92f3577b34da6a3ce929d0e0e${traces.toString(16).padStart(4, "0")}`;
  return { trace_id, traceparent: `00-${trace_id}-${CALLER}-${sampled ? "01" : "00"}` };
}

async function ask(url: string, headers: Record<string, string>, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, { ...init, headers: { authorization: `Bearer ${api_key}`, ...headers } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}

const addAffiliate = (url: string, email: string, traceparent: string) =>
  ask(
    `${url}/v1/affiliates`,
    { traceparent, "content-type": "application/json" },
    { method: "POST", body: JSON.stringify({ email }) },
  );

function find(spans: ReceivedSpan[], wanted: (span: ReceivedSpan) => boolean): ReceivedSpan {
  const found = spans.find(wanted);
  if (found === undefined) throw new Error(`no such span among ${spans.map(({ name }) => name).join(", ")}`);
  return found;
}

it("follows a request through its statements to the delivery, without personal data", async () => {
  const { url } = await serve("api", sending());
  await serve("worker", sending());
  const { trace_id, traceparent } = newTrace();
  await addAffiliate(url, "someone.private@example.com", traceparent);
  await subscriber.has(1);
  const spans = await eventually(() => {
    const received = collector.of(trace_id);
    find(received, ({ name }) => name === "POST");
    find(received, ({ kind }) => kind === KINDS.server);
    return received;
  });
  const request = find(spans, ({ kind }) => kind === KINDS.server);
  expect(request).toMatchObject({
    service: "findersfee-api",
    parent_id: CALLER,
    name: "POST /v1/affiliates",
    failed: false,
    attributes: {
      "http.request.method": "POST",
      "http.route": "/v1/affiliates",
      "http.response.status_code": 200,
      "findersfee.request.id": expect.stringMatching(/^req-/),
    },
  });
  const statements = spans.filter(({ attributes }) => attributes["db.system.name"] === "postgresql");
  expect(statements.every(({ parent_id }) => parent_id === request.span_id)).toBe(true);
  const names = statements.map(({ name }) => name);
  expect(names).toContain("BEGIN");
  expect(names.some((name) => name.startsWith("INSERT events "))).toBe(true);
  const delivery = find(spans, ({ name }) => name === "POST");
  expect(delivery).toMatchObject({
    service: "findersfee-worker",
    parent_id: request.span_id,
    kind: KINDS.client,
    attributes: {
      "server.address": "127.0.0.1",
      "http.response.status_code": 204,
      "findersfee.event.id": subscriber.received[0]?.id,
    },
  });
  expect(subscriber.received[0]?.headers.traceparent).toBe(`00-${trace_id}-${delivery.span_id}-01`);
  for (const secret of ["someone.private", "s3cret", "secret-of-the-owner", api_key, "/hooks"])
    expect(collector.text).not.toContain(secret);
});

it("follows a request into its job, and from there to the deliveries", async () => {
  const { url } = await serve("start", sending());
  const { trace_id, traceparent } = newTrace();
  const query = `campaign_id=${campaign_id}&approved=false&send_invitation=false`;
  await ask(
    `${url}/dashboard/affiliates/import?${query}`,
    { traceparent, "content-type": "text/csv" },
    { method: "POST", body: "email\nfirst.imported@example.com\nsecond.imported@example.com\n" },
  );
  await subscriber.has(2);
  await eventually(() => {
    const spans = collector.of(trace_id);
    const request = find(spans, ({ kind }) => kind === KINDS.server);
    const job = find(spans, ({ name }) => name === "job affiliates_import");
    expect(job).toMatchObject({ parent_id: request.span_id, kind: KINDS.consumer, service: "findersfee" });
    // The turn of the worker that ran it, of a trace of its own.
    expect(collector.spans.find(({ span_id }) => span_id === job.links[0])?.name).toBe("work jobs");
    const deliveries = spans.filter(({ name }) => name === "POST");
    expect(deliveries.map(({ parent_id }) => parent_id)).toEqual([job.span_id, job.span_id]);
    expect(spans.some(({ name, parent_id }) => parent_id === job.span_id && /INSERT/.test(name))).toBe(true);
  });
  expect(collector.text).not.toContain("imported@example.com");
});

/** Posts a payment of a referred customer to the generic processor; returns the trace that it is part of. */
async function pay(url: string, { id, secret }: { id: string; secret: string }): Promise<string> {
  const { trace_id, traceparent } = newTrace();
  const body = JSON.stringify({
    type: "payment",
    occurred_at: new Date().toISOString(),
    data: { payment_id: id, email: "paying.customer@example.com", currency: "USD", revenue_amount: 100 },
  });
  const headers = { ...genericHeaders(body, { id, secret }), traceparent };
  const response = await fetch(`${url}/processors/generic/${organization_id}`, {
    method: "POST",
    headers,
    body,
  });
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
  return trace_id;
}

it("follows messages of a processor to the deliveries, alone or several at once", async () => {
  const connected = await findersfee(
    `processor connect generic --org ${organization_id} --json`,
    environment,
  );
  const { signing_secret: secret } = JSON.parse(connected.stdout);
  const { url } = await serve("api", sending());
  const poster = { url, api_key };
  const affiliate_id = (await post(poster, "/affiliates", { email: "affiliate@example.com", campaign_id }))
    .id;
  await post(poster, "/referrals", { email: "paying.customer@example.com", affiliate_id });
  const created = (spans: readonly ReceivedSpan[]) => {
    const processing = find([...spans], ({ name }) => name === "process inbound webhooks");
    const ids = subscriber.received
      .filter(({ body }) => body.includes('"commission.created"'))
      .map(({ id }) => id);
    const deliveries = spans.filter(({ attributes: { "findersfee.event.id": id } }) =>
      ids.includes(String(id)),
    );
    return { processing, deliveries };
  };
  const requestOf = (trace_id: string) =>
    find(collector.of(trace_id), ({ name }) => name.startsWith("POST /processors/generic"));

  const both = [await pay(url, { id: "inv_1", secret }), await pay(url, { id: "inv_2", secret })];
  await serve("worker", sending());
  await eventually(() => {
    const { processing, deliveries } = created(collector.spans);
    expect(processing.links.sort()).toEqual(both.map((trace_id) => requestOf(trace_id).span_id).sort());
    expect(deliveries.map(({ parent_id }) => parent_id)).toEqual([processing.span_id, processing.span_id]);
  });

  const alone = await pay(url, { id: "inv_3", secret });
  await eventually(() => {
    const { processing, deliveries } = created(collector.of(alone));
    expect(processing).toMatchObject({ parent_id: requestOf(alone).span_id, service: "findersfee-worker" });
    expect(deliveries.map(({ parent_id }) => parent_id)).toEqual([processing.span_id]);
  });
  expect(collector.text).not.toContain("paying.customer");
});

it("follows the start of a payout run to its payouts", async () => {
  const { url } = await serve("start", sending());
  const poster = { url, api_key };
  const affiliate_id = (await post(poster, "/affiliates", { email: "payee@example.com", campaign_id })).id;
  const referral_id = (await post(poster, "/referrals", { email: "paid.for@example.com", affiliate_id })).id;
  const amounts = { revenue_amount: 100, commission_amount: 30, referral_date: "2026-01-01T00:00:00.000Z" };
  await post(poster, "/commissions", { referral_id, ...amounts });
  const { trace_id, traceparent } = newTrace();
  await ask(
    `${url}/trpc/dashboard.payout_runs.start`,
    { traceparent, "content-type": "application/json" },
    { method: "POST", body: JSON.stringify({ method: "manual" }) },
  );
  await eventually(() => {
    const spans = collector.of(trace_id);
    const request = find(spans, ({ kind }) => kind === KINDS.server);
    const run = find(spans, ({ name }) => name === "pay payout run");
    expect(run).toMatchObject({ parent_id: request.span_id, kind: KINDS.consumer });
    const created = find(spans, ({ name }) => name.includes("INSERT payouts "));
    expect(created.parent_id).toBe(run.span_id);
  });
});

it("names the trace and the span in log lines, and records failures and no probes", async () => {
  const { service, url } = await serve("api", sending());
  for (const probe of ["/healthz", "/readyz", "/metrics"]) await (await fetch(url + probe)).text();
  const { trace_id, traceparent } = newTrace();
  await expect(ask(`${url}/v1/nothing`, { traceparent })).rejects.toThrow("404");
  const request = await eventually(() => find(collector.of(trace_id), ({ kind }) => kind === KINDS.server));
  expect(request).toMatchObject({ name: "GET", attributes: { "http.response.status_code": 404 } });
  await stop();
  const lines = service.stdout.split("\n").filter((line) => line.startsWith("{"));
  expect(lines.map((line) => JSON.parse(line)).find(({ status }) => status === 404)).toMatchObject({
    trace_id,
  });
  expect(collector.spans.filter(({ kind }) => kind === KINDS.server)).toHaveLength(1);
});

it("records nothing of what the caller does not sample, and passes nothing on", async () => {
  const { url } = await serve("start", sending({ OTEL_TRACES_SAMPLER: "parentbased_always_off" }));
  const { traceparent } = newTrace(false);
  await addAffiliate(url, "not.sampled@example.com", traceparent);
  await addAffiliate(url, "without.parent@example.com", "");
  // In a trace that is sampled, afterwards.
  const sampled = newTrace();
  await addAffiliate(url, "sampled@example.com", sampled.traceparent);
  await subscriber.has(3);
  await stop();
  expect(new Set(collector.spans.map((span) => span.trace_id))).toEqual(new Set([sampled.trace_id]));
  const headers = subscriber.received.map((received) => received.headers.traceparent?.slice(3, 35));
  expect(headers.filter((header) => header !== undefined)).toEqual([sampled.trace_id]);
});

it("sends what waits when it is asked to stop", async () => {
  const { url } = await serve("api", sending({ OTEL_BSP_SCHEDULE_DELAY: "3600000" }));
  const { trace_id, traceparent } = newTrace();
  await ask(`${url}/v1/campaigns`, { traceparent });
  expect(collector.spans).toEqual([]);
  const [outcome] = await stop();
  expect(outcome?.code).toBe(0);
  expect(find(collector.of(trace_id), ({ kind }) => kind === KINDS.server).name).toBe("GET /v1/campaigns");
});

it("loads the library only if traces are on", async () => {
  const loads = join(folder, "loads.mjs");
  await writeFile(
    loads,
    `import { register } from "node:module";
    const hooks = "import { appendFileSync } from 'node:fs'; export const load = (url, context, next) => { appendFileSync(process.env.LOADS_FILE, url + '\\\\n'); return next(url, context); };";
    register("data:text/javascript," + encodeURIComponent(hooks));`,
  );
  const loadedBy = async (name: string, changes: Environment): Promise<string> => {
    const LOADS_FILE = join(folder, name);
    const { url } = await serve("start", { ...changes, LOADS_FILE, NODE_OPTIONS: `--import=${loads}` });
    await ask(`${url}/v1/campaigns`, { traceparent: newTrace().traceparent });
    await stop();
    return await readFile(LOADS_FILE, "utf8");
  };
  const off = await loadedBy("off", {});
  expect(off).toMatch(/process-metrics/);
  expect(off).not.toMatch(/open-telemetry/);
  if (FULL_TESTS) {
    const none = await loadedBy("none", { ...sending(), OTEL_TRACES_EXPORTER: "none" });
    expect(none).not.toMatch(/open-telemetry/);
  }
  expect(collector.spans).toEqual([]);
  expect(await loadedBy("on", sending())).toMatch(/open-telemetry/);
});

/** A collector that accepts connections and never answers. */
async function silentServer(): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => socket.on("error", () => {}));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` };
}

it.each(casesOf(["never answers", "is away"], { short: 1 }))(
  "serves, delivers and stops if the collector %s",
  async (how) => {
    const silent = await silentServer();
    const endpoint = how === "is away" ? "http://127.0.0.1:9" : silent.url;
    const { service, url } = await serve(
      "start",
      sending({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_MAX_QUEUE_SIZE: "20" }),
    );
    for (let number = 0; number < 30; number++) {
      const { traceparent } = newTrace();
      await addAffiliate(url, `${how.replaceAll(" ", ".")}.${number}@example.com`, traceparent);
    }
    await subscriber.has(30);
    const started = performance.now();
    const [outcome] = await stop();
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(performance.now() - started).toBeLessThan(9_000);
    const warnings = service.stdout.split("\n").filter((line) => line.includes("failed to send traces"));
    expect(warnings.length).toBeLessThanOrEqual(1);
    silent.server.close();
  },
);
