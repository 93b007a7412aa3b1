-- Affiliates and the codes that they refer with.

create table affiliates (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  payout_email text,
  clicks bigint not null default 0 check (clicks >= 0),
  approved boolean not null,
  banned boolean not null default false,
  details text,
  -- Answers to the campaign's custom fields: [{"id", "label", "value"}]
  custom_fields jsonb not null default '[]',
  new_paid_referral_notifications boolean not null,
  created_at timestamptz not null,
  -- Null: its personal data was not erased.
  erased_at timestamptz,

  -- An application that was declined. The API shows it as not approved. Approving or banning ends it.
  declined_at timestamptz,
  decline_reason text,
  -- When the affiliate confirmed its email address; null: it was not asked, or has not.
  email_confirmed_at timestamptz,
  -- When the affiliate accepted the organization's terms; null: it was not asked.
  terms_accepted_at timestamptz,
  -- An affiliate who left is banned: nothing is attributed to it. The API shows `banned` alone; people see "left". Ending the
  -- ban ends it.
  left_at timestamptz,
  -- The reason for a ban, for the affiliate, who sees it in the portal. The API shows `banned` alone.
  ban_reason text,

  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id),
  -- An erased affiliate cannot take personal data again, and stays banned. `eraseAffiliateRow` in
  -- `packages/database/src/erasure.ts` writes these values.
  constraint affiliates_erased check (erased_at is null or (
    email = id::text || '@erased.invalid' and first_name = '' and last_name = '' and payout_email is null
    and details is null and custom_fields = '[]' and not new_paid_referral_notifications and banned)),
  -- An erased affiliate is banned, so it is not declined. No reason that names it stays.
  constraint affiliates_declined check (
    case when declined_at is null then decline_reason is null else not approved and not banned end),
  constraint affiliates_left check (left_at is null or banned),
  constraint affiliates_ban_reason check (ban_reason is null or banned)
) with (
  -- Clicks are counted in this row. Free space on its page keeps the new version of the row there without changes to
  -- the indexes, and early vacuums remove the old versions before reads of a popular link's row slow down.
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02
);

create trigger never_deleted before delete or truncate on affiliates
  for each statement execute function never_changes();

create unique index affiliates_campaign_email on affiliates (organization_id, campaign_id, lower(email));
create index affiliates_campaign on affiliates (organization_id, campaign_id, id);
create index affiliates_active on affiliates (organization_id, id) where approved and not banned;
create index affiliates_unapproved on affiliates (organization_id, id) where not approved;
create index affiliates_banned on affiliates (organization_id, id) where banned;
-- Those who wait, by age: neither approved, nor banned, nor declined.
create index affiliates_waiting on affiliates (organization_id, id)
  where not approved and not banned and declined_at is null;
create index affiliates_declined on affiliates (organization_id, id) where declined_at is not null;
-- Of many affiliates with a text that begins alike, the newest ones are found in the index alone, without their rows. Postgres
-- does so only if the index also has the columns that its expression reads.
create index affiliates_email on affiliates (organization_id, lower(email), id) include (email);
create index affiliates_name on affiliates (organization_id, lower(first_name || ' ' || last_name), id)
  include (first_name, last_name);
create index affiliates_last_name on affiliates (organization_id, lower(last_name), id) include (last_name);
-- The programs of an address, in the portal.
create index affiliates_address on affiliates (lower(email));
create index affiliates_left on affiliates (organization_id, id) where left_at is not null;

-- Clients of the API approve, ban and end a ban without knowing the columns that these functions empty.
create function end_declined() returns trigger language plpgsql as $$
begin
  new.declined_at := null;
  new.decline_reason := null;
  return new;
end
$$;

create function end_left() returns trigger language plpgsql as $$
begin
  new.left_at := null;
  return new;
end
$$;

create function end_ban_reason() returns trigger language plpgsql as $$
begin
  new.ban_reason := null;
  return new;
end
$$;

create trigger declined_ended before update on affiliates
  for each row when (new.declined_at is not null and (new.approved or new.banned))
  execute function end_declined();
create trigger left_ended before update on affiliates
  for each row when (new.left_at is not null and not new.banned)
  execute function end_left();
create trigger ban_reason_ended before update on affiliates
  for each row when (new.ban_reason is not null and not new.banned)
  execute function end_ban_reason();

-- The codes that affiliates refer with: link codes, and promotion codes at the processor.
create table affiliate_codes (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  kind text not null check (kind in ('link', 'promo')),
  code text not null,
  created_at timestamptz not null,

  -- The processor's id of the promotion code; null until it exists.
  external_id text,
  -- The text and the coupon that `external_id` was made with.
  external_code text,
  external_coupon text,
  -- True: it was made at the processor and linked here, so we never deactivate it.
  external_linked boolean not null default false,
  -- The next attempt to create or update it at the processor; null: done, or failed for good.
  due_at timestamptz,
  -- The idempotency key of that request, kept until the processor answers.
  external_request_id uuid,
  failures integer not null default 0,
  -- Why the processor refused it.
  reason text,

  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  constraint affiliate_codes_external check (kind = 'promo' or due_at is null)
);

create index affiliate_codes_affiliate on affiliate_codes (organization_id, affiliate_id, id);
create index affiliate_codes_due on affiliate_codes (organization_id, due_at)
  where due_at is not null;
create index affiliate_codes_failed on affiliate_codes (organization_id, id)
  where reason is not null;
-- With the columns that the search of affiliates reads.
create unique index affiliate_codes_code on affiliate_codes (organization_id, kind, lower(code))
  include (code, affiliate_id);

-- Every promotion code that an affiliate ever had, replaced ones included: payments made with them can be reported later.
create table promotion_codes (
  organization_id uuid not null,
  -- The processor's id.
  external_id text not null,
  affiliate_id uuid not null,
  -- When the affiliate got the code.
  created_at timestamptz not null,
  primary key (organization_id, external_id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);
