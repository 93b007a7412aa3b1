import type { PortalApplication } from "@findersfee/contract/portal/application";
import type { ApplicationInput } from "@findersfee/contract/portal/join";
import { toTimestamp } from "@findersfee/contract/timestamps";
import { findAffiliate, lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { findAffiliateReview } from "@findersfee/database/affiliates/review";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import { updateApplication as updateRow } from "@findersfee/database/portal/joining";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import type { AffiliateRow, CampaignRow } from "@findersfee/database/rows";
import type { Actor } from "../actor.ts";
import { affiliateFields } from "../affiliates/view.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import { DomainError, requireNoIssues } from "../errors.ts";
import type { AffiliateSession } from "../principal.ts";
import { readAnswers, sentAnswer, translateAnswers } from "./answers.ts";
import { requireRoomOfDay } from "./day-limit.ts";
import { ownOf } from "./own.ts";
import { pickTranslations } from "./translations.ts";

/**
 * An affiliate's own application, and the form to edit it with.
 *
 * @throws DomainError `not_an_affiliate` if the affiliate disappeared within the last second
 */
export async function getApplication(
  database: Database,
  { affiliate_id, organization }: AffiliateSession,
): Promise<PortalApplication> {
  const row = await findAffiliate(database, organization.id, affiliate_id);
  if (row === null) throw new DomainError("not_an_affiliate");
  return viewApplication(row, row.campaign);
}

/**
 * Replaces an application that waits for a decision. The form as it is now decides which answers are valid. The same
 * application again changes nothing.
 *
 * @throws DomainError `application_decided` if the organization was first; `invalid_request`; `rate_limited`
 */
export async function updateApplication(
  database: Database,
  session: AffiliateSession,
  input: ApplicationInput,
): Promise<PortalApplication> {
  return await transaction(database, async (sql) => {
    const { row, campaign } = await lockWaiting(sql, session);
    const { answers, issues } = readAnswers(campaign.custom_fields, input.custom_fields);
    requireNoIssues(issues);
    const { first_name, last_name } = input;
    const details = campaign.collect_details ? input.details : row.details;
    const values = { first_name, last_name, details, custom_fields: answers };
    const after = { ...row, ...values };
    const change = {
      before: affiliateFields(row, { codes: false }),
      after: affiliateFields(after, { codes: false }),
    };
    if (JSON.stringify(change.before) !== JSON.stringify(change.after)) {
      await updateRow(sql, ownOf(session), values);
      const author = { organization: session.organization, actor: actorOf(session) };
      await writeAuditEntry(sql, author, { resource: "affiliate", id: row.id, action: "updated", ...change });
      await requireRoomOfDay(sql, session);
    }
    return viewApplication(after, campaign);
  });
}

/** The affiliate, locked, and its campaign as it is once the lock is held. */
async function lockWaiting(
  sql: Transaction,
  { affiliate_id, organization }: AffiliateSession,
): Promise<{ row: AffiliateRow; campaign: CampaignRow }> {
  const row = await lockAffiliate(sql, organization.id, affiliate_id);
  if (row === null || row.erased_at !== null) throw new DomainError("not_an_affiliate");
  const [review, campaign] = await Promise.all([
    findAffiliateReview(sql, organization.id, affiliate_id),
    findCampaign(sql, organization.id, row.campaign.id),
  ]);
  if (review === null || campaign === null) throw new DomainError("not_an_affiliate");
  const is_decided = row.approved || row.banned || review.declined_at !== null;
  if (is_decided) throw new DomainError("application_decided");
  return { row, campaign };
}

const actorOf = ({ affiliate_id: id }: AffiliateSession): Actor => ({ kind: "affiliate", id });

function viewApplication(row: AffiliateRow, campaign: CampaignRow): PortalApplication {
  const { email, first_name, last_name, details, created_at, custom_fields } = row;
  const { name, collect_details, details_text } = campaign;
  return {
    email,
    sent_at: toTimestamp(created_at),
    application: {
      first_name,
      last_name,
      details,
      custom_fields: campaign.custom_fields.map((question) => ({
        id: question.id,
        value: sentAnswer(question, custom_fields.find(({ id }) => id === question.id)?.value ?? ""),
      })),
    },
    answers: translateAnswers(custom_fields, campaign).map(({ id: _id, ...answer }) => answer),
    campaign: {
      name,
      collect_details,
      details_text: collect_details ? details_text : null,
      custom_fields: campaign.custom_fields.map(({ id, label, type, options, required }) => ({
        id,
        label,
        type,
        options,
        required,
      })),
      translations: pickTranslations(campaign.translations, ["name", "details_text", "custom_fields"]),
    },
  };
}
