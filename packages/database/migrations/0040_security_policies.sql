-- Security policies of organizations, and payout runs that a second member approves.

-- Without a row, the service's own rules apply.
create table security_policies (
  organization_id uuid primary key references organizations (id),
  second_factor_required boolean not null default false,
  -- Hours since the sign-in, and minutes since the last use, after which a session opens this organization no more. Null: as
  -- long as the service's own sessions.
  session_hours integer check (session_hours between 1 and 720),
  idle_minutes integer check (idle_minutes between 5 and 1440),
  -- Where requests with secret keys, and those of members, come from. Empty: anywhere.
  key_networks cidr[] not null default '{}' check (cardinality(key_networks) <= 50),
  staff_networks cidr[] not null default '{}' check (cardinality(staff_networks) <= 50),
  -- Payout runs above these amounts, in minor units as text by currency, and all with another currency, wait for a second
  -- member. Null: none waits.
  approval_amounts jsonb check (is_minimum_payouts(approval_amounts))
);

create trigger not_in_test_data after insert on security_policies
  referencing new table as added for each statement execute function refuse_in_test_data();

-- The longest time without a request, which an idle limit counts even after the next request.
alter table user_sessions add column longest_idle_seconds integer not null default 0;

alter table security_events
  drop constraint security_events_kind_check,
  add constraint security_events_kind_check check (kind in ('signed_in', 'signed_in_on_new_device',
    'signed_in_from_new_network', 'sign_in_failed', 'code_failed', 'device_confirmed', 'password_changed', 'password_reset',
    'second_factor_added', 'second_factor_removed', 'recovery_codes_replaced', 'passkey_added', 'passkey_removed',
    'sessions_ended', 'single_sign_on_changed', 'credentials_removed', 'network_refused', 'key_network_refused',
    'policies_changed')),
  drop constraint security_events_check,
  add constraint security_events_check check (
    (kind in ('sign_in_failed', 'code_failed', 'network_refused', 'key_network_refused')) = (hour is not null));

-- A refusal by network names the organization or the key, so that those of two are two events.
drop index security_events_hour;
create unique index security_events_hour on security_events (user_id, kind, network, hour, coalesce(detail, ''))
  where hour is not null;

alter table payout_runs
  -- Null: it needed none.
  add column approval text check (approval in ('waiting', 'approved', 'declined')),
  -- The person who started it, or who made the key that did; null: nobody. No foreign key: it stays when the user is deleted, so
  -- that the run is never approved as if nobody had started it.
  add column starter_id uuid,
  -- Users. No foreign key, as above.
  add column decided_by uuid,
  add column decided_at timestamptz,
  add column decision_reason text check (decision_reason <> ''),
  add constraint payout_runs_second_person
    check (approval is distinct from 'approved' or decided_by is distinct from starter_id),
  add constraint payout_runs_decided check (
    (approval is not null and approval <> 'waiting') = (decided_by is not null and decided_at is not null)),
  add constraint payout_runs_declined check (approval is distinct from 'declined' or decision_reason is not null),
  -- What is approved is an amount.
  add constraint payout_runs_approved_amount check (approval is null or confirmed is not null),
  drop constraint payout_runs_check,
  add constraint payout_runs_due check (
    (finished_at is null and approval is distinct from 'waiting') = (due_at is not null)),
  add constraint payout_runs_declined_finished check (approval is distinct from 'declined' or finished_at is not null);

create index payout_runs_waiting on payout_runs (organization_id) where approval = 'waiting';

-- FF008: an approval is decided once, by somebody else than who started the run.
create function guard_approval() returns trigger language plpgsql as $$
begin
  if new.starter_id is distinct from old.starter_id
    or (old.approval is distinct from new.approval and old.approval is distinct from 'waiting')
    or (old.approval is not distinct from new.approval and old.decided_by is distinct from new.decided_by)
  then
    raise exception 'the approval of payout run % is final', new.id using errcode = 'FF008';
  end if;
  return new;
end
$$;

create trigger approval before update of approval, starter_id, decided_by, decided_at, decision_reason on payout_runs
  for each row execute function guard_approval();

-- FF008: a run pays nothing before it is approved.
create function refuse_unapproved() returns trigger language plpgsql as $$
begin
  if exists (
    select from payout_runs run
    where (run.organization_id, run.id) in (select organization_id, run_id from added)
      and run.approval in ('waiting', 'declined')
  ) then
    raise exception 'a payout of a run that is not approved' using errcode = 'FF008';
  end if;
  return null;
end
$$;

create trigger approved_run after insert on payouts
  referencing new table as added for each statement execute function refuse_unapproved();
