-- Reference exchange rates: units of a currency for 1 euro. A row never changes; a correction is the next revision of its day.

-- Those of the installation, in the file format of the European Central Bank.
create table exchange_rates (
  source text not null check (source = 'ecb'),
  currency text not null check (currency ~ '^[A-Z]{3}$' and currency <> 'EUR'),
  day date not null,
  revision integer not null check (revision > 0),
  rate numeric(20, 10) not null check (rate > 0),
  fetched_at timestamptz not null,
  primary key (source, currency, day, revision)
);

create trigger never_changes before update or delete or truncate on exchange_rates
  for each statement execute function never_changes();

-- Those of an organization, for currencies that the installation has no rates of.
create table organization_exchange_rates (
  organization_id uuid not null references organizations (id),
  currency text not null check (currency ~ '^[A-Z]{3}$' and currency <> 'EUR'),
  day date not null,
  revision integer not null check (revision > 0),
  rate numeric(20, 10) not null check (rate > 0),
  -- A file that a member uploaded, or a rate that a member entered.
  source text not null check (source in ('file', 'manual')),
  fetched_at timestamptz not null,
  primary key (organization_id, currency, day, revision)
);

create trigger never_changes before update or delete or truncate on organization_exchange_rates
  for each statement execute function never_changes();

-- The rate of a currency that counts for an organization on a day: the last one of the day or at most 7 days before, of the
-- installation, or else of the organization.
create function exchange_rate_on(organization uuid, wanted text, on_day date)
returns table (source text, day date, rate numeric) language sql stable as $$
  select known.source, known.day, known.rate from (
    (select 1 as place, source, day, rate from exchange_rates
      where source = 'ecb' and currency = wanted and day between on_day - 7 and on_day
      order by day desc, revision desc limit 1)
    union all
    (select 2, source, day, rate from organization_exchange_rates
      where organization_id = organization and currency = wanted and day between on_day - 7 and on_day
      order by day desc, revision desc limit 1)) as known
  order by place limit 1
$$;

-- What became of fetching the file of EXCHANGE_RATES_URL. One row; none: it is not fetched.
create table exchange_rates_fetch (
  is_only boolean primary key default true check (is_only),
  attempted_at timestamptz not null,
  succeeded_at timestamptz,
  -- Why the last attempt failed; null: it did not.
  error text
);

alter table organizations add column converts_fixed_amounts boolean not null default false;

-- The payments that wait for a rate.
create index payment_decisions_rate_missing on payment_decisions (organization_id, customer_id)
  where outcome = 'exchange_rate_missing' and replaced_at is null;
