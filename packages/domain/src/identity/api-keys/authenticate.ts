import {
  type ApiKeyWithOrganizationRow,
  findApiKeyByHash,
  touchApiKey,
} from "@findersfee/database/identity/api-keys";
import type { Database } from "@findersfee/database/postgres/connect";
import { type Authenticator, createTokenAuthenticator } from "../../caching/token-authenticator.ts";
import type { ApiKeyPrincipal } from "../../principal.ts";
import { allowedNetworks } from "../rights/networks.ts";
import { hashToken, isPublishable, isToken } from "./token.ts";

const TOUCH_MILLISECONDS = 60_000;

/** Creates this process' authenticator of API keys, which throws `unauthorized`. */
export function createAuthenticator(database: Database): Authenticator<ApiKeyPrincipal> {
  return createTokenAuthenticator(database, {
    isToken,
    nameOf: (token) => (isPublishable(token) ? token : hashToken(token).toString("hex")),
    find: async (token) => {
      const row = await findApiKeyByHash(database, hashToken(token));
      return row === null ? null : { found: principalOf(row), expires_at: row.expires_at };
    },
    idOf: ({ key_id }) => key_id,
    organizationsOf: ({ organization }) => [organization.id],
    touch: ({ key_id, organization }, used_at) =>
      touchApiKey(database, organization.id, { id: key_id, used_at }),
    touch_milliseconds: TOUCH_MILLISECONDS,
    rejection: "unauthorized",
  });
}

function principalOf(row: ApiKeyWithOrganizationRow): ApiKeyPrincipal {
  const { organization_id, currency, subscription_status } = row;
  return {
    kind: "api_key",
    key_id: row.id,
    scopes: row.scopes,
    networks: allowedNetworks(row.networks),
    organization: { id: organization_id, currency, subscription_status },
  };
}
