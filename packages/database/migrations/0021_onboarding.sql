-- Getting started, and test data.

-- Test data is an organization of its own, which belongs to the one that made it: nothing that reads or pays the rows of an
-- organization finds those of another one. People reach it with their role in the organization that it is a test of.
alter table organizations
  add column test_of uuid references organizations (id),
  -- Nobody reaches it any more. Its rows stay: ledgers and audit logs are never deleted.
  add column removed_at timestamptz,
  -- When somebody put away the page with the first steps.
  add column onboarding_dismissed_at timestamptz,
  add constraint organizations_removed check (removed_at is null or test_of is not null),
  add constraint organizations_test check (test_of is null or (test_of <> id and payout_day is null));

create unique index organizations_test_of on organizations (test_of) where removed_at is null;
create index organizations_tests on organizations (test_of, created_at) where test_of is not null;

-- FF006: test data has no payout runs, payouts, members or invitations.
create function refuse_in_test_data() returns trigger language plpgsql as $$
begin
  if exists (
    select from organizations
    where id in (select organization_id from added) and test_of is not null
  ) then
    raise exception '% of test data', tg_table_name using errcode = 'FF006';
  end if;
  return null;
end
$$;

create trigger not_in_test_data after insert on payout_runs
  referencing new table as added for each statement execute function refuse_in_test_data();
create trigger not_in_test_data after insert on payouts
  referencing new table as added for each statement execute function refuse_in_test_data();
create trigger not_in_test_data after insert on members
  referencing new table as added for each statement execute function refuse_in_test_data();
create trigger not_in_test_data after insert on invitations
  referencing new table as added for each statement execute function refuse_in_test_data();
