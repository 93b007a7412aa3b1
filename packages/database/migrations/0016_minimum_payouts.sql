-- The minimum of a payout, one for each currency: {"USD": "5000"}, in minor units as text. Currencies that it does not
-- name have none.

create function is_minimum_payouts(minimums jsonb) returns boolean
language sql immutable as $$
  select jsonb_typeof(minimums) = 'object' and not exists (
    select from jsonb_each(minimums)
    where key !~ '^[A-Z]{3}$' or jsonb_typeof(value) <> 'string' or value #>> '{}' !~ '^[1-9][0-9]{0,17}$')
$$;

alter table organizations add column minimum_payouts jsonb not null default '{}' check (is_minimum_payouts(minimum_payouts));
update organizations set minimum_payouts = jsonb_build_object(currency, minimum_payout_minor::text)
where minimum_payout_minor > 0;
alter table organizations drop column minimum_payout_minor;

-- A run keeps the minimums that were set when it began.
alter table payout_runs add column minimum_payouts jsonb not null default '{}' check (is_minimum_payouts(minimum_payouts));
update payout_runs set minimum_payouts = jsonb_build_object(currency, minimum_payout_minor::text)
where minimum_payout_minor > 0;
alter table payout_runs drop column minimum_payout_minor;
