-- A link code that an affiliate no longer uses stays in links that it has published. So its row stays, and the unique index
-- of all codes, affiliate_codes_code, keeps other affiliates from it. An erasure releases the codes.
alter table affiliate_codes
  -- When another link code of the affiliate took its place; null: it is in use.
  add column replaced_at timestamptz,
  add constraint affiliate_codes_replaced check (kind = 'link' or replaced_at is null);

-- Codes that were replaced until now are in the audit log. Those that nobody has taken since return to their last affiliate.
insert into affiliate_codes (organization_id, id, affiliate_id, kind, code, created_at, replaced_at)
select distinct on (entry.organization_id, lower(former.code))
  entry.organization_id, gen_random_uuid(), affiliate.id, 'link', former.code, affiliate.created_at, entry.created_at
from audit_log_entries entry
join affiliates affiliate
  on affiliate.organization_id = entry.organization_id and affiliate.id::text = entry.resource_id
    and affiliate.erased_at is null
cross join lateral json_array_elements_text(
  case json_typeof(entry.before -> 'ref_codes') when 'array' then entry.before -> 'ref_codes' else '[]' end
) as former (code)
where entry.resource = 'affiliate' and former.code ~ '^[A-Za-z0-9_-]{2,64}$'
order by entry.organization_id, lower(former.code), entry.id desc
on conflict do nothing;
