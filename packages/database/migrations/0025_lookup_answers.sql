-- The last answer about an object is found without reading all that wait for it: everybody may use a promotion code.
drop index processor_lookups_object;
create index processor_lookups_object on processor_lookups (organization_id, object_id, answered_at);
