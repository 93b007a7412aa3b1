-- The texts of a campaign in further languages of the portal, by language, in the form of the API:
-- {"de": {"name": "Partnerprogramm", "custom_fields": [{"id": "audience", "label": "Wer liest Sie?", "options": []}], …}}.
-- A text that is not there is shown as its column has it.
alter table campaigns
  add column translations jsonb not null default '{}',
  add constraint campaigns_translations check (jsonb_typeof(translations) = 'object');
