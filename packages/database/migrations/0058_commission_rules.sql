-- Lists of commission rules. A set never changes: decisions that were made by it stay as they are.
create table commission_rule_sets (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  -- In their order, in the form of `StoredRule`.
  rules jsonb not null check (jsonb_typeof(rules) = 'array' and jsonb_array_length(rules) > 0),
  created_at timestamptz not null default now(),
  primary key (organization_id, id)
);

create trigger commission_rule_sets_never_change before update or delete on commission_rule_sets
  for each row execute function never_changes();

alter table campaigns
  -- Those of its rules that precede its fields; null: none.
  add column rule_set_id uuid,
  add foreign key (organization_id, rule_set_id) references commission_rule_sets (organization_id, id);

alter table affiliates
  -- Their own rules, which precede the campaign's: `{starts_at, rule_set_id, note}`, oldest first. A null `rule_set_id` ends them.
  add column rule_schedule jsonb not null default '[]' check (jsonb_typeof(rule_schedule) = 'array');

alter table organizations
  -- The keys of payments' metadata that rules name. Nothing else of metadata is stored.
  add column metadata_keys text[] not null default '{}' check (cardinality(metadata_keys) <= 50);

-- Notes on commission rules are texts that may name the affiliate.
create or replace function personal_fields(resource text) returns text[]
language sql immutable as $$
  select case resource
    when 'affiliate' then array['email', 'first_name', 'last_name', 'payout_email', 'details', 'note', 'custom_fields',
      'ref_codes', 'promo_codes', 'ban_reason', 'commission_rules']
    when 'promo_code' then array['code']
    when 'referral' then array['email']
    when 'member' then array['email']
    when 'invitation' then array['email']
    when 'override' then array['reason']
    when 'commission' then array['reason']
    else array[]::text[]
  end
$$;
