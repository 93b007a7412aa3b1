/** Of a commission for a recruit: the recruit's commission, and the recruit, as columns in a row of another statement; else null. */
export interface RecruitColumns {
  recruit_commission_id: string | null;
  recruit_id: string | null;
  recruit_email: string | null;
  recruit_first_name: string | null;
  recruit_last_name: string | null;
  /** The recruiter's percentage of the recruit's commissions. */
  recruiting_rate: bigint | null;
}

/**
 * The columns that the recruiter may see. They come from rows named `commission` and `recruit`, as do all of
 * them.
 */
export const OWN_RECRUIT_COLUMNS = `commission.recruit_commission_id, recruit.first_name as recruit_first_name,
    recruit.last_name as recruit_last_name`;

export const RECRUIT_COLUMNS = `${OWN_RECRUIT_COLUMNS}, recruit.id as recruit_id, recruit.email as recruit_email,
    recruit.recruiting_rate`;

/** Joins `recruit` to `commission`, by keys and only if there is one. */
export const JOIN_RECRUIT = `left join lateral (
      select affiliate.id, affiliate.email, affiliate.first_name, affiliate.last_name, affiliate.recruiting_rate
      from commissions root
      join affiliates affiliate
        on affiliate.organization_id = root.organization_id and affiliate.id = root.affiliate_id
      where root.organization_id = commission.organization_id and root.id = commission.recruit_commission_id
      offset 0
    ) as recruit on true`;

/**
 * SQL: the email of a commission's customer, as the affiliate may see it. The recruiter does not see
 * customers of a recruit.
 */
export const OWN_CUSTOMER_EMAIL =
  "case when commission.recruit_commission_id is null then referral.email end";
