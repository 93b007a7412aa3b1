import type { Onboarding } from "@findersfee/contract/onboarding";
import { type OnboardingRow, readOnboarding } from "@findersfee/database/onboarding/onboarding";
import { outcomeName } from "../attribution/view.ts";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";

const iso = (time: string) => new Date(time).toISOString();

/** The first steps of an organization, each with the last fact seen, in one statement. */
export async function getOnboarding({ database, organization }: Context): Promise<Onboarding> {
  const row = await readOnboarding(database, organization.id);
  const { click, payment, commission } = row;
  return {
    dismissed_at: row.dismissed_at?.toISOString() ?? null,
    is_test: row.test_of !== null,
    publishable_key: row.publishable_key,
    tracker: { link_url: row.link_url, domains: domainsOf(row) },
    test_data: row.test_data,
    campaign: row.campaign,
    affiliate: row.affiliate,
    click: click === null ? null : { ...click, clicked_at: iso(click.clicked_at) },
    connections: row.connections.map(({ name, livemode, refused_at, refused_reason: reason, message }) => ({
      name,
      livemode,
      refused: refused_at === null || reason === null ? null : { at: iso(refused_at), reason },
      message: message === null ? null : { ...message, received_at: iso(message.received_at) },
    })),
    payment:
      payment === null
        ? null
        : { ...payment, outcome: outcomeName.parse(payment.outcome), paid_at: iso(payment.paid_at) },
    commission:
      commission === null
        ? null
        : {
            id: commission.id,
            currency: commission.currency,
            commission_amount: toMajor(BigInt(commission.commission_minor), commission.currency),
          },
  };
}

/** The domains between which the script hands clicks over. A single one needs no list. */
function domainsOf({ website_domains, websites }: OnboardingRow): string[] {
  const hosts = websites
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).hostname.replace(/^www\./, ""));
  const domains = [...new Set([...hosts, ...website_domains])];
  // A domain includes its subdomains.
  const outermost = domains.filter((domain) => !domains.some((other) => domain.endsWith(`.${other}`)));
  return outermost.length > 1 ? outermost : [];
}
