import type { MinimumPayoutsRow } from "../organizations/settings.ts";
import type { Connection } from "../postgres/connect.ts";

/** An organization's requirements for sign-ins, for the networks of requests, and for payout runs. */
export interface SecurityPolicyRow {
  second_factor_required: boolean;
  /** Null: as long as the service's own sessions. */
  session_hours: number | null;
  /** Null: no limit. */
  idle_minutes: number | null;
  /** CIDR. Empty: anywhere. */
  key_networks: string[];
  staff_networks: string[];
  /** Null: payout runs need no approval. */
  approval_amounts: MinimumPayoutsRow | null;
}

/** The part that applies to the sessions of members. */
export type SessionPolicyRow = Pick<
  SecurityPolicyRow,
  "second_factor_required" | "session_hours" | "idle_minutes" | "staff_networks"
>;

/** SQL: a left join of the policies of an organization, which also count for its test data. */
export const POLICY_OF_ORGANIZATION =
  "left join security_policies policy on policy.organization_id = coalesce(organization.test_of, organization.id)";

const NONE: SecurityPolicyRow = {
  second_factor_required: false,
  session_hours: null,
  idle_minutes: null,
  key_networks: [],
  staff_networks: [],
  approval_amounts: null,
};

export async function findSecurityPolicy(
  sql: Connection,
  organizationId: string,
): Promise<SecurityPolicyRow> {
  const [row] = await sql<SecurityPolicyRow[]>`
    select second_factor_required, session_hours, idle_minutes, key_networks::text[] as key_networks,
      staff_networks::text[] as staff_networks, approval_amounts
    from security_policies
    where organization_id = (select coalesce(test_of, id) from organizations where id = ${organizationId})`;
  return row ?? NONE;
}

/** Writes the policies of an organization. The caller has locked its row. */
export async function upsertSecurityPolicy(
  sql: Connection,
  organizationId: string,
  policy: SecurityPolicyRow,
): Promise<void> {
  const { second_factor_required, session_hours, idle_minutes, key_networks, staff_networks } = policy;
  const amounts = policy.approval_amounts === null ? null : sql.json(policy.approval_amounts);
  await sql`
    insert into security_policies (organization_id, second_factor_required, session_hours, idle_minutes, key_networks,
      staff_networks, approval_amounts)
    values (${organizationId}, ${second_factor_required}, ${session_hours}, ${idle_minutes},
      ${key_networks}::text[]::cidr[], ${staff_networks}::text[]::cidr[], ${amounts})
    on conflict (organization_id) do update set second_factor_required = excluded.second_factor_required,
      session_hours = excluded.session_hours, idle_minutes = excluded.idle_minutes, key_networks = excluded.key_networks,
      staff_networks = excluded.staff_networks, approval_amounts = excluded.approval_amounts`;
}

/** Networks in the notation of CIDR, each once and without the bits of hosts, in their order. */
export async function canonicalNetworks(sql: Connection, networks: readonly string[]): Promise<string[]> {
  const rows = await sql<{ network: string }[]>`
    select network from (
      select network(listed.network::inet)::text as network, min(listed.place) as place
      from unnest(${[...networks]}::text[]) with ordinality as listed (network, place)
      group by 1
    ) as canonical
    order by place`;
  return rows.map(({ network }) => network);
}

/** The owners of an organization who are not disabled. */
export async function listOwnerIds(sql: Connection, organizationId: string): Promise<string[]> {
  const rows = await sql<{ user_id: string }[]>`
    select member.user_id from members member join users on users.id = member.user_id
    where member.organization_id = ${organizationId} and member.role = 'owner' and users.disabled_at is null
    order by member.user_id`;
  return rows.map(({ user_id }) => user_id);
}

/** Members who may approve payout runs: owners and admins who are not disabled. */
export async function countApprovers(sql: Connection, organizationId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count
    from members member join users on users.id = member.user_id
    where member.organization_id = ${organizationId} and member.role in ('owner', 'admin')
      and users.disabled_at is null`;
  return row.count;
}
