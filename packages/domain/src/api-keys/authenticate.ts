import { type ApiKeyWithOrganizationRow, findApiKeyByHash, touchApiKey } from "@findersfee/database/api-keys";
import type { Database } from "@findersfee/database/connect";
import type { OrganizationContext } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { Scope } from "./create.ts";
import { hashToken, isToken } from "./token.ts";

/** Who sends a request: a key, what it may do, and the organization that it speaks for. */
export interface Principal {
  key_id: string;
  scopes: readonly Scope[];
  organization: OrganizationContext;
}

export interface Authenticator {
  /**
   * The principal of an API key.
   *
   * @throws DomainError `unauthorized`, the same for a missing, malformed, unknown, expired or revoked key
   */
  authenticate(token: string): Promise<Principal>;
}

/** What is known about a key is believed this long, so that a revoked key stops within a second. */
const BELIEF_MILLISECONDS = 800;
const TOUCH_MILLISECONDS = 60_000;

interface Known {
  principal: Principal;
  /** Unix time in milliseconds; null: never. */
  expires_at: number | null;
  /** On the monotonic clock. */
  believed_until: number;
}

/**
 * Makes this process' authenticator. It is asked on every request, so a key is looked up once per 800 ms,
 * and by one query however many requests wait for it. Only keys that exist are remembered: what strangers
 * send takes no memory, and what cannot be a key does not reach the database.
 */
export function createAuthenticator(database: Database): Authenticator {
  const known = new Map<string, Known>();
  const lookups = new Map<string, Promise<Known | null>>();
  const touched = new Map<string, number>();

  async function lookUp(hash: Buffer, name: string): Promise<Known | null> {
    // From the moment of asking: the answer may be as old as that.
    const asked_at = performance.now();
    const row = await findApiKeyByHash(database, hash);
    if (row === null) return null;
    const entry = {
      principal: principalOf(row),
      expires_at: row.expires_at?.getTime() ?? null,
      believed_until: asked_at + BELIEF_MILLISECONDS,
    };
    known.delete(name);
    known.set(name, entry);
    removeOldest(known, ({ believed_until }) => believed_until <= asked_at);
    return entry;
  }

  function lookUpOnce(hash: Buffer, name: string): Promise<Known | null> {
    const running = lookups.get(name);
    if (running !== undefined) return running;
    const lookup = lookUp(hash, name).finally(() => lookups.delete(name));
    lookups.set(name, lookup);
    return lookup;
  }

  /** Notes the use of a key, off the request's path and at most once a minute. */
  function touch({ key_id, organization }: Principal): void {
    const now = performance.now();
    removeOldest(touched, (touched_at) => now - touched_at >= TOUCH_MILLISECONDS);
    if (touched.has(key_id)) return;
    touched.set(key_id, now);
    // A database that is away shows itself in the request; this only is a note.
    touchApiKey(database, organization.id, { id: key_id, used_at: new Date() }).catch(() =>
      touched.delete(key_id),
    );
  }

  return {
    async authenticate(token) {
      if (!isToken(token)) throw new DomainError("unauthorized");
      const hash = hashToken(token);
      const name = hash.toString("hex");
      const cached = known.get(name);
      const entry =
        cached && performance.now() < cached.believed_until ? cached : await lookUpOnce(hash, name);
      if (entry === null || (entry.expires_at !== null && entry.expires_at <= Date.now())) {
        throw new DomainError("unauthorized");
      }
      touch(entry.principal);
      return entry.principal;
    },
  };
}

function principalOf(row: ApiKeyWithOrganizationRow): Principal {
  const { organization_id, currency, subscription_status } = row;
  return {
    key_id: row.id,
    scopes: row.scopes,
    organization: { id: organization_id, currency, subscription_status },
  };
}

/** A Map keeps the order of insertion, which here is the order of age. */
function removeOldest<Value>(map: Map<string, Value>, isOver: (value: Value) => boolean): void {
  for (const [key, value] of map) {
    if (!isOver(value)) return;
    map.delete(key);
  }
}
