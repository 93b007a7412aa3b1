import type { SignedIn } from "@findersfee/contract/portal/join";
import { findAffiliate, type RecruitValues } from "@findersfee/database/affiliates/affiliates";
import { findLinkCodeOwner } from "@findersfee/database/affiliates/codes";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import type { ApplicationRow, OpenPortalCodeRow } from "@findersfee/database/portal/codes";
import {
  findJoinedProgram,
  insertApprovedMail,
  type JoinedProgramRow,
} from "@findersfee/database/portal/joining";
import type { Transaction } from "@findersfee/database/postgres/connect";
import type { CampaignRow } from "@findersfee/database/rows";
import type { Actor } from "../actor.ts";
import { addAffiliate } from "../affiliates/create.ts";
import { recruitOf } from "../affiliates/recruit.ts";
import { DomainError } from "../errors.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { agree } from "./agreements.ts";
import { readAnswers } from "./answers.ts";
import { setLanguage } from "./language.ts";

const JOINING: Actor = { kind: "automatic", name: "joining" };

/** A code with a stored application. */
interface Joining {
  email: string;
  /** The person joins at the own host name of this organization; null: at the service's. */
  limited_to: string | null;
  organization_id: string;
  campaign_id: string;
  application: ApplicationRow;
}

/** The application of a code; null: the code is for signing in. */
export function joiningOf({
  email,
  limited_to,
  organization_id,
  campaign_id,
  application,
}: OpenPortalCodeRow): Joining | null {
  if (organization_id === null || campaign_id === null || application === null) return null;
  return { email, limited_to, organization_id, campaign_id, application };
}

/**
 * Creates the affiliate of an application, in the transaction that accepts its code. An affiliate that the campaign has with
 * the address stays as it is, and is the person's own from now on.
 *
 * @throws DomainError `application_outdated` if the campaign does not accept the application any more
 */
export async function completeJoining(
  sql: Transaction,
  joining: Joining,
  secrets_key: SecretsKey,
): Promise<NonNullable<SignedIn["joined"]>> {
  const { organization_id, campaign_id, email, application } = joining;
  const { language } = application;
  const program = await findJoinedProgram(sql, { organization_id, campaign_id, email });
  if (program !== null && program.affiliate_id !== null) {
    await agree(sql, { organization_id, email, affiliate_id: program.affiliate_id });
    return { affiliate_id: program.affiliate_id, is_new: false };
  }
  const campaign = await findCampaign(sql, organization_id, campaign_id);
  if (program === null || campaign === null || program.joining === "closed") throw closed();
  await setLanguage(sql, joining, language);
  const affiliate_id = await createAffiliate(sql, joining, { program, campaign, secrets_key });
  if (!campaign.approval_needed) await insertApprovedMail(sql, organization_id, affiliate_id);
  return { affiliate_id, is_new: true };
}

async function createAffiliate(
  sql: Transaction,
  { organization_id, email, application }: Joining,
  {
    program,
    campaign,
    secrets_key,
  }: { program: JoinedProgramRow; campaign: CampaignRow; secrets_key: SecretsKey },
): Promise<string> {
  const { first_name, last_name, accepted_terms } = application;
  const { answers, issues } = readAnswers(campaign.custom_fields, application.custom_fields);
  if (issues.length > 0 || (program.terms_url !== null && !accepted_terms)) throw changed();
  const { currency, subscription_status } = program;
  const now = new Date();
  const organization = { id: organization_id, currency, subscription_status };
  const details = campaign.collect_details ? application.details : null;
  try {
    const { id } = await addAffiliate(
      sql,
      { organization, actor: JOINING, secrets_key },
      {
        campaign,
        input: { email, first_name, last_name, details },
        recruit: await recruitByLink(sql, organization_id, { ref: application.ref, campaign }),
        joined: {
          custom_fields: answers,
          email_confirmed_at: now,
          agreed_at: now,
          terms_accepted_at: accepted_terms && program.terms_url !== null ? now : null,
        },
      },
    );
    return id;
  } catch (error) {
    throw error instanceof DomainError && error.code === "affiliate_banned" ? refused() : error;
  }
}

/** Who comes by a link that recruits nobody joins as anybody else. */
async function recruitByLink(
  sql: Transaction,
  organizationId: string,
  { ref, campaign }: { ref: string | undefined; campaign: CampaignRow },
): Promise<RecruitValues | null> {
  if (ref === undefined || campaign.recruiting_rate === null) return null;
  const id = await findLinkCodeOwner(sql, organizationId, ref);
  return id === null ? null : recruitOf(await findAffiliate(sql, organizationId, id), campaign);
}

/** The person has proven the address, so the answer reveals the ban to nobody else. */
function refused(): DomainError {
  return new DomainError("application_outdated", {
    message: "The program accepts no applications from this address. Write to the organization.",
    details: { reason: "refused" },
  });
}

function changed(): DomainError {
  return new DomainError("application_outdated", { details: { reason: "form_changed" } });
}

function closed(): DomainError {
  return new DomainError("application_outdated", {
    message: "The program takes no new affiliates any more.",
    details: { reason: "closed" },
  });
}
