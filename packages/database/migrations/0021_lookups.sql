-- Lookups: what a processor's messages leave out and its API has. The products of a payment, the discounts that a
-- message names by id only, the payment of a refund, the amounts of a payment in other currencies.

alter table payment_events drop constraint payment_events_kind_check;
alter table payment_events add constraint payment_events_kind_check check (kind in
  ('checkout', 'customer', 'subscription', 'payment', 'refund', 'dispute', 'refunded_total', 'link', 'signup',
   'amounts', 'products'));

-- The purpose and the object of the lookup that it waits for, as in `products in_123`; null: of none. It stands here,
-- too, so that processing its customer compares it without another query.
alter table payment_events add column lookup text;

create table processor_lookups (
  organization_id uuid not null references organizations (id),
  processor text not null check (processor = 'stripe'),
  -- The payment event that waits for it. No foreign key: both are written in one transaction.
  kind text not null,
  subject text not null,
  purpose text not null check (purpose in ('products', 'payment', 'amounts', 'promo_codes')),
  -- The processor's id of what is fetched: in_…, cs_…, pi_…, ch_…, promo_….
  object_id text not null,
  -- The Connect account that has it; null: the organization's own.
  account text,
  wanted_at timestamptz not null,
  -- When it is fetched; null: it was answered, or failed for good.
  due_at timestamptz,
  attempts integer not null default 0,
  error text,
  -- When the answer was stored as a message. The row goes when the message leaves nothing to wait for.
  answered_at timestamptz,
  primary key (organization_id, processor, kind, subject)
);

create index processor_lookups_due on processor_lookups (organization_id, due_at) where due_at is not null;
create index processor_lookups_object on processor_lookups (organization_id, object_id);
-- The list of what waits, and its metrics.
create index processor_lookups_waiting on processor_lookups (organization_id, wanted_at, kind, subject)
  where answered_at is null;
create index processor_lookups_wanted on processor_lookups (wanted_at);

alter table processor_messages drop constraint processor_messages_came_by_check;
alter table processor_messages add constraint processor_messages_came_by_check
  check (came_by in ('webhook', 'reconciliation', 'lookup'));
