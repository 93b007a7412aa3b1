import type { NewPortalCode } from "@findersfee/database/portal/codes";
import {
  hashNetwork,
  hashSecretToken,
  mailedToken,
  newSecretToken,
} from "../identity/accounts/secret-token.ts";
import { newId } from "../ids.ts";
import type { SecretsKey } from "../secrets/secrets.ts";

const MINUTES = 15;

/** The browser's part of a request for a code, which goes into a cookie. */
export interface RequestedCode {
  token: string;
  expires_at: Date;
  /** The organization of the mail; null: none is sent. It must not be shown. */
  organization_id: string | null;
}

/** Who asks for a code, and for which address. */
export interface CodeRequest {
  email: string;
  /** The only organization that the session sees programs of; null: it sees all. */
  limited_to: string | null;
  /** The network of the browser, which has a share of the mails. */
  network: string;
}

/** A new code: its row, and the browser's part. */
export function newRequestedCode(
  secrets_key: SecretsKey,
  { email, limited_to, network }: CodeRequest,
): { code: NewPortalCode; requested: Omit<RequestedCode, "organization_id"> } {
  const created_at = new Date();
  const id = newId(created_at);
  const token = newSecretToken();
  const expires_at = new Date(created_at.getTime() + MINUTES * 60_000);
  const code = {
    id,
    email,
    limited_to,
    browser_hash: hashSecretToken(token),
    link_hash: hashSecretToken(mailedToken(secrets_key, "portal", id)),
    network_hash: hashNetwork(secrets_key, network),
    created_at,
    expires_at,
  };
  return { code, requested: { token, expires_at } };
}
