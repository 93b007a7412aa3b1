import type { CreatePortalToken, PortalToken } from "@findersfee/contract/portal/tokens";
import { findEmbeddableAffiliate, insertPortalToken } from "@findersfee/database/portal/tokens";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { DomainError, invalidField, notFound } from "../../errors.ts";
import { hashSecretToken } from "../../identity/accounts/secret-token.ts";
import { newId } from "../../ids.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { inTransaction } from "../../transaction.ts";
import { portalToken } from "./token.ts";

const LIFETIME_SECONDS = 120;
/** Tokens made within one lifetime: a page needs one each time it is loaded. */
const LIMITS = { of_affiliate: 30, of_organization: 3_000 };

/** Parts of the service that make tokens. */
export interface Making {
  secrets_key: SecretsKey;
  /** The address of the service, without a slash at its end. */
  service_url: string;
}

/** A token as it is stored for repetitions of the request: without the secret. */
interface StoredToken {
  id: string;
  affiliate_id: string;
  expires_at: string;
  slug: string;
}

/**
 * Makes a token that opens an affiliate's portal in a frame, once. A repetition with the same Idempotency-Key gets the same
 * token, which still opens one session.
 *
 * @throws DomainError `not_found`; `invalid_request` for an erased affiliate and for test data; `rate_limited`
 */
export async function createPortalToken(
  context: Context,
  { affiliate_id }: CreatePortalToken,
  { secrets_key, service_url }: Making,
): Promise<PortalToken> {
  const { slug, ...stored } = await inTransaction(context, async (sql) => {
    const { organization, actor } = context;
    const key_id = actor.kind === "key" ? actor.id : null;
    const token = { affiliate_id, user_session_id: null, key_id, secrets_key };
    return await writePortalToken(sql, organization.id, token);
  });
  const token = portalToken(secrets_key, stored.id);
  return { ...stored, token, url: `${service_url}/portal/embed/${slug}#${token}` };
}

/**
 * Writes a token in a transaction. `user_session_id` is that of the member who views the portal; null: it opens a frame, and
 * ends with the API key `key_id`.
 */
export async function writePortalToken(
  sql: Connection,
  organization_id: string,
  token: {
    affiliate_id: string;
    user_session_id: string | null;
    key_id: string | null;
    secrets_key: SecretsKey;
  },
): Promise<StoredToken> {
  const { affiliate_id, user_session_id, key_id, secrets_key } = token;
  const affiliate = await findEmbeddableAffiliate(sql, organization_id, affiliate_id);
  if (affiliate === null) throw notFound("affiliate");
  if (affiliate.is_erased) throw invalidField("affiliate_id", "This affiliate was erased.");
  if (affiliate.is_test) throw invalidField("affiliate_id", "Affiliates of test data have no portal.");
  const created_at = new Date();
  const id = newId(created_at);
  const expires_at = new Date(created_at.getTime() + LIFETIME_SECONDS * 1000);
  const token_hash = hashSecretToken(portalToken(secrets_key, id));
  const row = { id, affiliate_id, user_session_id, key_id, token_hash, created_at, expires_at };
  if (!(await insertPortalToken(sql, organization_id, { ...row, ...LIMITS }))) throw tooManyTokens();
  return {
    id,
    affiliate_id: affiliate_id.toLowerCase(),
    expires_at: expires_at.toISOString(),
    slug: affiliate.slug,
  };
}

function tooManyTokens(): DomainError {
  return new DomainError("rate_limited", {
    message: `Too many portal tokens: within ${LIFETIME_SECONDS / 60} minutes, an affiliate can have ${LIMITS.of_affiliate} and the organization ${LIMITS.of_organization.toLocaleString("en-US")}. Try again in a minute.`,
    retry_after_seconds: LIFETIME_SECONDS / 2,
  });
}
