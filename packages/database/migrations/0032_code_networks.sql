-- A keyed hash of the network that asked for a code: each network has a share of an address's mails and of a program's
-- applications, so that strangers leave a share for others. Null: asked for before this column.
alter table portal_codes add column network_hash bytea check (octet_length(network_hash) = 16);
