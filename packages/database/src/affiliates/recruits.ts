import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** An affiliate that another one recruited, with the recruiter's earnings from its commissions. */
export interface RecruitRow {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  created_at: Date;
  recruited_until: Date;
  recruiting_rate: bigint;
  /** Without void ones. */
  sums: { currency: string; commission_minor: string }[];
}

const LIST = statement<RecruitRow, "organization_id" | "recruiter_id" | "limit">(`
  select recruit.id, recruit.first_name, recruit.last_name, recruit.email, recruit.created_at, recruit.recruited_until,
    recruit.recruiting_rate,
    coalesce((
      select json_agg(json_build_object('currency', currency, 'commission_minor', minor::text) order by currency)
      from (
        select line.currency, sum(line.commission_minor) as minor
        from recruit_terms terms
        join commissions line
          on line.organization_id = :organization_id::uuid and line.recruit_commission_id = terms.commission_id
            and line.affiliate_id = :recruiter_id::uuid
        where terms.organization_id = :organization_id::uuid and terms.recruit_id = recruit.id and not line.voided
        group by line.currency
      ) as sum
    ), '[]') as sums
  from affiliates recruit
  where recruit.organization_id = :organization_id::uuid and recruit.recruited_by = :recruiter_id::uuid
  order by recruit.id desc limit :limit::int`);

/** Returns an affiliate's recruits, the newest first. */
export async function listRecruits(
  sql: Connection,
  organizationId: string,
  query: { recruiter_id: string; limit: number },
): Promise<RecruitRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, ...query });
}
