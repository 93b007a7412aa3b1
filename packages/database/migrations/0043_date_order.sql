-- How a person wants dates: as the browser's region writes them, or with the month or the day first.
alter table user_preferences
  add column dates text not null default 'browser' check (dates in ('browser', 'month_first', 'day_first'));
