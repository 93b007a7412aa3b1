import type { Embedded } from "@findersfee/contract/portal/embed";
import { findEmbedding, takePortalToken } from "@findersfee/database/portal/tokens";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError } from "../errors.ts";
import type { Browser } from "../identity/accounts/browser.ts";
import { hashSecretToken, isSecretToken } from "../identity/accounts/secret-token.ts";
import { openEmbeddedSession } from "./open-session.ts";

/**
 * Exchanges a token of the organization's backend for a session that sees one affiliate. Each token is accepted once.
 *
 * @throws DomainError `link_invalid`, the same for an unknown, used or expired token, and one of another organization
 */
export async function embedPortal(
  database: Database,
  { token, organization: slug }: { token: string; organization: string },
  browser: Browser,
): Promise<Embedded> {
  if (!isSecretToken(token)) throw invalidToken();
  return await transaction(database, async (sql) => {
    const taken = await takePortalToken(sql, { token_hash: hashSecretToken(token), slug, now: new Date() });
    if (taken === null) throw invalidToken();
    const { organization_id: limited_to, affiliate_id, email, key_id } = taken;
    const session = await openEmbeddedSession(sql, { email, limited_to, affiliate_id, key_id }, browser);
    return { session: session.token, expires_at: session.expires_at.toISOString(), affiliate_id };
  });
}

/** The organization of a frame's address. */
export interface Embedding {
  /** Its name in addresses: another one, if the address has a former one. */
  slug: string;
  /** The origins of pages that may show its portal in a frame. */
  frame_origins: readonly string[];
}

/** Null: no organization has the name, or had it last. */
export async function getEmbedding(database: Database, slug: string): Promise<Embedding | null> {
  return await findEmbedding(database, slug);
}

function invalidToken(): DomainError {
  return new DomainError("link_invalid", { message: "This token is incomplete, was used, or has expired." });
}
