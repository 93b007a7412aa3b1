-- The discount of visitors who come by an affiliate's link: the affiliate's promo code applies without being typed.
alter table campaigns
  add column link_discount_enabled boolean not null default false,
  -- In the words of the organization's pages.
  add column link_discount_description text,
  add column link_discount_shows_affiliate boolean not null default false;
