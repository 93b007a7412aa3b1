import { type ApiKeyWithOrganizationRow, findApiKeyByHash, touchApiKey } from "@findersfee/database/api-keys";
import type { Database } from "@findersfee/database/connect";
import { LRUCache } from "lru-cache";
import type { OrganizationContext } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { Scope } from "./create.ts";
import { hashToken, isPublishable, isToken } from "./token.ts";

/** The sender of a request: a key, its scopes, and its organization. */
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
  /** The principal of a cached key, without a turn of the event loop; null: call `authenticate`. */
  peek(token: string): Principal | null;
  /** Whether the key was valid at its last lookup, within the last hour. It may be revoked by now. */
  isFamiliar(token: string): boolean;
}

/** A revoked key stops working within a second. */
const TTL_MILLISECONDS = 800;
const TOUCH_MILLISECONDS = 60_000;
const FAMILIAR_MILLISECONDS = 60 * 60_000;
const MAX_KEYS = 10_000;

interface CachedKey {
  principal: Principal;
  /** Unix time in milliseconds; null: never. */
  expires_at: number | null;
  /** On the monotonic clock. */
  fresh_until: number;
}

/**
 * Creates this process' authenticator. Each request needs one, so a key is looked up once per 800 ms, and concurrent
 * requests share a lookup. Only keys that exist are cached, so tokens of strangers evict none of them; a token in another
 * format does not reach the database.
 */
export function createAuthenticator(database: Database): Authenticator {
  const keys = new LRUCache<string, CachedKey>({
    max: MAX_KEYS,
    ttl: FAMILIAR_MILLISECONDS,
    ttlResolution: 0,
  });
  const touched = new LRUCache<string, true>({ max: MAX_KEYS, ttl: TOUCH_MILLISECONDS, ttlResolution: 0 });
  const lookups = new Map<string, Promise<CachedKey | null>>();

  async function lookUp(token: string, name: string): Promise<CachedKey | null> {
    // The time to live starts here, because the row can be as old as that.
    const start = performance.now();
    const row = await findApiKeyByHash(database, hashToken(token));
    if (row === null) {
      keys.delete(name);
      return null;
    }
    const key = {
      principal: principalOf(row),
      expires_at: row.expires_at?.getTime() ?? null,
      fresh_until: start + TTL_MILLISECONDS,
    };
    keys.set(name, key, { start });
    return key;
  }

  function lookUpOnce(token: string, name: string): Promise<CachedKey | null> {
    const running = lookups.get(name);
    if (running !== undefined) return running;
    const lookup = lookUp(token, name).finally(() => lookups.delete(name));
    lookups.set(name, lookup);
    return lookup;
  }

  /** Records the use of a key after the request's own work, at most once a minute. */
  function touch({ key_id, organization }: Principal): void {
    if (touched.has(key_id)) return;
    touched.set(key_id, true);
    // The request itself reports a database outage.
    touchApiKey(database, organization.id, { id: key_id, used_at: new Date() }).catch(() =>
      touched.delete(key_id),
    );
  }

  function findFresh(name: string): CachedKey | null {
    const key = keys.get(name);
    return key !== undefined && performance.now() < key.fresh_until ? key : null;
  }

  function use({ principal, expires_at }: CachedKey): Principal | null {
    if (expires_at !== null && expires_at <= Date.now()) return null;
    touch(principal);
    return principal;
  }

  return {
    async authenticate(token) {
      if (!isToken(token)) throw new DomainError("unauthorized");
      const name = nameOf(token);
      const key = findFresh(name) ?? (await lookUpOnce(token, name));
      const principal = key === null ? null : use(key);
      if (principal !== null) return principal;
      keys.delete(name);
      throw new DomainError("unauthorized");
    },
    peek(token) {
      const key = isToken(token) ? findFresh(nameOf(token)) : null;
      return key === null ? null : use(key);
    },
    isFamiliar: (token) => isToken(token) && keys.has(nameOf(token)),
  };
}

/** The cache key: a hash, because secrets are not stored in memory. Publishable keys are not secret. */
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
