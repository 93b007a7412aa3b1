-- The names of organizations follow `/portal/`, and so do the portal's own addresses. Organizations that have one of these as their
-- slug get a number after it, the first that is free. The application refuses these slugs from now on.

do $$
declare
  reserved record;
  number integer;
begin
  for reserved in
    select id, slug from organizations
    where slug in ('assets', 'auth', 'closed', 'earnings', 'embed', 'files', 'logo', 'look', 'missing-sale', 'payouts',
      'referrals', 'settings', 'sign-in', 'trpc', 'view', 'waiting')
    order by id
  loop
    number := 1;
    while exists (select from organizations where slug = format('%s-%s', reserved.slug, number)) loop
      number := number + 1;
    end loop;
    update organizations set slug = format('%s-%s', reserved.slug, number) where id = reserved.id;
  end loop;
end
$$;
