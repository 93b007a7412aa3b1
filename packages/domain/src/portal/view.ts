import type { Viewed } from "@findersfee/contract/portal/embed";
import { takeViewToken } from "@findersfee/database/portal/tokens";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError } from "../errors.ts";
import type { Browser } from "../identity/accounts/browser.ts";
import { hashSecretToken, isSecretToken } from "../identity/accounts/secret-token.ts";
import { openViewSession } from "./open-session.ts";

/**
 * Exchanges a token of the dashboard for a session in which a member sees the portal of one affiliate. Each token is accepted once.
 *
 * @throws DomainError `link_invalid`, the same for an unknown, used or expired token, and one that opens a frame
 */
export async function openView(database: Database, token: string, browser: Browser): Promise<Viewed> {
  if (!isSecretToken(token)) throw new DomainError("link_invalid");
  return await transaction(database, async (sql) => {
    const taken = await takeViewToken(sql, { token_hash: hashSecretToken(token), now: new Date() });
    if (taken === null) throw new DomainError("link_invalid");
    const { organization_id: limited_to, slug, agreed, ...view } = taken;
    const session = await openViewSession(sql, { ...view, limited_to }, browser);
    return {
      session: session.token,
      expires_at: session.expires_at.toISOString(),
      affiliate_id: view.affiliate_id,
      organization: slug,
      agreed,
    };
  });
}
