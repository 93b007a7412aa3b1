/*
 * Question: what does it cost to verify a delivery of 2 kB, and how much of that is beyond a bare HMAC and
 * comparison with `node:crypto`? One after another, and several at a time, as in a server.
 */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { newSigningSecret } from "@findersfee/domain/secrets/secrets";
import { signatureKey, signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";
import { verify } from "@findersfee/sdk/webhooks";
import type { Bench } from "../bench.ts";
import { type Measurement, startMeasurement } from "../measurement.ts";
import { describe, ratios, spread, takeTurns } from "../rounds.ts";
import { fine, type Verdict } from "../table.ts";

const MAX_MICROSECONDS = 60;
const BODY_BYTES = 2048;
const CONCURRENT = 16;
const DELIVERIES = 64;

interface Delivery {
  body: Uint8Array;
  headers: Record<string, string>;
}

/** Question 2. */
export async function measureVerify(bench: Bench): Promise<Verdict[]> {
  const secret = newSigningSecret();
  const key = signatureKey(secret);
  const deliveries = Array.from({ length: DELIVERIES }, () => makeDelivery(key));
  const verdicts: Verdict[] = [];
  for (const callers of [1, CONCURRENT]) {
    const run = {
      subject: () =>
        measure(bench, deliveries, {
          callers,
          work: ({ body, headers }) => verify(body, headers, secret),
        }),
      limit: () =>
        measure(bench, deliveries, { callers: 1, work: (delivery) => verifyBarely(delivery, key) }),
    };
    await run.subject();
    await run.limit();
    const comparison = await takeTurns(bench.quick ? 5 : 15, run);
    verdicts.push(verdictOf(bench, callers, comparison));
  }
  return verdicts;
}

function verdictOf(
  bench: Bench,
  callers: number,
  comparison: Awaited<ReturnType<typeof takeTurns>>,
): Verdict {
  const cost = ratios(comparison, microseconds);
  const verify_microseconds = spread(comparison.subject.map(microseconds)).median;
  const bare = spread(comparison.limit.map(microseconds)).median;
  const names = { subject: "verify", limit: "HMAC and timingSafeEqual" };
  const how = callers === 1 ? "one after another" : `${callers} at a time`;
  const cpu = (rounds: readonly Measurement[]) =>
    fine(spread(rounds.map(({ own_cpu_microseconds }) => own_cpu_microseconds)).median);
  bench.print(
    `${how}\n${describe(comparison, names, { name: "cost, by the bare one's", spread: cost })}\n` +
      `CPU time of each, all threads: ${cpu(comparison.subject)} µs, bare ${cpu(comparison.limit)} µs`,
  );
  return {
    question: `2 verification of ${BODY_BYTES} bytes, ${how}`,
    measured: `${fine(verify_microseconds)} µs`,
    limit: `${fine(bare)} µs bare HMAC`,
    ratio: fine(cost.median),
    target: `<= ${MAX_MICROSECONDS} µs`,
    met: verify_microseconds <= MAX_MICROSECONDS,
  };
}

function microseconds({ per_second }: Measurement): number {
  return 1_000_000 / per_second;
}

function makeDelivery(key: Buffer): Delivery {
  const id = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  const empty = JSON.stringify({ type: "commission.created", data: { id, note: "" } });
  const note = "n".repeat(BODY_BYTES - empty.length);
  const body = JSON.stringify({ type: "commission.created", data: { id, note } });
  return {
    body: Buffer.from(body),
    headers: {
      host: "example.com",
      "content-type": "application/json; charset=utf-8",
      "content-length": String(body.length),
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signWebhook({ id, timestamp, body }, [key]),
    },
  };
}

/** The minimal work of any verification. */
async function verifyBarely({ body, headers }: Delivery, key: Buffer): Promise<void> {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature = "" } = headers;
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  if (!timingSafeEqual(digest, Buffer.from(signature.slice("v1,".length), "base64")))
    throw new Error("the signature is wrong");
}

async function measure(
  bench: Bench,
  deliveries: readonly Delivery[],
  { callers, work }: { callers: number; work: (delivery: Delivery) => Promise<unknown> },
): Promise<Measurement> {
  const { record, finish } = startMeasurement();
  let left = bench.quick ? 2_000 : 5_000;
  const caller = async () => {
    for (; left > 0; left--) {
      const delivery = deliveries[left % deliveries.length];
      if (delivery === undefined) throw new Error("no delivery");
      const started_at = performance.now();
      await work(delivery);
      record(performance.now() - started_at);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return finish();
}
