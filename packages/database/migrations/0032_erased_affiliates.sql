-- An affiliate that was erased stays erased: its row cannot take personal data again, and stays banned.

-- When it was erased; null: it was not.
alter table affiliates add column erased_at timestamptz;

-- An affiliate with data that an update set after it was erased is not erased any more, and can be erased again.
update affiliates affiliate set erased_at = erasure.at
from (
  select organization_id, resource_id, max(created_at) as at from changes
  where resource = 'affiliate' and action = 'erased' group by organization_id, resource_id
) as erasure
where affiliate.organization_id = erasure.organization_id and affiliate.id::text = erasure.resource_id
  and email = id::text || '@erased.invalid' and first_name = '' and last_name = '' and payout_email is null
  and details is null and custom_fields = '[]' and not new_paid_referral_notifications and banned
  and not exists (
    select from affiliate_codes code
    where code.organization_id = affiliate.organization_id and code.affiliate_id = affiliate.id
      and code.code <> 'erased-' || code.id);

-- As `eraseAffiliateRow` in `packages/database/src/erasure.ts` leaves it.
alter table affiliates add constraint affiliates_erased check (erased_at is null or (
  email = id::text || '@erased.invalid' and first_name = '' and last_name = '' and payout_email is null
  and details is null and custom_fields = '[]' and not new_paid_referral_notifications and banned));
