import type { SingleSignOnSettings } from "@findersfee/contract/identity/single-sign-on";
import { deleteSignInDomain, insertSignInDomain } from "@findersfee/database/identity/sign-in-domains";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { changeSettings, type Sender } from "./change.ts";
import { notFoundDomain, notFoundProvider } from "./stored.ts";

const MAX_DOMAINS = 50;

/**
 * Adds a domain of addresses. The provider is for it once its record is proven.
 *
 * @throws DomainError `sign_in_again`; `not_found` without a provider; `invalid_request`
 */
export async function addSignInDomain(
  context: Context,
  sender: Sender,
  domain: string,
): Promise<SingleSignOnSettings> {
  return await changeSettings(context, sender, {
    detail: `added ${domain}`,
    work: async (sql, { provider, domains }) => {
      if (provider === null) throw notFoundProvider();
      if (domains.length >= MAX_DOMAINS) throw invalidField("domain", `At most ${MAX_DOMAINS} domains.`);
      await insertSignInDomain(sql, provider.organization_id, domain);
    },
  });
}

/** @throws DomainError `sign_in_again`; `not_found` */
export async function removeSignInDomain(
  context: Context,
  sender: Sender,
  domain: string,
): Promise<SingleSignOnSettings> {
  return await changeSettings(context, sender, {
    detail: `removed ${domain}`,
    work: async (sql, { provider, domains }) => {
      if (provider === null || !domains.some((row) => row.domain === domain)) throw notFoundDomain();
      await deleteSignInDomain(sql, provider.organization_id, domain);
    },
  });
}
