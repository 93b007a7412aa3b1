-- An affiliate whom its organization added is not its affiliate in the portal until the person agreed. Mails to people who have not
-- are limited each day.

alter table affiliates
  -- When the person agreed to be the organization's affiliate: by joining, by accepting the invitation in the portal, or by signing
  -- in at the organization's own host name. Null: it has not.
  add column agreed_at timestamptz,
  -- When the person said that the invitation is not theirs. The portal does not list it, and no mail is sent.
  add column disowned_at timestamptz,
  add constraint affiliates_agreement check (agreed_at is null or disowned_at is null);

-- Whoever joined has agreed; so has who changed something in the portal as this affiliate.
update affiliates affiliate
set agreed_at = coalesce(email_confirmed_at, terms_accepted_at, now())
where erased_at is null and (
  email_confirmed_at is not null or terms_accepted_at is not null
  or exists (
    select from audit_log_entries entry
    where entry.organization_id = affiliate.organization_id and entry.resource = 'affiliate'
      and entry.resource_id = affiliate.id::text and entry.actor = 'affiliate ' || affiliate.id));

-- Whoever signed in has agreed, if that was at the organization's own host name, or if the address has affiliates of this
-- organization alone: of several, nothing says to which the person came. Frames and views of staff are no sign-ins.
update affiliates affiliate
set agreed_at = now()
where agreed_at is null and erased_at is null and (
  exists (
    select from portal_sessions session
    where session.email = lower(affiliate.email) and session.affiliate_id is null
      and session.limited_to = affiliate.organization_id)
  or exists (
    select from portal_codes code
    where code.email = lower(affiliate.email) and code.used_at is not null
      and code.limited_to = affiliate.organization_id)
  or not exists (
    select from affiliates other
    where lower(other.email) = lower(affiliate.email) and other.organization_id <> affiliate.organization_id
  ) and (
    exists (select from portal_accounts account where account.email = lower(affiliate.email))
    or exists (
      select from portal_sessions session
      where session.email = lower(affiliate.email) and session.affiliate_id is null)
    or exists (
      select from portal_codes code where code.email = lower(affiliate.email) and code.used_at is not null)));

-- Another address is another person.
create function end_agreement() returns trigger language plpgsql as $$
begin
  new.agreed_at := null;
  new.disowned_at := null;
  return new;
end
$$;

create trigger agreement_ended before update of email on affiliates
  for each row when (lower(old.email) <> lower(new.email))
  execute function end_agreement();

alter table mails
  -- It was sent to somebody who has neither asked for it nor agreed: the day's quota counts it.
  add column to_stranger boolean not null default false,
  -- It waits for the next day (UTC), because the quota of this one is used up.
  add column awaits_quota boolean not null default false,
  add constraint mails_awaiting_quota check (not awaits_quota or state = 'due');

create index mails_to_strangers on mails (organization_id, finished_at) where to_stranger;
create index mails_awaiting_quota on mails (organization_id, affiliate_id) where awaits_quota;

alter table organizations
  -- The most mails a day to people who have not agreed, set by the operator; 0: any number. Null: that of the service.
  add column mails_to_strangers integer check (mails_to_strangers >= 0);
