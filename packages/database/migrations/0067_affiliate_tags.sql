-- Tags by which a team sorts its affiliates, and which rules can ask for.

-- At most 20 distinct texts of 1 to 40 characters. The service writes them in lower case.
create function are_tags(tags text[]) returns boolean
language sql immutable as $$
  select cardinality(tags) <= 20 and cardinality(tags) = (
    select count(distinct tag) from unnest(tags) as tag where char_length(tag) between 1 and 40)
$$;

-- A tag may describe a person, so an erasure takes it.
alter table affiliates
  add column tags text[] not null default '{}' constraint affiliates_tags check (are_tags(tags)),
  add constraint affiliates_tags_erased check (erased_at is null or tags = '{}');

-- A tag of few affiliates is found by the first one, a tag of many by the order of the second one.
create index affiliates_with_tag on affiliates using gin (tags) where tags <> '{}';
create index affiliates_tagged on affiliates (organization_id, id) where tags <> '{}';

create or replace function personal_fields(resource text) returns text[]
language sql immutable as $$
  select case resource
    when 'affiliate' then array['email', 'first_name', 'last_name', 'payout_email', 'details', 'note', 'custom_fields',
      'ref_codes', 'promo_codes', 'ban_reason', 'commission_rules', 'tags']
    when 'promo_code' then array['code']
    when 'referral' then array['email']
    when 'member' then array['email']
    when 'invitation' then array['email']
    when 'override' then array['reason']
    when 'commission' then array['reason']
    else array[]::text[]
  end
$$;

-- Searches find affiliates by their tags, too.
create or replace function write_affiliate_texts(organization uuid, affiliate uuid) returns void language sql as $$
  delete from affiliate_texts where organization_id = organization and affiliate_id = affiliate
    and exists (select from affiliates where organization_id = organization and id = affiliate and erased_at is not null);
  insert into affiliate_texts as known (organization_id, affiliate_id, texts)
  select organization, affiliate, lower(concat_ws(E'\n', btrim(first_name || ' ' || last_name), email,
    (select string_agg(code, E'\n' order by id) from affiliate_codes
      where organization_id = organization and affiliate_id = affiliate), nullif(array_to_string(tags, E'\n'), '')))
  from affiliates
  where organization_id = organization and id = affiliate and erased_at is null
  on conflict (organization_id, affiliate_id) do update set texts = excluded.texts where known.texts <> excluded.texts
$$;

create or replace function note_affiliate_texts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.erased_at is null then
      insert into affiliate_texts (organization_id, affiliate_id, texts)
      values (new.organization_id, new.id,
        lower(concat_ws(E'\n', btrim(new.first_name || ' ' || new.last_name), new.email,
          nullif(array_to_string(new.tags, E'\n'), ''))))
      on conflict do nothing;
    end if;
    return null;
  end if;
  perform write_affiliate_texts(new.organization_id, new.id);
  return null;
end
$$;

drop trigger affiliate_texts_of_changed on affiliates;
create trigger affiliate_texts_of_changed after update on affiliates
  for each row when (old.email is distinct from new.email or old.first_name is distinct from new.first_name
    or old.last_name is distinct from new.last_name or old.erased_at is distinct from new.erased_at
    or old.tags <> new.tags)
  execute function note_affiliate_texts();
