-- The portal speaks both languages unless an organization chose one. Until now none could choose.
alter table organizations alter column languages set default '{en,de}';
update organizations set languages = '{en,de}' where languages = '{en}';
