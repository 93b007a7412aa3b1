-- A page of the list of lookups ends at a time in milliseconds. Microseconds beyond it would repeat the page's last row on
-- the next page.
alter table processor_lookups alter column wanted_at type timestamptz(3);
