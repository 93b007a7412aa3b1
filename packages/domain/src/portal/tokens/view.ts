import type { PortalView } from "@findersfee/contract/affiliates/review";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../transaction.ts";
import { type Making, writePortalToken } from "./create.ts";
import { portalToken } from "./token.ts";

/**
 * Makes an address at which the member of a session in the dashboard sees the portal as an affiliate sees it, once. The audit log says
 * who did.
 *
 * @throws DomainError `not_found`; `invalid_request` for an erased affiliate and for test data; `rate_limited`
 */
export async function viewPortal(
  context: Context,
  { affiliate_id, user_session_id }: { affiliate_id: string; user_session_id: string },
  { secrets_key, service_url }: Making,
): Promise<PortalView> {
  const { id, expires_at } = await inTransaction(context, async (sql) => {
    const token = { affiliate_id, user_session_id, key_id: null, secrets_key };
    const written = await writePortalToken(sql, context.organization.id, token);
    await writeAuditEntry(sql, context, {
      resource: "affiliate",
      id: written.affiliate_id,
      action: "viewed",
      before: {},
      after: {},
    });
    return written;
  });
  return { url: `${service_url}/portal/view#${portalToken(secrets_key, id)}`, expires_at };
}
