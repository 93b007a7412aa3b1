-- Reads all lines, while others go on to write some.
alter table ledger_entries validate constraint ledger_entries_kind;
