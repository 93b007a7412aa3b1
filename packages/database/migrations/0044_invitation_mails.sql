-- Staff see whether a person was invited who has not agreed, list those who have not, and invite them again.

alter table affiliates
  -- When the address last changed: mails before went to somebody else. Null: it never did, or before this column.
  add column email_changed_at timestamptz;

-- Another address is another person.
create or replace function end_agreement() returns trigger language plpgsql as $$
begin
  new.agreed_at := null;
  new.disowned_at := null;
  new.email_changed_at := now();
  return new;
end
$$;

create index affiliates_not_agreed on affiliates (organization_id, id) where agreed_at is null and erased_at is null;

create index mails_of_approvals on mails (organization_id, affiliate_id, created_at) where kind = 'affiliate_approved';
