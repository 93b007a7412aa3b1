-- The team's note about an affiliate. The affiliate never sees it: neither the portal nor events contain it.
alter table affiliates
  add column note text,
  drop constraint affiliates_erased,
  add constraint affiliates_erased check (erased_at is null or (
    email = id::text || '@erased.invalid' and first_name = '' and last_name = '' and payout_email is null
    and details is null and note is null and custom_fields = '[]' and not new_paid_referral_notifications and banned));

-- Until now the dashboard wrote notes into `details`, over the affiliate's own words, which the portal shows. The audit
-- log has the last words of each affiliate: they stay, or return. Any other text becomes a note.
with written as (
  select affiliate.organization_id, affiliate.id, entry.details
  from affiliates affiliate left join lateral (
    select after ->> 'details' as details from audit_log_entries
    where organization_id = affiliate.organization_id and resource_id = affiliate.id::text and resource = 'affiliate'
      and (actor = 'joining' or actor = 'affiliate ' || affiliate.id) and after::jsonb ? 'details'
    order by id desc limit 1
  ) as entry on true
  where affiliate.details is not null
)
update affiliates affiliate set details = written.details, note = affiliate.details
from written
where affiliate.organization_id = written.organization_id and affiliate.id = written.id
  and affiliate.details is distinct from written.details;

-- Staff write it about a person.
create or replace function personal_fields(resource text) returns text[]
language sql immutable as $$
  select case resource
    when 'affiliate' then array['email', 'first_name', 'last_name', 'payout_email', 'details', 'note', 'custom_fields',
      'ref_codes', 'promo_codes', 'ban_reason']
    when 'promo_code' then array['code']
    when 'referral' then array['email']
    when 'member' then array['email']
    when 'invitation' then array['email']
    else array[]::text[]
  end
$$;
