import type { Join } from "@findersfee/contract/portal/join";
import { insertApplication } from "@findersfee/database/portal/joining";
import { findPublicProgram } from "@findersfee/database/portal/programs";
import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError, requireNoIssues } from "../errors.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { requireNoAddress } from "../shown-name.ts";
import { readAnswers } from "./answers.ts";
import { type CodeRequest, newRequestedCode, type RequestedCode } from "./new-code.ts";
import { noProgram } from "./public-program.ts";

/**
 * An address gets few mails, since anybody can have them sent. An organization has few applications without
 * an entered code, so that a botnet can make it send only so many mails. Ten networks leave places for
 * others.
 */
const LIMITS = {
  open_of_network: 3,
  open_of_all: 36,
  day_of_network: 10,
  day_of_all: 120,
  organization_of_network: 30,
  organization_of_all: 1_000,
};

/**
 * Stores an application, and mails a code to its address. Whether the address is known is looked up only by the worker, so
 * neither the answer nor its duration shows it: an affiliate gets a mail for signing in instead. `limited_to`: the program must
 * be one of this organization.
 *
 * @throws DomainError `not_found` for a campaign that nobody can join; `invalid_request`; `rate_limited` when the organization
 * had too many applications in this hour
 */
export async function requestJoining(
  { database, secrets_key }: { database: Database; secrets_key: SecretsKey },
  { slug, campaign_id, email, ...form }: Join,
  { limited_to, network }: Pick<CodeRequest, "limited_to" | "network">,
): Promise<RequestedCode> {
  const program = await findPublicProgram(database, { slug, campaign_id });
  if (program === null || (limited_to !== null && program.organization_id !== limited_to)) throw noProgram();
  const { issues } = readAnswers(program.custom_fields, form.custom_fields);
  if (program.terms_url !== null && !form.accepted_terms) {
    issues.push({ path: "accepted_terms", message: "Accept the terms to join the program." });
  }
  requireNoIssues(issues);
  requireNoAddress("first_name", form.first_name);
  requireNoAddress("last_name", form.last_name);
  const { first_name, last_name, custom_fields, accepted_terms, language, ref } = form;
  const details = program.collect_details ? form.details : null;
  const { organization_id } = program;
  const { code, requested } = newRequestedCode(secrets_key, { email, limited_to, network });
  const application = {
    ...{ first_name, last_name, details, custom_fields, accepted_terms, language },
    ...(ref ? { ref } : {}),
  };
  const joining = { ...code, organization_id, campaign_id, application };
  if (await insertApplication(database, joining, LIMITS)) return { ...requested, organization_id };
  throw new DomainError("rate_limited", {
    message: "The program gets too many applications at the moment. Try again in an hour.",
    retry_after_seconds: 60 * 60,
  });
}

/** The answer for a program that filled in the field that people do not see: it looks the same, and no code is right. */
export function pretendJoining(secrets_key: SecretsKey, email: string): RequestedCode {
  return {
    ...newRequestedCode(secrets_key, { email, limited_to: null, network: "" }).requested,
    organization_id: null,
  };
}
