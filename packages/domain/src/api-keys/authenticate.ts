import { type ApiKeyWithOrganizationRow, findApiKeyByHash, touchApiKey } from "@findersfee/database/api-keys";
import type { Database } from "@findersfee/database/connect";
import type { OrganizationContext } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { Scope } from "./create.ts";
import { hashToken, isPublishable, isToken } from "./token.ts";

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
  /** The principal of a key that is cached, without waiting a turn of the event loop; null: call `authenticate`. */
  known(token: string): Principal | null;
  /** Whether the key was valid when it was last looked up, within the last hour. It may be revoked by now. */
  isFamiliar(token: string): boolean;
}

/** What is known about a key is believed this long, so that a revoked key stops within a second. */
const BELIEF_MILLISECONDS = 800;
const TOUCH_MILLISECONDS = 60_000;
const FAMILIAR_MILLISECONDS = 60 * 60_000;
const MOST_FAMILIAR = 10_000;

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

  async function lookUp(token: string, name: string): Promise<Known | null> {
    // From the moment of asking: the answer may be as old as that.
    const asked_at = performance.now();
    const row = await findApiKeyByHash(database, hashToken(token));
    if (row === null) {
      known.delete(name);
      return null;
    }
    const entry = {
      principal: principalOf(row),
      expires_at: row.expires_at?.getTime() ?? null,
      believed_until: asked_at + BELIEF_MILLISECONDS,
    };
    known.delete(name);
    known.set(name, entry);
    removeOldest(
      known,
      ({ believed_until }) =>
        known.size > MOST_FAMILIAR || believed_until <= asked_at - FAMILIAR_MILLISECONDS,
    );
    return entry;
  }

  function lookUpOnce(token: string, name: string): Promise<Known | null> {
    const running = lookups.get(name);
    if (running !== undefined) return running;
    const lookup = lookUp(token, name).finally(() => lookups.delete(name));
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

  function believed(name: string): Known | null {
    const entry = known.get(name);
    return entry !== undefined && performance.now() < entry.believed_until ? entry : null;
  }

  function use({ principal, expires_at }: Known): Principal | null {
    if (expires_at !== null && expires_at <= Date.now()) return null;
    touch(principal);
    return principal;
  }

  return {
    async authenticate(token) {
      if (!isToken(token)) throw new DomainError("unauthorized");
      const name = nameOf(token);
      const entry = believed(name) ?? (await lookUpOnce(token, name));
      const principal = entry === null ? null : use(entry);
      if (principal !== null) return principal;
      known.delete(name);
      throw new DomainError("unauthorized");
    },
    known(token) {
      const entry = isToken(token) ? believed(nameOf(token)) : null;
      return entry === null ? null : use(entry);
    },
    isFamiliar: (token) => isToken(token) && known.has(nameOf(token)),
  };
}

/** What a key is remembered under: secrets are not kept, and publishable keys are none. */
function nameOf(token: string): string {
  return isPublishable(token) ? token : hashToken(token).toString("hex");
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
