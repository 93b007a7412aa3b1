-- Rows of every table, which follow the service's rules: an organization with an affiliate who has a paid commission, one that is
-- unpaid and partly refunded, and one that is void.

create table clicks_2026_01 partition of clicks for values from ('2026-01-01 00:00:00+00') to ('2026-02-01 00:00:00+00');
create table attempts_2026_01_10 partition of attempts for values from ('2026-01-10 00:00:00+00') to ('2026-01-11 00:00:00+00');

insert into organizations (id, name, slug, currency, subscription_status, minimum_payouts, payout_day, created_at, test_of, terms_url) values
  ('019ba759-3500-7000-8000-000000000001', 'Acme', 'acme', 'USD', 'active', '{"USD": "500"}', 5, '2026-01-10 10:00:00+00', null, 'https://acme.example/terms'),
  ('019ba759-3500-7000-8000-000000000002', 'Acme', 'acme-test', 'USD', 'active', '{}', null, '2026-01-10 10:00:00+00', '019ba759-3500-7000-8000-000000000001', null);
update total_seals set sealed_until = '2026-01-10 12:00:00+00', deliveries_until = '2026-01-10 12:00:00+00', due_at = '2026-01-10 14:00:00+00';
insert into total_rebuilds values
  ('019ba759-3500-7000-8000-000000000002', 2, 'UTC', '2026-01-10 11:00:00+00', '2026-01-10 12:00:00+00', '2026-01-01 00:00:00+00');

insert into users (id, name, email, created_at, updated_at) values
  ('019ba759-3500-7000-8000-000000000003', 'Olga Owner', 'olga@acme.example', '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00');
insert into user_passwords values ('019ba759-3500-7000-8000-000000000003', 'scrypt', '2026-01-10 10:00:00+00');
insert into user_sessions (id, user_id, token_hash, created_at, updated_at, expires_at) values
  ('019ba759-3500-7000-8000-000000000004', '019ba759-3500-7000-8000-000000000003', sha256('session'), '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00', '2026-02-10 10:00:00+00');
insert into user_verifications (id, kind, user_id, token_hash, created_at, expires_at) values
  ('019ba759-3500-7000-8000-000000000005', 'email', '019ba759-3500-7000-8000-000000000003', sha256('verification'), '2026-01-10 10:00:00+00', '2026-01-11 10:00:00+00');
insert into used_passkey_challenges values (sha256('challenge'), '2026-01-10 10:05:00+00');
insert into user_passkeys (id, user_id, name, credential_id, public_key, counter, is_backed_up, created_at) values
  ('019ba759-3500-7000-8000-000000000006', '019ba759-3500-7000-8000-000000000003', 'Laptop', 'Y3JlZGVudGlhbA', '\x01', 7, true, '2026-01-10 10:00:00+00');
insert into user_second_factors (user_id, secret_encrypted, created_at) values
  ('019ba759-3500-7000-8000-000000000003', '\x02', '2026-01-10 10:00:00+00');
insert into user_recovery_codes values ('019ba759-3500-7000-8000-000000000003', sha256('recovery'));
insert into user_preferences (user_id, theme) values ('019ba759-3500-7000-8000-000000000003', 'dark');
insert into members values ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000003', 'owner', '2026-01-10 10:00:00+00');
insert into invitations (organization_id, id, email, role, token_hash, mailed, invited_by, created_at, expires_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000007', 'vera@acme.example', 'viewer', sha256('invitation'), true,
    '019ba759-3500-7000-8000-000000000003', '2026-01-10 10:00:00+00', '2026-01-17 10:00:00+00');
insert into setup_tokens (id, token_hash, created_at, expires_at) values
  ('019ba759-3500-7000-8000-000000000008', sha256('setup'), '2026-01-10 10:00:00+00', '2026-01-11 10:00:00+00');
insert into api_keys (organization_id, id, kind, name, hash, last_four, publishable_key, scopes, created_at, created_by) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000009', 'publishable', 'Pages', sha256('key'), 'abcd', 'ff_pk_abcd', '{track}',
    '2026-01-10 10:00:00+00', 'operator');

insert into campaigns (organization_id, id, name, website_url, is_default, commission_type, commission_value, first_payment_enabled, first_payment_type,
  first_payment_value, custom_commission_type, custom_commissions, limit_type, commission_cap, skip_prorations, code_mode, cookie_duration, customers,
  attribution, approval_needed, collect_details, custom_fields, hide_emails, created_at, joining) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000010', 'Friends', 'https://acme.example', true, 'percentage', 100000, false,
    'percentage', 0, 'none', '[]', 'none', true, false, 'link', 30, 'any', 'last_click', true, true, '[]', false, '2026-01-10 10:00:00+00', 'listed');
insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, payout_email, clicks, approved, banned, details,
  new_paid_referral_notifications, created_at, erased_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000011', '019ba759-3500-7000-8000-000000000010', 'Jane@Affiliate.example', 'Jane',
    'Müller', 'pay@affiliate.example', 1, true, false, E'Writes "reviews",\nand more', true, '2026-01-10 10:00:00+00', null),
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000012', '019ba759-3500-7000-8000-000000000010',
    '019ba759-3500-7000-8000-000000000012@erased.invalid', '', '', null, 0, false, true, null, false, '2026-01-10 10:00:00+00', '2026-01-10 11:00:00+00');
insert into affiliate_codes (organization_id, id, affiliate_id, kind, code, created_at, external_id) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000013', '019ba759-3500-7000-8000-000000000011', 'link', 'jane', '2026-01-10 10:00:00+00', null),
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000014', '019ba759-3500-7000-8000-000000000011', 'promo', 'JANE10', '2026-01-10 10:00:00+00', 'promo_1');
insert into promotion_codes values
  ('019ba759-3500-7000-8000-000000000001', 'promo_1', '019ba759-3500-7000-8000-000000000011', '2026-01-10 10:00:00+00');

insert into clicks values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000015', '019ba759-3500-7000-8000-000000000011', 'jane', '\x03',
    'https://acme.example/?via=jane', null, '2026-01-10 10:00:00+00', 'newsletter');
insert into counted_clicks values
  ('2026-01-10 10:00:00+00', -42, '019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000011');
insert into sub_id_clicks values
  ('2026-01-10', '019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000011', 'newsletter', 1);
insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, processor_customer_id, converted_at, created_at, sub_id) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000016', '019ba759-3500-7000-8000-000000000011', 'customer@shop.example', 'active',
    '2026-01-10 10:00:00+00', 'cus_1', '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00', 'newsletter');

insert into processors (organization_id, name, secret_encrypted, livemode, created_at, reconciled_events) values
  ('019ba759-3500-7000-8000-000000000001', 'stripe', '\x04', true, '2026-01-10 10:00:00+00', 3);
insert into processor_messages (organization_id, processor, id, type, body, state, occurred_at, received_at, source) values
  ('019ba759-3500-7000-8000-000000000001', 'stripe', 'evt_1', 'invoice.paid', '{}', 'done', '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00', 'webhook');
insert into payment_facts (organization_id, processor, kind, subject, customer_id, state_at, rank, message_id, data, lookup) values
  ('019ba759-3500-7000-8000-000000000001', 'stripe', 'payment', 'in_1', '019ba759-3500-7000-8000-000000000017', '2026-01-10 10:00:00+00', 1, 'evt_1',
    '{"amount": "10000"}', 'products in_1');
insert into customer_keys values
  ('019ba759-3500-7000-8000-000000000001', 'cus_1', '019ba759-3500-7000-8000-000000000017');
insert into processor_lookups (organization_id, processor, kind, subject, purpose, object_id, wanted_at) values
  ('019ba759-3500-7000-8000-000000000001', 'stripe', 'payment', 'in_1', 'products', 'in_1', '2026-01-10 10:00:00+00');

insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor, currency, voided, referral_date, payable_at,
  processor_payment_id, cause, created_at)
select '019ba759-3500-7000-8000-000000000001', id::uuid, '019ba759-3500-7000-8000-000000000011', '019ba759-3500-7000-8000-000000000016',
  commission_minor * 10, commission_minor, 'USD', voided, '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00', payment_id, payment_id, '2026-01-10 10:00:00+00'
from (values
  ('019ba759-3500-7000-8000-000000000021', 1000, false, 'in_1'),
  ('019ba759-3500-7000-8000-000000000022', 500, false, 'in_2'),
  ('019ba759-3500-7000-8000-000000000023', 300, true, 'in_3')
) as commission (id, commission_minor, voided, payment_id);
insert into commission_corrections (organization_id, commission_id, reversed_minor, voided, corrected_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000023', 0, true, '2026-01-10 10:00:00+00');
insert into payment_decisions (organization_id, id, processor, payment_id, customer_id, outcome, referral_id, affiliate_id, commission_id, currency,
  revenue_minor, commission_minor, paid_minor, reversed_minor, paid_at, explanation, created_at, decided_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000024', 'stripe', 'in_1', '019ba759-3500-7000-8000-000000000017', 'commission',
    '019ba759-3500-7000-8000-000000000016', '019ba759-3500-7000-8000-000000000011', '019ba759-3500-7000-8000-000000000021', 'USD', 10000, 1000, 11900, 0,
    '2026-01-10 10:00:00+00', '{"rule": "percentage",  "candidates": []}', '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00');
insert into passed_affiliates values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000012', '2026-01-10 10:00:00+00', '019ba759-3500-7000-8000-000000000024');
insert into claims (organization_id, id, affiliate_id, email, paid_on, note, payment_known, state, decided_by, decided_at, payment_decision_id, commission_id,
  created_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000025', '019ba759-3500-7000-8000-000000000011', 'customer@shop.example',
    '2026-01-10', 'She told me', true, 'accepted', 'operator', '2026-01-10 10:00:00+00', '019ba759-3500-7000-8000-000000000024',
    '019ba759-3500-7000-8000-000000000021', '2026-01-10 10:00:00+00');

insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, payout_id, commission_ids, kind, unpaid_minor, in_payout_minor, paid_minor,
  cause, created_at)
select '019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000011', 'USD', commission_id::uuid, payout_id::uuid, commission_ids::uuid[],
  kind, unpaid_minor, in_payout_minor, paid_minor, 'in_1', '2026-01-10 10:00:00+00'
from (values
  ('019ba759-3500-7000-8000-000000000021', null, null, 'earned', 1000, 0, 0),
  ('019ba759-3500-7000-8000-000000000022', null, null, 'earned', 600, 0, 0),
  ('019ba759-3500-7000-8000-000000000022', null, null, 'reduced', -100, 0, 0),
  ('019ba759-3500-7000-8000-000000000023', null, null, 'earned', 300, 0, 0),
  ('019ba759-3500-7000-8000-000000000023', null, null, 'voided', -300, 0, 0),
  (null, '019ba759-3500-7000-8000-000000000026', '{019ba759-3500-7000-8000-000000000021}', 'put_into_payout', -1000, 1000, 0),
  (null, '019ba759-3500-7000-8000-000000000026', null, 'paid', 0, -1000, 1000)
) as entry (commission_id, payout_id, commission_ids, kind, unpaid_minor, in_payout_minor, paid_minor);
insert into balances values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000011', 'USD', 1900, 400, 500, 0, 1000);
insert into unpaid_commissions values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000022', '019ba759-3500-7000-8000-000000000011', 'USD', 500, '2026-01-10 10:00:00+00');
insert into payout_runs (organization_id, id, period, cutoff_at, currency, minimum_payouts, method, started_by, created_at, finished_at, due_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000027', '2026-01', '2026-01-10 10:00:00+00', 'USD', '{"USD": "500"}', 'paypal',
    'payout_day', '2026-01-10 10:00:00+00', '2026-01-10 10:01:00+00', null);
insert into payouts (organization_id, id, affiliate_id, affiliate_name, payout_email, amount_minor, currency, period, payment_count, method, run_id, status,
  status_at, status_by, created_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000026', '019ba759-3500-7000-8000-000000000011', 'Jane Müller',
    'pay@affiliate.example', 1000, 'USD', '2026-01', 1, 'paypal', '019ba759-3500-7000-8000-000000000027', 'paid', '2026-01-10 10:00:00+00', 'operator',
    '2026-01-10 10:00:00+00');
insert into payout_commissions values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000011', '019ba759-3500-7000-8000-000000000021', '019ba759-3500-7000-8000-000000000026');
insert into payout_previews values ('019ba759-3500-7000-8000-000000000001', '2026-01-10 10:00:00+00', 12, 1, '{}');
insert into payout_preview_rows values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000011', 'USD', 'paid', 500, 1, 0, null);

-- The triggers wrote a difference for each row above. That of the second commission is not yet added to the totals.
delete from total_changes where commission_minor <> 500;
insert into hourly_totals values
  ('019ba759-3500-7000-8000-000000000001', 'XXX', '2026-01-10 10:00:00+00', '019ba759-3500-7000-8000-000000000010', 1, 1, 1, 0, 0, 0, 1),
  ('019ba759-3500-7000-8000-000000000001', 'USD', '2026-01-10 10:00:00+00', '019ba759-3500-7000-8000-000000000010', 0, 0, 0, 10000, 1000, 400, 1);
insert into daily_totals values
  ('019ba759-3500-7000-8000-000000000001', 'XXX', '2026-01-10', '019ba759-3500-7000-8000-000000000011', 1, 1, 1, 0, 0, 0, 1),
  ('019ba759-3500-7000-8000-000000000001', 'USD', '2026-01-10', '019ba759-3500-7000-8000-000000000011', 0, 0, 0, 10000, 1000, 400, 1);

insert into events (organization_id, id, type, body, position, created_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000028', 'commission.created', '{"type":"commission.created"}', 700,
    '2026-01-10 10:00:00+00');
insert into idempotency_keys values
  ('019ba759-3500-7000-8000-000000000001', 'key-1', sha256('request'), '{}', '2026-01-10 10:00:00+00');
insert into endpoints (organization_id, id, url, description, event_types, custom_headers, custom_headers_encrypted, enabled, created_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000029', 'https://acme.example/hook', 'Orders', '{commission.created}',
    '[{"name": "X-Key", "updated_at": "2026-01-10T10:00:00.000Z"}]', '\x05', true, '2026-01-10 10:00:00+00');
insert into endpoint_secrets (organization_id, endpoint_id, id, secret_encrypted, created_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000029', '019ba759-3500-7000-8000-000000000030', '\x06', '2026-01-10 10:00:00+00');
insert into endpoint_health values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000029', 1, '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00');
insert into pending_deliveries (shard, organization_id, endpoint_id, event_id, due_at, attempts, failures, last_attempt_at, created_at) values
  (9, '019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000029', '019ba759-3500-7000-8000-000000000028', '2026-01-10 10:05:00+00', 1, 1,
    '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00');
insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, duration_milliseconds, status, response, ended) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000028', '019ba759-3500-7000-8000-000000000029', '2026-01-10 10:00:00+00', 1, 30,
    500, 'Oops', null);
insert into replays (organization_id, id, endpoint_id, kind, events_from, events_to, created_at, finished_at, due_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000031', '019ba759-3500-7000-8000-000000000029', 'failed',
    '2026-01-10 10:00:00+00', '2026-01-10 11:00:00+00', '2026-01-10 11:00:00+00', '2026-01-10 11:00:01+00', null);
insert into delivery_hours values
  ('019ba759-3500-7000-8000-000000000001', '2026-01-10 09:00:00+00', '019ba759-3500-7000-8000-000000000029', 8, 1);
insert into delivery_changes (organization_id, hour, endpoint_id, delivered, failed) values
  ('019ba759-3500-7000-8000-000000000001', '2026-01-10 09:00:00+00', '019ba759-3500-7000-8000-000000000029', 1, -1);

insert into portal_accounts values ('jane@affiliate.example', 'de');
insert into portal_codes (id, email, browser_hash, link_hash, mailed, created_at, expires_at, organization_id, campaign_id, application) values
  ('019ba759-3500-7000-8000-000000000032', 'tom@affiliate.example', sha256('browser'), sha256('link'), true, '2026-01-10 10:00:00+00',
    '2026-01-10 10:10:00+00', '019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000010', '{"first_name": "Tom"}');
insert into portal_sessions (id, email, token_hash, created_at, updated_at, expires_at, limited_to, affiliate_id, user_session_id) values
  ('019ba759-3500-7000-8000-000000000033', 'jane@affiliate.example', sha256('portal session'), '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00',
    '2026-02-10 10:00:00+00', '019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000011', '019ba759-3500-7000-8000-000000000004');
insert into portal_tokens (organization_id, id, affiliate_id, token_hash, created_at, expires_at, user_session_id) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000034', '019ba759-3500-7000-8000-000000000011', sha256('portal token'),
    '2026-01-10 10:00:00+00', '2026-01-10 10:01:00+00', '019ba759-3500-7000-8000-000000000004');
insert into portal_logos values
  ('019ba759-3500-7000-8000-000000000001', repeat('0a', 32), 'image/png', 64, 64, '\x89504e47');
insert into payout_email_changes (organization_id, id, affiliate_id, session_id, email, former_email, created_at, expires_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000035', '019ba759-3500-7000-8000-000000000011',
    '019ba759-3500-7000-8000-000000000033', 'New@Affiliate.example', 'pay@affiliate.example', '2026-01-10 10:00:00+00', '2026-01-10 10:10:00+00');

insert into mails (organization_id, kind, about, affiliate_id, state, due_at, created_at, finished_at) values
  ('019ba759-3500-7000-8000-000000000001', 'affiliate_approved', '019ba759-3500-7000-8000-000000000011', '019ba759-3500-7000-8000-000000000011', 'sent', null,
    '2026-01-10 10:00:00+00', '2026-01-10 10:00:05+00');
insert into jobs (organization_id, id, kind, state, input, started_by, created_at, finished_at, due_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000036', 'ledger_check', 'finished', '{"all":  true}', 'operator',
    '2026-01-10 10:00:00+00', '2026-01-10 10:00:05+00', null);
insert into job_files values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000036', 'result', 1, E'id,amount\n1,10\n');
insert into ledger_findings values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000036', 1, 'A commission has entries.', 'damage', 'commission 1', 'it has none');
insert into audit_log_entries (organization_id, id, resource, resource_id, action, actor, before, after, currency, created_at) values
  ('019ba759-3500-7000-8000-000000000001', '019ba759-3500-7000-8000-000000000037', 'affiliate', '019ba759-3500-7000-8000-000000000012', 'updated', 'operator',
    '{"email":"[erased]",  "banned":false}', '{"email":"[erased]",  "banned":true}', 'USD', '2026-01-10 10:00:00+00');
insert into workers values
  ('019ba759-3500-7000-8000-000000000038', '{worker-1}', '2026-01-10 10:00:00+00', '2026-01-10 10:00:00+00', '2026-01-10 10:00:30+00');
insert into secrets_key_check (sealed) values ('\x07');
update shards set token = 4 where shard = 1;
