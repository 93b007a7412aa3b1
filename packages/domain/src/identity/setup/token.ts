import { findSetupToken, type SetupTokenRow } from "@findersfee/database/identity/setup-tokens";
import type { Connection } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import { hashSecretToken, isSecretToken } from "../accounts/secret-token.ts";

/** @throws DomainError `link_invalid`, the same for a forged, used or expired link */
export async function requireSetupToken(sql: Connection, token: string): Promise<SetupTokenRow> {
  const found = isSecretToken(token)
    ? await findSetupToken(sql, { token_hash: hashSecretToken(token), now: new Date() })
    : null;
  if (found !== null) return found;
  throw new DomainError("link_invalid", {
    message:
      "This setup link is incomplete, was used, or has expired. Run `findersfee user link` on the server for a new one.",
  });
}
