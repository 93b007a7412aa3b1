-- Which customers a campaign's affiliates can refer, and which payments earn. Existing campaigns keep what they
-- had: customers who paid before, the last click, fixed amounts without a cap, prorations included.

alter table campaigns
  add column customers text not null default 'any' check (customers in ('new', 'any')),
  add column attribution text not null default 'last_click' check (attribution in ('last_click', 'first_click')),
  add column commission_cap boolean not null default false,
  add column skip_prorations boolean not null default false;

-- New campaigns name each of them.
alter table campaigns
  alter column customers drop default,
  alter column attribution drop default,
  alter column commission_cap drop default,
  alter column skip_prorations drop default;
