-- People join a program in the portal: their application waits with the mailed code, and the affiliate exists once the code
-- was entered.

-- Who may join: `listed`, anyone, and the organization's page names the campaign; `by_link`, anyone who knows the campaign's
-- address, which has its id; `closed`, nobody.
alter table campaigns add column joining text not null default 'by_link' check (joining in ('listed', 'by_link', 'closed'));

create index campaigns_listed on campaigns (organization_id, id) where joining = 'listed';

alter table organizations
  -- The terms of its programs, which people accept when they join; null: none.
  add column terms_url text,
  -- ISO 639-1. The first one is for people of whom no language is known.
  add column languages text[] not null default '{en}'
    check (cardinality(languages) between 1 and 2 and languages <@ array['en', 'de']);

-- When the affiliate accepted the organization's terms; null: it was not asked.
alter table affiliates add column terms_accepted_at timestamptz;

-- The language of a person, in all programs.
create table portal_accounts (
  -- In lower case, and proven: nobody else can set it.
  email text primary key check (email = lower(email)),
  language text not null check (language in ('en', 'de'))
);

alter table portal_codes
  -- The campaign that the person joins with the code; null: it is for signing in.
  add column organization_id uuid,
  add column campaign_id uuid,
  -- The filled in form: {"first_name", "last_name", "details", "custom_fields", "accepted_terms", "language"}. It becomes an
  -- affiliate when the code is used, and null then. Otherwise it goes with the row, a day after it expired.
  add column application jsonb,
  add foreign key (organization_id, campaign_id) references campaigns (organization_id, id),
  add constraint portal_codes_joins check (
    (organization_id is null) = (campaign_id is null) and (application is null or campaign_id is not null and used_at is null));

-- Applications of the last hour are limited.
create index portal_codes_joins on portal_codes (organization_id, created_at) where organization_id is not null;
