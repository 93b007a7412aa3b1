-- Tells a damaged secret from a wrong SECRETS_KEY: only the key that opens this row belongs to the database. The first
-- start with this version writes it.
create table secrets_key_check (
  one boolean primary key default true check (one),
  sealed bytea not null
);

alter table endpoints
  drop constraint endpoints_disabled_reason_check,
  -- `secret`: its signing secret or its custom headers cannot be read.
  add constraint endpoints_disabled_reason_check
    check (disabled_reason in ('operator', 'gone', 'failing', 'secret'));
