import {
  findCampaign,
  findDefaultCampaign,
  insertCampaign,
  listCampaigns,
  updateCampaign,
} from "@findersfee/database/campaigns/campaigns";
import { readRules } from "@findersfee/database/campaigns/rule-sets";
import {
  alignTestOrganization,
  countTestOrganizations,
  findTestAffiliate,
  findTestOrganization,
  lockTestedOrganization,
  removeTestOrganization,
  type TestAffiliateRow,
  type TestedOrganizationRow,
  type TestOrganizationRow,
} from "@findersfee/database/onboarding/test-organizations";
import type { Connection, Transaction } from "@findersfee/database/postgres/connect";
import { findProcessor, insertProcessor } from "@findersfee/database/processors/processors";
import type { CampaignRow, RuledCampaignRow } from "@findersfee/database/rows";
import { addAffiliate } from "../affiliates/create.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import { storeRules } from "../campaigns/rules/store.ts";
import type { Context } from "../context.ts";
import { DomainError, notFound } from "../errors.ts";
import { newId } from "../ids.ts";
import { addOrganizationOfPerson } from "../organizations/create.ts";
import { openSigningSecret, sealApiKey, sealSigningSecret } from "../processors/connections/secrets.ts";
import { newSigningSecret, type SecretsKey } from "../secrets/secrets.ts";
import { inTransaction } from "../transaction.ts";

/** Removed test data stays in the database, out of reach, so that a day may not add more of it than this. */
const MAX_PER_DAY = 20;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const PROCESSOR = "generic";

/** Test data that is ready for a sale. */
export interface TestProgram extends TestOrganizationRow {
  affiliate: TestAffiliateRow;
  /** The affiliate's code refers by a link, or else at the checkout. */
  has_links: boolean;
  /** The secret that signs the messages to it. */
  signing_secret: string;
}

/**
 * Returns the organization with the test data of another one. Creates it if necessary, with a campaign that pays like the
 * given one does now, an affiliate, and a connection for messages. One transaction, under a lock of the organization, so
 * that there is one.
 *
 * Errors: `test_data` for an organization that is test data itself; `not_found` (campaign); `rate_limited`.
 */
export async function prepareTestProgram(
  context: Context,
  { secrets_key, campaign_id }: { secrets_key: SecretsKey; campaign_id: string | undefined },
): Promise<TestProgram> {
  return await inTransaction(context, async (sql) => {
    const tested = await lockTestedOrganization(sql, context.organization.id);
    if (tested === null) throw notFound("organization");
    if (tested.test_of !== null) throw new DomainError("test_data");
    const campaign = await campaignToCopy(sql, tested.id, campaign_id);
    const test = (await findTestOrganization(sql, tested.id)) ?? (await addTest(sql, context, tested));
    await alignTestOrganization(sql, tested);
    const inside = { ...context, organization: { ...context.organization, id: test.id } };
    const copied = await copyCampaign(sql, test.id, campaign);
    const affiliate = (await findTestAffiliate(sql, test.id)) ?? (await addTester(sql, inside, copied));
    const signing_secret = await connectTest(sql, test.id, secrets_key);
    return { ...test, affiliate, has_links: campaign.code_mode !== "coupon", signing_secret };
  });
}

/**
 * Removes the test data of an organization: nobody reaches it any more, and it accepts nothing. The next sale begins a new
 * one. Its rows stay, with a ledger that adds up. Nothing happens if it was removed before.
 */
export async function removeTestData(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (sql) => {
    const removed = await removeTestOrganization(sql, context.organization.id, {
      id,
      removed_at: new Date(),
    });
    if (removed === null) return;
    await writeAuditEntry(sql, context, {
      resource: "organization",
      id: removed.id,
      action: "deleted",
      before: { test_data: true },
      after: null,
    });
  });
}

async function campaignToCopy(
  sql: Connection,
  organization_id: string,
  id: string | undefined,
): Promise<RuledCampaignRow> {
  if (id !== undefined) {
    const campaign = await findCampaign(sql, organization_id, id);
    if (campaign === null) throw notFound("campaign");
    return campaign;
  }
  const [newest] = await listCampaigns(sql, organization_id, { below: null, offset: 0, limit: 1 });
  const campaign = (await findDefaultCampaign(sql, organization_id)) ?? newest;
  if (campaign !== undefined) return campaign;
  throw new DomainError("invalid_request", { message: "Create a campaign first: it says what a sale pays." });
}

async function addTest(
  sql: Connection,
  context: Context,
  { id: test_of, name, slug, currency, time_zone }: TestedOrganizationRow,
): Promise<TestOrganizationRow> {
  const since = new Date(Date.now() - DAY_MILLISECONDS);
  if ((await countTestOrganizations(sql, test_of, since)) >= MAX_PER_DAY) {
    throw new DomainError("rate_limited", {
      message: "Test data was removed and created again too often today. Try again tomorrow.",
      retry_after_seconds: DAY_MILLISECONDS / 1000,
    });
  }
  const { organization_id } = await addOrganizationOfPerson(
    sql,
    {
      name: `${name} (test)`,
      slug: `${slug.slice(0, 48)}-test`.replace(/-+/g, "-"),
      currency,
      time_zone,
      subscription_status: "active",
      test_of,
    },
    context.actor,
  );
  await writeAuditEntry(sql, context, {
    resource: "organization",
    id: organization_id,
    action: "created",
    before: null,
    after: { test_data: true },
  });
  const created = await findTestOrganization(sql, test_of);
  if (created === null) throw new Error(`the test data of ${test_of} was not written`);
  return created;
}

/** The test data's own campaign, with the settings that the copied one has now. */
async function copyCampaign(
  sql: Transaction,
  organization_id: string,
  { id: _id, created_at: _created_at, rules, rule_set_id: _rule_set_id, ...settings }: RuledCampaignRow,
): Promise<CampaignRow> {
  const known = await findDefaultCampaign(sql, organization_id);
  const copied = rules === null ? [] : readRules(rules);
  const { rule_set_id } = await storeRules(sql, organization_id, { rules: copied, before: known });
  const values = { ...settings, rule_set_id, is_default: true };
  if (known !== null) {
    await updateCampaign(sql, organization_id, { id: known.id, values });
    return { ...known, ...values };
  }
  const created_at = new Date();
  const campaign = { ...values, id: newId(created_at), created_at };
  await insertCampaign(sql, organization_id, campaign);
  return campaign;
}

async function addTester(
  sql: Transaction,
  inside: Context,
  campaign: CampaignRow,
): Promise<TestAffiliateRow> {
  await addAffiliate(sql, inside, {
    // `example.com` belongs to nobody, and no mail is sent.
    input: {
      email: "test-affiliate@example.com",
      first_name: "Test",
      last_name: "Affiliate",
      approved: true,
    },
    campaign: { ...campaign, code_mode: "both" },
    is_notified: false,
  });
  const affiliate = await findTestAffiliate(sql, inside.organization.id);
  if (affiliate === null) throw new Error("the affiliate of test data was not written");
  return affiliate;
}

async function connectTest(sql: Connection, organization_id: string, key: SecretsKey): Promise<string> {
  const owner = { organization_id, name: PROCESSOR } as const;
  const known = await findProcessor(sql, organization_id, PROCESSOR);
  if (known !== null && known.secret_encrypted !== null)
    return openSigningSecret(key, owner, known.secret_encrypted);
  const secret = newSigningSecret();
  await insertProcessor(sql, organization_id, {
    name: PROCESSOR,
    secret_encrypted: sealSigningSecret(key, owner, secret),
    ...sealApiKey(key, owner, null),
    livemode: true,
    connected_accounts: [],
    created_at: new Date(),
    endpoint_state: null,
  });
  return secret;
}
