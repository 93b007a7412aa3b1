-- Where affiliates' answers to mails go; null: nowhere.
alter table organizations add column support_email text check (support_email = lower(support_email));
