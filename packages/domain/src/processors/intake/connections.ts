import type { ProcessorName } from "@findersfee/contract/processors";
import type { Database } from "@findersfee/database/connect";
import { findProcessor, type ProcessorRow } from "@findersfee/database/processors";
import type { SecretsKey } from "../../webhooks/secrets.ts";
import { openSigningSecret } from "../connections/secrets.ts";

/** What a message is checked against. */
export interface KnownConnection {
  organization_id: string;
  name: ProcessorName;
  livemode: boolean;
  /** What messages may be signed with now: the newest secret first. */
  secrets: readonly string[];
}

interface Known {
  row: ProcessorRow;
  secret: string;
  previous_secret: string | null;
  /** On the monotonic clock. */
  believed_until: number;
}

/** A connection that was cut, or a secret that was changed, counts within a second in every process. */
const BELIEF_MILLISECONDS = 800;
const MOST_KNOWN = 10_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the function that finds an organization's connection; null when there is none. It is asked for each
 * message, so a connection is looked up once per 800 ms. Only those that exist are remembered.
 */
export function knownConnections(
  database: Database,
  secrets_key: SecretsKey,
): (name: ProcessorName, organizationId: string) => Promise<KnownConnection | null> {
  const known = new Map<string, Known>();
  const lookups = new Map<string, Promise<Known | null>>();

  async function lookUp(name: ProcessorName, organizationId: string): Promise<Known | null> {
    // From the moment of asking: the answer may be as old as that.
    const believed_until = performance.now() + BELIEF_MILLISECONDS;
    const row = await findProcessor(database, organizationId, name);
    if (row === null) return null;
    const open = (sealed: Buffer) => openSigningSecret(secrets_key, row, sealed);
    const previous = row.previous_secret_encrypted;
    return {
      row,
      secret: open(row.secret_encrypted),
      previous_secret: previous === null ? null : open(previous),
      believed_until,
    };
  }

  async function lookUpOnce(name: ProcessorName, organizationId: string): Promise<Known | null> {
    const key = `${name}:${organizationId}`;
    const cached = known.get(key);
    if (cached !== undefined && performance.now() < cached.believed_until) return cached;
    const running = lookups.get(key);
    if (running !== undefined) return await running;
    const lookup = lookUp(name, organizationId).finally(() => lookups.delete(key));
    lookups.set(key, lookup);
    const found = await lookup;
    known.delete(key);
    if (found !== null) known.set(key, found);
    forgetOldest(known);
    return found;
  }

  return async (name, organizationId) => {
    const id = organizationId.toLowerCase();
    if (!ID.test(id)) return null;
    const found = await lookUpOnce(name, id);
    return found === null ? null : connectionOf(found);
  };
}

function connectionOf({ row, secret, previous_secret }: Known): KnownConnection {
  const { organization_id, name, livemode, previous_secret_expires_at } = row;
  const overlaps = previous_secret_expires_at !== null && previous_secret_expires_at.getTime() > Date.now();
  const secrets = overlaps && previous_secret !== null ? [secret, previous_secret] : [secret];
  return { organization_id, name, livemode, secrets };
}

/** A Map keeps the order of insertion, which here is the order of age. */
function forgetOldest(known: Map<string, Known>): void {
  const now = performance.now();
  for (const [key, { believed_until }] of known) {
    if (believed_until > now && known.size <= MOST_KNOWN) return;
    known.delete(key);
  }
}
