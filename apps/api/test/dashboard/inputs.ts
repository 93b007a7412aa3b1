import { randomUUID } from "node:crypto";
import type { Input } from "../operations.ts";
import { addEndpoint, createProgram, insertPayout } from "../program.ts";
import type { StaffClient, TestService } from "../test-service.ts";

/** An organization with a row of every kind that the dashboard's operations can name. */
export interface Known {
  staff: StaffClient;
  api_key: string;
  endpoint_id: string;
  secret_id: string;
  event_id: string;
  replay_id: string;
  affiliate_id: string;
  campaign_id: string;
  message_id: string;
  decision_id: string;
  commission_id: string;
  run_id: string;
  payout_id: string;
  user_id: string;
  invitation_id: string;
  key_id: string;
  referral_id: string;
  job_id: string;
  claim_id: string;
  view_id: string;
}

const RANGE = { events_from: "2026-01-01T00:00:00.000Z", events_to: "2026-01-02T00:00:00.000Z" };

const NOWHERE = randomUUID();

/** A PNG of one pixel. */
const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const VIEW = { list: "affiliates", name: "Waiting", search: "status=waiting" } as const;

/** Creates an organization with one row of everything. */
export async function makeKnown(service: TestService): Promise<Known> {
  const program = await createProgram(service);
  const { organization_id, api_key } = program.organization;
  const endpoint_id = await addEndpoint(service.database, program.organization);
  const staff = await service.staff(organization_id);
  await program.organization.trpc.affiliates.create.mutate({ email: `${randomUUID()}@example.com` });
  const [event] = await service.database<{ event_id: string }[]>`
    select event_id from deliveries where endpoint_id = ${endpoint_id}`;
  const replay = await staff.trpc.dashboard.replays.create.mutate({ endpoint_id, ...RANGE });
  const message_id = await insertMessage(service, organization_id);
  const email = `${randomUUID()}@example.com`;
  const invitation = { email, role: "viewer", mailed: false } as const;
  const { secrets } = await staff.trpc.dashboard.endpoints.rotate.mutate({ id: endpoint_id });
  return {
    staff,
    api_key,
    endpoint_id,
    secret_id: secrets[1]?.id ?? "",
    event_id: event?.event_id ?? "",
    replay_id: replay.id,
    affiliate_id: program.affiliate.id,
    campaign_id: program.campaign.id,
    message_id,
    decision_id: await insertDecision(service, organization_id),
    commission_id: program.commission.id,
    run_id: (await staff.trpc.dashboard.payout_runs.start.mutate({})).id,
    payout_id: await insertPayout(service.database, program),
    user_id: staff.user_id,
    invitation_id: (await staff.trpc.dashboard.invitations.create.mutate(invitation)).id,
    key_id: (await staff.trpc.dashboard.api_keys.create.mutate({ name: "First", scopes: ["view"] })).id,
    referral_id: program.referral.id,
    claim_id: await insertClaim(service, { organization_id, affiliate_id: program.affiliate.id }),
    view_id: (await staff.trpc.dashboard.saved_views.create.mutate(VIEW)).id,
    job_id: (await staff.trpc.dashboard.affiliates.export.mutate({})).id,
  };
}

/** Records a payment decision. Returns its id. */
async function insertDecision(service: TestService, organization_id: string): Promise<string> {
  const id = randomUUID();
  const explanation = { candidates: [], earned_before: 0, steps: [], exact: null };
  await service.database`
    insert into payment_decisions (organization_id, id, processor, payment_id, customer_id, outcome, currency,
      revenue_minor, commission_minor, paid_minor, reversed_minor, paid_at, explanation, created_at, decided_at)
    values (${organization_id}, ${id}, 'stripe', ${id}, ${randomUUID()}, 'no_referral', 'USD',
      1, 0, 1, 0, now(), ${JSON.stringify(explanation)}::text::json, now(), now())`;
  return id;
}

/** Stores a claim of an affiliate for the address of `customer1`. Returns its id. */
export async function insertClaim(
  service: TestService,
  { organization_id, affiliate_id, email = "customer1@example.com" }: Record<string, string>,
): Promise<string> {
  const id = randomUUID();
  await service.database`
    insert into claims (organization_id, id, affiliate_id, email, paid_on, note, payment_known, created_at)
    values (${organization_id ?? ""}, ${id}, ${affiliate_id ?? ""}, ${email}, current_date, 'Order 4711', true, now())`;
  return id;
}

/** Stores an inbound webhook that cannot be parsed. Returns its id. */
async function insertMessage(service: TestService, organization_id: string): Promise<string> {
  const id = randomUUID();
  await service.database`
    insert into processor_messages (organization_id, processor, id, type, body, state, occurred_at, received_at, source)
    values (${organization_id}, 'generic', ${id}, 'payment', '{}', 'parked', now(), now(), 'webhook')`;
  return id;
}

/** A valid input, with the ids of one organization. */
export function inputOf(name: string, known: Known): Input {
  const { endpoint_id, event_id, replay_id, affiliate_id, message_id, decision_id, commission_id } = known;
  const { run_id, payout_id, secret_id, user_id, invitation_id, key_id } = known;
  switch (name.slice("dashboard.".length)) {
    case "endpoints.list":
      return {};
    case "endpoints.create":
      return { url: "https://example.com/hooks" };
    case "endpoints.update":
      return { id: endpoint_id, description: "Ledger" };
    case "endpoints.health":
    case "api_keys.list":
    case "events.list":
      return {};
    case "api_keys.create":
      return { name: "Reports", scopes: ["view"] };
    case "api_keys.rotate":
    case "api_keys.revoke":
      return { id: key_id };
    case "endpoints.expireSecret":
      return { id: endpoint_id, secret_id };
    case "endpoints.get":
    case "endpoints.secret":
    case "endpoints.rotate":
    case "endpoints.test":
    case "endpoints.disable":
    case "endpoints.enable":
    case "endpoints.delete":
      return { id: endpoint_id };
    case "deliveries.list":
    case "deliveries.counts":
      return { endpoint_id };
    case "deliveries.retryMany":
      return { deliveries: [{ endpoint_id, event_id }] };
    case "deliveries.ofEvent":
      return { event_id };
    case "deliveries.get":
    case "deliveries.retry":
      return { endpoint_id, event_id };
    case "events.get":
      return { id: event_id };
    case "events.send":
      return { id: event_id, endpoint_id };
    case "replays.create":
    case "replays.estimate":
      return { endpoint_id, ...RANGE };
    case "replays.get":
    case "replays.stop":
      return { id: replay_id };
    case "replays.list":
      return { endpoint_id };
    case "claims.list":
      return { states: ["open", "accepted"] };
    case "claims.get":
      return { id: known.claim_id };
    case "claims.preview":
      return { id: known.claim_id, payment_decision_id: decision_id };
    case "claims.accept":
      return { id: known.claim_id, payment_decision_id: decision_id, version: "1" };
    case "claims.decline":
      return { id: known.claim_id, answer: "No" };
    case "payment_decisions.list":
    case "payment_decisions.counts":
      return {};
    case "payments.list":
    case "commissions.list":
      return { affiliate_id };
    case "commissions.story":
      return { id: commission_id };
    case "commissions.customer_payments":
      return { affiliate_id, customer_email: "customer@example.com" };
    case "commissions.create": {
      const sale = { revenue_amount: 100, commission_amount: 30, currency: "USD" };
      return { affiliate_id, customer_email: "customer@example.com", ...sale };
    }
    case "commissions.void":
    case "commissions.recruiter_losses":
    case "commissions.restore":
      return { ids: [commission_id] };
    case "commissions.approve":
      return { ids: [commission_id] };
    case "commissions.reject":
      return { ids: [commission_id], reason: "Own purchase" };
    case "commissions.correct":
      return { id: commission_id, commission_amount: 12, reason: "Agreed by email." };
    case "commissions.keepVoided":
      return { ids: [commission_id], stays_voided: false };
    case "payment_decisions.refused":
      return { affiliate_ids: [affiliate_id], outcome: "affiliate_unapproved" };
    case "payment_decisions.previewRerun":
    case "payment_decisions.rerunMany":
      return { ids: [decision_id] };
    case "payment_decisions.explain":
    case "payment_decisions.get":
    case "payment_decisions.rerun":
      return { id: decision_id };
    case "payment_decisions.dryRun":
      return { revenue_amount: 10 };
    case "affiliates.get":
    case "affiliates.liftErasedBan":
    case "affiliates.viewPortal":
      return { id: affiliate_id };
    case "affiliates.previewWelcome":
      return { campaign_id: known.campaign_id, welcome_message: "Welcome!" };
    case "affiliates.previewMail":
      return { id: affiliate_id, kind: "approved" };
    case "affiliates.approve":
    case "affiliates.invite":
    case "affiliates.ban":
    case "affiliates.unban":
      return { ids: [affiliate_id] };
    case "affiliates.tag":
      return { ids: [affiliate_id], add: ["agency"], remove: [] };
    case "affiliates.decline":
      return { ids: [affiliate_id], mail: false };
    case "affiliates.move":
      return { ids: [affiliate_id], campaign_id: known.campaign_id };
    case "affiliates.checkCode":
      return { kind: "link", code: "unused" };
    case "affiliates.judgeImport":
      return { campaign_id: known.campaign_id, lines: [{ email: "joe@example.com" }] };
    case "jobs.get":
    case "jobs.cancel":
      return { id: known.job_id };
    case "referrals.timeline":
      return { id: known.referral_id };
    case "affiliates.count":
    case "commissions.count":
    case "payouts.count":
    case "referrals.count":
    case "claims.count":
    case "payments.count":
    case "deliveries.count":
    case "events.count":
    case "changes.count":
    case "affiliates.matching":
    case "commissions.matching":
    case "payouts.matching":
    case "payments.matching":
    case "referrals.export":
    case "claims.export":
    case "payments.export":
    case "deliveries.export":
    case "events.export":
    case "commissions.flagged_affiliates":
    case "affiliates.list":
    case "affiliates.waiting":
    case "affiliates.tags":
    case "affiliates.export":
    case "jobs.list":
    case "referrals.list":
    case "processors.list":
    case "processors.stripeSetup":
    case "processors.repairStripe":
    case "changes.list":
    case "changes.export":
    case "processor_messages.list":
    case "processor_messages.counts":
    case "processor_messages.rerunParked":
      return {};
    case "processor_lookups.list":
    case "processor_lookups.retry":
      return {};
    case "processors.connectStripe":
      return { api_key: "rk_test_abcdefgh1234" };
    case "processors.checkEvents":
    case "processors.reconcile":
    case "processors.connect":
    case "processors.update":
    case "processors.rotate":
    case "processors.disconnect":
      return { name: "generic" };
    case "processor_messages.get":
    case "processor_messages.body":
    case "processor_messages.rerun":
      return { processor: "generic", id: message_id };
    case "promo_codes.list":
    case "promo_codes.retry":
      return { affiliate_id };
    case "promo_codes.link":
      return { affiliate_id, code: "JANE" };
    case "campaigns.list":
    case "onboarding.status":
      return {};
    case "campaigns.get":
      return { id: known.campaign_id };
    case "campaigns.update":
      return { version: "1", change: { id: known.campaign_id, name: "Partners" } };
    case "campaigns.simulate":
      return {
        draft: { commission_type: "percentage", commission_amount: 30 },
        payments: [{ paid_at: RANGE.events_from, revenue_amount: 49 }],
      };
    case "onboarding.dismiss":
      return { dismissed: true };
    case "onboarding.play_sale":
    case "onboarding.test_sale":
      return { id: NOWHERE };
    case "onboarding.remove_test_data":
      return { organization_id: NOWHERE };
    case "analytics.overview":
      return { from: "2026-11-01", until: "2026-12-01" };
    case "analytics.retention":
      return { affiliate_id };
    case "analytics.performance":
    case "analytics.performance_series":
      return { dimension: "landing_page", affiliate_id, from: "2026-11-01", until: "2026-12-01" };
    case "erasures.members":
      return {};
    case "erasures.affiliate":
    case "balances.list":
    case "ledger.list":
      return { affiliate_id };
    case "payout_runs.hold":
      return { affiliate_ids: [affiliate_id], reason: "A dispute." };
    case "payout_runs.release":
      return { affiliate_ids: [affiliate_id] };
    case "payout_runs.decline":
      return { id: run_id, reason: "Too early." };
    case "payout_runs.approve":
    case "payout_runs.get":
    case "payout_runs.files":
      return { id: run_id };
    case "payouts.open":
      return { run_id };
    case "payouts.explain":
      return { id: payout_id };
    case "saved_views.list":
      return { list: "affiliates" };
    case "saved_views.create":
      return { ...VIEW, name: "Waiting longest" };
    case "saved_views.rename":
      return { id: known.view_id, name: "All who wait" };
    case "saved_views.delete":
      return { id: known.view_id };
    case "search.find":
      return { text: "jane" };
    case "attention.list":
    case "balances.totals":
    case "balances.converted":
    case "payout_runs.start":
    case "payout_runs.list":
    case "payout_runs.summary":
    case "payout_runs.preview":
    case "payout_runs.propose":
    case "payouts.list":
    case "payouts.export":
    case "commissions.export":
    case "adjustments.export":
    case "exchange_rates.list":
    case "settings.get":
    case "security_policy.get":
    case "security_policy.update":
    case "notifications.get":
    case "notifications.update":
    case "settings.update":
      return {};
    case "exchange_rates.create":
      return { currency: "AED", day: "2026-11-26", rate: "3.9705" };
    case "exchange_rates.import":
      return { file: "Date,AED\n2026-11-26,3.9705\n" };
    case "payouts.move":
      return { ids: [payout_id], status: "processing" };
    case "single_sign_on.save":
      return { issuer: "https://127.0.0.1", client_id: "findersfee", client_secret: "correct-horse" };
    case "single_sign_on.require":
      return { is_required: false };
    case "single_sign_on.add_domain":
    case "single_sign_on.check_domain":
    case "single_sign_on.remove_domain":
      return { domain: "example.com" };
    case "settings.rotateSignupSecret":
    case "health.get":
    case "health.local_mails":
    case "health.check_ledger":
    case "organization.get":
    case "single_sign_on.get":
    case "single_sign_on.remove":
    case "organization.update":
    case "portal.get":
    case "portal.update":
    case "portal.check_host":
    case "portal.remove_logo":
    case "members.list":
    case "invitations.list":
      return {};
    case "affiliates.checkImport":
      return { campaign_id: known.campaign_id, lines: [{ email: "line@example.com" }] };
    case "health.retry_mails":
      // A mail that is not found was just sent.
      return { ids: [NOWHERE] };
    case "portal.set_logo":
      return { content: DOT };
    case "members.change":
      return { user_id, role: "admin" };
    case "members.sessions":
    case "members.end_sessions":
    case "members.access":
    case "members.remove":
    case "security_events.list":
      return { user_id };
    case "invitations.create":
      return { email: "joe@example.com", role: "viewer" };
    case "invitations.revoke":
      return { id: invitation_id };
    default:
      throw new Error(`add an input for ${name} here`);
  }
}
