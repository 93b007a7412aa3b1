-- The dashboard's search by any part of a name, an email address, a domain or a code. Both extensions are trusted since Postgres
-- 13: the owner of a database may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The texts of affiliates and customers that are searched by their parts, in lower case. They are tables of their own because the
-- rows of affiliates and referrals change often (clicks, states), and each new version of a row would write to the index of parts.
-- Commissions and payments, which are written most, have none: the search reaches them through their people.
create table affiliate_texts (
  organization_id uuid not null,
  affiliate_id uuid not null,
  -- Its name, email and codes, a line each.
  texts text not null,
  primary key (organization_id, affiliate_id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

-- No foreign key: rows are only written with referrals, which are never deleted.
create table customer_texts (
  organization_id uuid not null,
  referral_id uuid not null,
  email text not null,
  primary key (organization_id, referral_id)
);

-- The first rows, in any order, that match a pattern of `like`. Any other plan reads more.
create function affiliates_with_text(organization uuid, pattern text, most integer) returns setof uuid
language sql stable set enable_seqscan = off set enable_indexscan = off as $$
  select affiliate_id from affiliate_texts where organization_id::text = organization::text and texts like pattern limit most
$$;

create function customers_with_text(organization uuid, pattern text, most integer) returns setof uuid
language sql stable set enable_seqscan = off set enable_indexscan = off as $$
  select referral_id from customer_texts where organization_id::text = organization::text and email like pattern limit most
$$;

-- Erased affiliates have no texts.
create function write_affiliate_texts(organization uuid, affiliate uuid) returns void language sql as $$
  delete from affiliate_texts where organization_id = organization and affiliate_id = affiliate
    and exists (select from affiliates where organization_id = organization and id = affiliate and erased_at is not null);
  insert into affiliate_texts as known (organization_id, affiliate_id, texts)
  select organization, affiliate, lower(concat_ws(E'\n', btrim(first_name || ' ' || last_name), email,
    (select string_agg(code, E'\n' order by id) from affiliate_codes
      where organization_id = organization and affiliate_id = affiliate)))
  from affiliates
  where organization_id = organization and id = affiliate and erased_at is null
  on conflict (organization_id, affiliate_id) do update set texts = excluded.texts where known.texts <> excluded.texts
$$;

-- A new row is not read again, which imports of thousands would do without statistics. Its codes come later, by their own trigger.
create function note_affiliate_texts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.erased_at is null then
      insert into affiliate_texts (organization_id, affiliate_id, texts)
      values (new.organization_id, new.id,
        lower(concat_ws(E'\n', btrim(new.first_name || ' ' || new.last_name), new.email)))
      on conflict do nothing;
    end if;
    return null;
  end if;
  perform write_affiliate_texts(new.organization_id, new.id);
  return null;
end
$$;

create function note_code_texts() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform write_affiliate_texts(old.organization_id, old.affiliate_id);
  end if;
  if tg_op <> 'DELETE' then
    perform write_affiliate_texts(new.organization_id, new.affiliate_id);
  end if;
  return null;
end
$$;

create trigger affiliate_texts_of_new after insert on affiliates
  for each row execute function note_affiliate_texts();
create trigger affiliate_texts_of_changed after update on affiliates
  for each row when (old.email is distinct from new.email or old.first_name is distinct from new.first_name
    or old.last_name is distinct from new.last_name or old.erased_at is distinct from new.erased_at)
  execute function note_affiliate_texts();
create trigger affiliate_texts_of_codes after insert or delete on affiliate_codes
  for each row execute function note_code_texts();
create trigger affiliate_texts_of_changed_codes after update on affiliate_codes
  for each row when (old.code is distinct from new.code or old.affiliate_id is distinct from new.affiliate_id)
  execute function note_code_texts();

-- A referral that was replaced has no customer any more.
create function note_customer_texts() returns trigger language plpgsql as $$
begin
  if new.replaced_at is not null then
    delete from customer_texts where organization_id = new.organization_id and referral_id = new.id;
  else
    insert into customer_texts as known (organization_id, referral_id, email)
    values (new.organization_id, new.id, lower(new.email))
    on conflict (organization_id, referral_id) do update set email = excluded.email;
  end if;
  return null;
end
$$;

create trigger customer_texts_of_new after insert on referrals
  for each row execute function note_customer_texts();
create trigger customer_texts_of_changed after update on referrals
  for each row when (old.email is distinct from new.email or old.replaced_at is distinct from new.replaced_at)
  execute function note_customer_texts();

insert into affiliate_texts (organization_id, affiliate_id, texts)
select organization_id, id, lower(concat_ws(E'\n', btrim(first_name || ' ' || last_name), email,
  (select string_agg(code, E'\n' order by id) from affiliate_codes
    where organization_id = affiliate.organization_id and affiliate_id = affiliate.id)))
from affiliates affiliate where erased_at is null;

insert into customer_texts (organization_id, referral_id, email)
select organization_id, id, lower(email) from referrals where replaced_at is null;

-- The organization as a text, which no other index has: otherwise, Postgres would read all rows of an organization instead, if it
-- expects a text to be frequent. A search also reads the list of rows that are not merged into the index yet: it stays small.
create index affiliate_texts_parts on affiliate_texts using gin ((organization_id::text), texts gin_trgm_ops)
  with (gin_pending_list_limit = 1024);
create index customer_texts_parts on customer_texts using gin ((organization_id::text), email gin_trgm_ops)
  with (gin_pending_list_limit = 1024);

-- Screens show the end of these ids: `…8c6d1e90`.
create index affiliates_id_end on affiliates (organization_id, right(id::text, 8));
create index referrals_id_end on referrals (organization_id, right(id::text, 8));
create index payouts_id_end on payouts (organization_id, right(id::text, 8));
