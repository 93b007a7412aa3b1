import type { ErrorCode } from "@findersfee/contract/errors";
import type { Database } from "@findersfee/database/postgres/connect";
import { LRUCache } from "lru-cache";
import { DomainError } from "../errors.ts";
import { atMost } from "./at-most.ts";
import { MEMORY_MILLISECONDS } from "./memory.ts";
import { haveChanged } from "./organization-changes.ts";

export interface Authenticator<Found> {
  /**
   * The principal of a token.
   *
   * @throws DomainError `rejection`, the same for a missing, malformed, unknown, expired or revoked token
   */
  authenticate(token: string): Promise<Found>;
  /** The principal of a cached token, without a turn of the event loop; null: call `authenticate`. */
  peek(token: string): Found | null;
  /** The principal of a token that was valid at a lookup within the last hour, for answers while the database is away; null: there is none. */
  remember(token: string): Found | null;
  /** Whether the token was valid at its last lookup, within the last hour. It may be revoked by now. */
  isFamiliar(token: string): boolean;
}

/** A kind of token. */
export interface TokenKind<Found> {
  /** A token in another format does not reach the database. */
  isToken(text: string): boolean;
  /** The name in the cache: a hash of a secret token, because secrets are not stored in memory. */
  nameOf(token: string): string;
  /** Null: there is none. */
  find(token: string): Promise<{ found: Found; expires_at: Date | null } | null>;
  idOf(found: Found): string;
  /** The organizations that the principal contains. */
  organizationsOf(found: Found): Iterable<string>;
  /** Records the use of a token. */
  touch(found: Found, used_at: Date): Promise<void>;
  touch_milliseconds: number;
  /** The error for an invalid token. */
  rejection: ErrorCode;
}

/** A revoked token stops working within a second. */
const TTL_MILLISECONDS = 800;
const FAMILIAR_MILLISECONDS = 60 * 60_000;
const MAX_TOKENS = 10_000;

interface CachedToken<Found> {
  found: Found;
  /** Unix time in milliseconds; null: never. */
  expires_at: number | null;
  /** When its lookup started, on the monotonic clock. */
  read_at: number;
}

/**
 * Creates this process' authenticator of a kind of token. Each request needs one, so a token is looked up once per
 * 800 ms, and concurrent requests share a lookup. Only tokens that exist are cached, so those of strangers evict none.
 * A principal that was read before this process changed its organization is looked up again.
 */
export function createTokenAuthenticator<Found extends object>(
  database: Database,
  kind: TokenKind<Found>,
): Authenticator<Found> {
  const tokens = new LRUCache<string, CachedToken<Found>>({
    ...atMost(MAX_TOKENS),
    ttl: FAMILIAR_MILLISECONDS,
    ttlResolution: 0,
  });
  const lookUp = createLookup(kind, tokens);
  const touch = createTouch(kind);

  function isOutdated({ found, read_at }: CachedToken<Found>): boolean {
    return haveChanged(database, () => kind.organizationsOf(found), read_at);
  }

  function findFresh(name: string): CachedToken<Found> | null {
    const cached = tokens.get(name);
    if (cached === undefined || performance.now() >= cached.read_at + TTL_MILLISECONDS) return null;
    return isOutdated(cached) ? null : cached;
  }

  async function findCurrent(token: string, name: string): Promise<CachedToken<Found> | null> {
    const cached = findFresh(name) ?? (await lookUp(token, name));
    // Another request's lookup may have started before the change. One that starts now has not.
    return cached !== null && isOutdated(cached) ? await lookUp(token, name) : cached;
  }

  function use({ found, expires_at }: CachedToken<Found>): Found | null {
    if (expires_at !== null && expires_at <= Date.now()) return null;
    touch(found);
    return found;
  }

  return {
    async authenticate(token) {
      if (!kind.isToken(token)) throw new DomainError(kind.rejection);
      const name = kind.nameOf(token);
      const cached = await findCurrent(token, name);
      const found = cached === null ? null : use(cached);
      if (found !== null) return found;
      tokens.delete(name);
      throw new DomainError(kind.rejection);
    },
    peek(token) {
      const cached = kind.isToken(token) ? findFresh(kind.nameOf(token)) : null;
      return cached === null ? null : use(cached);
    },
    remember(token) {
      const cached = kind.isToken(token) ? tokens.get(kind.nameOf(token)) : undefined;
      if (cached === undefined || performance.now() - cached.read_at > MEMORY_MILLISECONDS) return null;
      return cached.expires_at !== null && cached.expires_at <= Date.now() ? null : cached.found;
    },
    isFamiliar: (token) => kind.isToken(token) && tokens.has(kind.nameOf(token)),
  };
}

type Lookup<Found> = (token: string, name: string) => Promise<CachedToken<Found> | null>;

/** Reads a token from the database into the cache. Concurrent lookups of a token are one. */
function createLookup<Found extends object>(
  kind: TokenKind<Found>,
  tokens: LRUCache<string, CachedToken<Found>>,
): Lookup<Found> {
  const lookups = new Map<string, Promise<CachedToken<Found> | null>>();

  async function lookUp(token: string, name: string): Promise<CachedToken<Found> | null> {
    // The time to live starts here, because the row can be as old as that.
    const start = performance.now();
    const row = await kind.find(token);
    if (row === null) {
      tokens.delete(name);
      return null;
    }
    const cached = {
      found: row.found,
      expires_at: row.expires_at?.getTime() ?? null,
      read_at: start,
    };
    tokens.set(name, cached, { start });
    return cached;
  }

  return (token, name) => {
    const running = lookups.get(name);
    if (running !== undefined) return running;
    const lookup = lookUp(token, name).finally(() => lookups.delete(name));
    lookups.set(name, lookup);
    return lookup;
  };
}

/** Records the use of a token after the request's own work, at most once per `touch_milliseconds`. */
function createTouch<Found extends object>(kind: TokenKind<Found>): (found: Found) => void {
  const touched = new LRUCache<string, true>({
    ...atMost(MAX_TOKENS),
    ttl: kind.touch_milliseconds,
    ttlResolution: 0,
  });
  return (found) => {
    const id = kind.idOf(found);
    if (touched.has(id)) return;
    touched.set(id, true);
    // biome-ignore lint/plugin/swallowed-failure: the request itself reports a database outage
    kind.touch(found, new Date()).catch(() => touched.delete(id));
  };
}
