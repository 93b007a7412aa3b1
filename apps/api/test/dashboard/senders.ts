import type { Role } from "@findersfee/contract/identity/roles";
import { createApiKey, type Scope } from "@findersfee/domain/identity/api-keys/create";
import type { TestService } from "../test-service.ts";
import type { Sender } from "./rights.ts";

/** The codes of requests that a sender may not make at all. */
export const REJECTIONS: unknown[] = [
  "unauthorized",
  "session_expired",
  "insufficient_scope",
  "forbidden_role",
  "not_a_member",
];

export interface Senders {
  organization_id: string;
  /** The headers that identify each sender to the organization. */
  senders: Record<Sender, Record<string, string>>;
}

/** Creates an organization, and everybody who sends requests to it. */
export async function createSenders(service: TestService): Promise<Senders> {
  const { organization_id } = await service.organization();
  const other = await service.organization();
  const person = async (role: Role) => (await service.staff(organization_id, role)).headers;
  const former = await service.staff(organization_id);
  const key = async (scope: Scope) => {
    const input = { organization_id, name: scope, scopes: [scope], expires_at: null };
    const { token } = await createApiKey(service.database, input);
    return { authorization: `Bearer ${token}` };
  };
  const senders = {
    nobody: {},
    viewer: await person("viewer"),
    admin: await person("admin"),
    owner: await person("owner"),
    "owner of another organization": {
      ...(await service.staff(other.organization_id)).headers,
      "findersfee-organization": organization_id,
    },
    "former owner": former.headers,
    "key read": await key("read"),
    "key write": await key("write"),
    "key view": await key("view"),
    "key admin": await key("admin"),
    "key audit": await key("audit"),
  };
  await service.database`delete from members where user_id = ${former.user_id}`;
  return { organization_id, senders };
}
