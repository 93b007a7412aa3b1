-- Counts the mailed invitations of an address, which are limited.
create index invitations_email on invitations (organization_id, email, id);
