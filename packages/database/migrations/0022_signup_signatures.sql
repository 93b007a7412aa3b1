-- Which sign-ups an organization takes with its publishable key, and the secret with which its backend signs them.

alter table organizations
  add column public_signups text not null default 'on' check (public_signups in ('on', 'signed', 'off')),
  add column signup_secret_encrypted bytea,
  -- Valid until then beside the new one, so that a backend can be given the new one in time.
  add column previous_signup_secret_encrypted bytea,
  add column previous_signup_secret_expires_at timestamptz;
