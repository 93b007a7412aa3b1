-- Affiliates who are paid in one currency. A payout run converts what is due to them in other currencies at the reference rates of
-- its day.

alter table affiliates
  -- Null: a payout for each currency.
  add column payout_currency text check (payout_currency ~ '^[A-Z]{3}$');

create index affiliates_payout_currency on affiliates (organization_id, id) where payout_currency is not null;

alter table organizations
  add column affiliates_choose_payout_currency boolean not null default false,
  -- Whether the minimum payout in the organization's currency counts in currencies without one of their own.
  add column converts_minimum_payouts boolean not null default false;

alter table payout_runs
  -- The rates of the run's day, as they were known when it started: `currency`, `rate`, `source`, `day` and `decimals` of each.
  add column exchange_rates jsonb not null default '[]',
  -- The currencies without a rate then: amounts in them, or to be paid in them, are not in the run.
  add column missing_rates text[] not null default '{}';

-- An amount in another currency, half away from zero. The rates are minor units for 1 euro.
create function convert_minor(amount bigint, from_rate numeric, to_rate numeric) returns bigint
language sql immutable parallel safe
return sign(amount)::bigint * div(2 * abs(amount) * to_rate + from_rate, 2 * from_rate)::bigint;

-- Minor units for 1 euro.
create function minor_rate(rate numeric, decimals integer) returns numeric
language sql immutable parallel safe
return rate * (10::numeric ^ decimals);

-- The parts of a payout that are from other currencies. A payout that fails keeps them, and its commissions are unpaid again in
-- their own currencies.
create table payout_conversions (
  organization_id uuid not null,
  payout_id uuid not null,
  affiliate_id uuid not null,
  from_currency text not null check (from_currency ~ '^[A-Z]{3}$'),
  -- Negative: more was taken back than earned.
  from_minor bigint not null check (from_minor <> 0),
  to_currency text not null check (to_currency ~ '^[A-Z]{3}$' and to_currency <> from_currency),
  to_minor bigint not null,
  -- Units for 1 euro, and the decimals of the currency. The euro has the rate 1 without a source and a day.
  from_rate numeric(20, 10) not null check (from_rate > 0),
  from_source text,
  from_day date,
  from_decimals integer not null check (from_decimals between 0 and 4),
  to_rate numeric(20, 10) not null check (to_rate > 0),
  to_source text,
  to_day date,
  to_decimals integer not null check (to_decimals between 0 and 4),
  primary key (organization_id, payout_id, from_currency),
  foreign key (organization_id, payout_id) references payouts (organization_id, id),
  constraint payout_conversions_amount check (
    to_minor = convert_minor(from_minor, minor_rate(from_rate, from_decimals), minor_rate(to_rate, to_decimals))),
  constraint payout_conversions_euro check (
    (from_currency = 'EUR') = (from_source is null) and (from_currency = 'EUR') = (from_day is null)
    and (from_currency <> 'EUR' or from_rate = 1)
    and (to_currency = 'EUR') = (to_source is null) and (to_currency = 'EUR') = (to_day is null)
    and (to_currency <> 'EUR' or to_rate = 1))
);

create trigger never_changes before update or delete or truncate on payout_conversions
  for each statement execute function never_changes();

-- What conversions took out of a currency, less what they put into it. In each currency, the amounts of an entry of a payout add up
-- to 0.
alter table ledger_entries add column converted_minor bigint not null default 0;

alter table balances
  add column converted_minor bigint not null default 0,
  drop constraint balances_check,
  add constraint balances_check check (
    earned_minor - lost_minor + adjusted_minor = unpaid_minor + in_payout_minor + paid_minor + converted_minor
    and earned_minor >= 0);

-- FF004: a payout with conversions has the entries of each, and its amount is what they put into it and what its own currency adds.
create function guard_conversions() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (
    select from payout_conversions conversion
    where conversion.organization_id = new.organization_id and conversion.payout_id = new.id and (
      conversion.to_currency <> new.currency or conversion.affiliate_id <> new.affiliate_id
      or conversion.from_minor <> coalesce((
        select sum(entry.converted_minor) from ledger_entries entry
        where entry.organization_id = new.organization_id and entry.payout_id = new.id
          and entry.currency = conversion.from_currency and entry.kind = 'converted'), 0)
      or (new.status in ('failed', 'canceled')) <> exists (
        select from ledger_entries entry
        where entry.organization_id = new.organization_id and entry.payout_id = new.id
          and entry.currency = conversion.from_currency and entry.kind = 'unconverted'
          and entry.converted_minor = -conversion.from_minor))
  ) or exists (
    select from ledger_entries entry
    where entry.organization_id = new.organization_id and entry.payout_id = new.id and entry.kind = 'put_into_payout'
      and -entry.converted_minor <> coalesce((
        select sum(conversion.to_minor) from payout_conversions conversion
        where conversion.organization_id = new.organization_id and conversion.payout_id = new.id), 0)
  ) then
    raise exception 'payout % does not match its conversions', new.id using errcode = 'FF004';
  end if;
  return null;
end
$$;

create trigger guard_conversions_inserted after insert on payouts
  for each row execute function guard_conversions();
create trigger guard_conversions_status after update of status on payouts
  for each row when (old.status is distinct from new.status) execute function guard_conversions();

alter table payout_preview_rows
  add column payout_currency text,
  -- The due amount in it; null: a rate is missing.
  add column payout_minor bigint,
  add column missing_rates text[] not null default '{}';

alter table payout_previews
  add column exchange_rates jsonb not null default '[]',
  add column missing_rates text[] not null default '{}';
