import type { ProcessorName } from "@findersfee/contract/processors/processors";
import type { Database } from "@findersfee/database/postgres/connect";
import { currentTraceparent } from "@findersfee/database/postgres/tracer";
import { insertMessages, type NewMessage } from "@findersfee/database/processors/messages";
import { writeRejection } from "@findersfee/database/processors/processors";
import { createBatcher } from "../../caching/batcher.ts";
import { createCache } from "../../caching/cache.ts";
import { DomainError } from "../../errors.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { genericSignatureProblem } from "../generic/signature.ts";
import { type SignatureProblem, stripeSignatureProblem } from "../stripe/signature.ts";
import { type KnownConnection, knownConnections } from "./connections.ts";
import { readGenericMessage, readStripeEvent } from "./message.ts";

/** One organization may use only a share of the pool. Processors send rejected messages again. */
const BATCHES = {
  max_batch_size: 64,
  max_concurrent_batches: 2,
  max_queued: 1_000,
  max_wait_milliseconds: 5_000,
};
const SHARE = 0.3;

/** A flood of refused messages writes one row once in this time. */
const REFUSALS = { ttl_milliseconds: 10_000, max_entries: 10_000 };

/** A message as received. */
export interface IncomingMessage {
  /** Returns a header by its lower-case name; empty if it is missing. */
  header: (name: string) => string;
  body: Uint8Array;
}

export interface Intake {
  /** The connection for checking a message. Errors: `not_found`. */
  requireConnection(name: ProcessorName, organizationId: string): Promise<KnownConnection>;
  /**
   * Resolves with the message's id once it is stored, now or earlier. Errors: `not_found`, `invalid_request` (invalid
   * signature or body), `unavailable`.
   */
  receive(name: ProcessorName, organizationId: string, message: IncomingMessage): Promise<string>;
}

/** Creates this process' intake of inbound webhooks. */
export function createIntake(
  database: Database,
  {
    secrets_key,
    notifyWorkers,
  }: { secrets_key: SecretsKey; notifyWorkers: (organization_id: string) => void },
): Intake {
  const find = knownConnections(database, secrets_key);
  const store = createBatcher<NewMessage, null>(
    async (organizationId, messages) => {
      await insertMessages(database, organizationId, { source: "webhook", messages });
      notifyWorkers(organizationId);
      return messages.map(() => null);
    },
    {
      ...BATCHES,
      max_concurrent_batches: Math.min(
        BATCHES.max_concurrent_batches,
        Math.ceil(database.options.max * SHARE),
      ),
    },
  );
  const noteRefusal = createCache(async (key) => {
    const [name, organizationId, reason] = JSON.parse(key) as [ProcessorName, string, string];
    await writeRejection(database, organizationId, { name, reason });
    return null;
  }, REFUSALS);
  const check = async (connection: KnownConnection, message: IncomingMessage) => {
    try {
      return await checkMessage(connection, message);
    } catch (error) {
      if (error instanceof DomainError) {
        const key = JSON.stringify([connection.name, connection.organization_id, error.message]);
        // biome-ignore lint/plugin/swallowed-failure: the sender gets the reason in any case
        await noteRefusal(key).catch(() => null);
      }
      throw error;
    }
  };
  const requireConnection = async (name: ProcessorName, organizationId: string) => {
    const connection = await find(name, organizationId);
    if (connection === null) throw new DomainError("not_found", { message: notHere(name) });
    return connection;
  };
  return {
    requireConnection,
    async receive(name, organizationId, message) {
      const connection = await requireConnection(name, organizationId);
      const read = await check(connection, message);
      await store(connection.organization_id, { ...read, traceparent: currentTraceparent() });
      return read.id;
    },
  };
}

function notHere(name: ProcessorName): string {
  return `No ${name} connection for this organization: check that the address ends in the organization's id, and that it is connected (findersfee processor connect ${name}).`;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

async function checkMessage(
  connection: KnownConnection,
  { header, body }: IncomingMessage,
): Promise<NewMessage> {
  const text = decode(body);
  const now = new Date();
  if (connection.name === "stripe") {
    const signed = { header: header("stripe-signature"), secrets: connection.secrets };
    refuse(await stripeSignatureProblem(text, signed), "Stripe-Signature");
    return readStripeEvent(text, { livemode: connection.livemode, now });
  }
  const id = header("webhook-id");
  const problem = genericSignatureProblem(
    text,
    { id, timestamp: header("webhook-timestamp"), signature: header("webhook-signature") },
    { secrets: connection.secrets, now_seconds: Math.floor(now.getTime() / 1000) },
  );
  refuse(problem, "webhook-id, webhook-timestamp and webhook-signature");
  return readGenericMessage(text, { id, now });
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new DomainError("invalid_request", { message: "The body is not valid UTF-8." });
  }
}

function refuse(problem: SignatureProblem | null, headers: string): void {
  if (problem !== null)
    throw new DomainError("invalid_request", { message: problemMessage(problem, headers) });
}

function problemMessage(problem: SignatureProblem, headers: string): string {
  switch (problem) {
    case "missing":
      return `The message is not signed: it needs ${headers}.`;
    case "mismatch":
      return "The signature does not match: it must be made over the body's exact bytes, with the signing secret of this connection. If the secret changed at the processor, rotate it here, too: in the dashboard, or with `findersfee processor rotate`.";
    case "stale":
      return "The signature is valid, but its timestamp is more than 5 minutes off: sign each attempt again, and synchronize the clocks.";
  }
}
