import type { SignalName } from "@findersfee/contract/attribution/signals";
import { findAffiliateCards, findSharedPayoutEmails } from "@findersfee/database/attribution/signals";
import type { Connection } from "@findersfee/database/postgres/connect";
import { findSharedNetworks } from "@findersfee/database/tracking/networks";
import type { Observe, ObservedKey } from "../decide/signals.ts";
import { adIn, listedReferrer } from "../facts/click-evidence.ts";
import { loadEmailDomains } from "../facts/email-domains.ts";
import { emailKey } from "../facts/fact-names.ts";
import { cardOf } from "../facts/relate.ts";
import {
  answersOf,
  clicksOf,
  type Found,
  loadClickRates,
  loadRefunds,
  loadSignUpRates,
  type Observed,
  type Watched,
} from "./signal-rates.ts";

/** Other affiliates with one payout email, which are counted. */
const MOST_COUNTED = 100;

/** Looks up the data that payments' signals need, by affiliate. */
export type ObserveOf = (affiliate_id: string) => Observe;

/** Nothing is asked where all signals are off. */
const OBSERVES_NOTHING: ObserveOf = () => () => null;

type Kind = ObservedKey extends `${infer Kind} ${string}` ? Kind : never;

/** Reads the data that signals need about these customers and affiliates; nothing if all signals are off. */
export async function loadObservations(
  sql: Connection,
  organization_id: string,
  observed: Observed,
): Promise<ObserveOf> {
  const watched = watchedOf(observed);
  if (watched.size === 0) return OBSERVES_NOTHING;
  const found: Record<Kind, Found> = {
    domain: await loadEmailDomains(),
    ...readClicks(observed),
    payee: await loadPayees(sql, organization_id, watched),
    network: await loadNetworks(sql, organization_id, { watched, ...observed }),
    card: await loadCards(sql, organization_id, { watched, ...observed }),
    clicks: await loadClickRates(sql, organization_id, { watched, ...observed }),
    signups: await loadSignUpRates(sql, organization_id, { watched, ...observed }),
    refunds: await loadRefunds(sql, organization_id, watched),
  };
  return (affiliate_id) => (key) => {
    const at = key.indexOf(" ");
    return found[key.slice(0, at) as Kind](key.slice(at + 1), affiliate_id);
  };
}

function watchedOf({ snapshots }: Observed): Watched {
  const watched = new Map<SignalName, Set<string>>();
  for (const { affiliate_id, terms } of snapshots) {
    for (const name of Object.keys(terms.signals ?? {})) {
      const signal = name as SignalName;
      watched.set(signal, (watched.get(signal) ?? new Set()).add(affiliate_id));
    }
  }
  return watched;
}

/** Reads the evidence in the addresses of clicks. */
function readClicks({ affiliates, clicks }: Observed): Record<"ad" | "referrer", Found> {
  const listed = new Map(affiliates.map(({ id, campaign }) => [id, campaign.signals?.referrers ?? []]));
  return {
    ad: (click_id) => {
      const click = clicks.get(click_id);
      return click === undefined ? null : [adIn(click.landing_url) ?? []].flat();
    },
    referrer: (click_id, affiliate_id) => {
      const click = clicks.get(click_id);
      if (click === undefined) return null;
      return listedReferrer(click.referrer, listed.get(affiliate_id) ?? []) ?? [];
    },
  };
}

async function loadPayees(sql: Connection, organization_id: string, watched: Watched): Promise<Found> {
  const affiliate_ids = [...(watched.get("shared_payout_email") ?? [])];
  const shared =
    affiliate_ids.length === 0
      ? []
      : await findSharedPayoutEmails(sql, organization_id, { affiliate_ids, most: MOST_COUNTED });
  return answersOf(
    affiliate_ids,
    shared.map(({ affiliate_id, others, first }) => [affiliate_id, [`${others}`, first]]),
  );
}

async function loadNetworks(
  sql: Connection,
  organization_id: string,
  { watched, clicks }: { watched: Watched } & Observed,
): Promise<Found> {
  const asked = clicksOf(clicks, watched.get("shared_network"));
  const known = asked.flatMap(({ network_hash, ...click }) =>
    network_hash === null ? [] : { ...click, network_hash },
  );
  const shared = known.length === 0 ? [] : await findSharedNetworks(sql, organization_id, known);
  return answersOf(
    asked.map(({ id }) => id),
    shared.map(({ id, day }) => [id, [day]]),
  );
}

/** An affiliate is a customer by its own email, or by the one that it is paid at. */
async function loadCards(
  sql: Connection,
  organization_id: string,
  { watched, affiliates, facts }: { watched: Watched } & Observed,
): Promise<Found> {
  const asked = affiliates.filter(({ id }) => watched.get("shared_card")?.has(id));
  const cards = asked.length === 0 ? [] : [...new Set([...facts.values()].flat().flatMap(cardOf))];
  const owners = asked.flatMap(({ id, email, payout_email }) => {
    const keys = new Set([emailKey(email), ...(payout_email === null ? [] : [emailKey(payout_email)])]);
    return [...keys].map((key) => ({ affiliate_id: id, key }));
  });
  const shared = cards.length === 0 ? [] : await findAffiliateCards(sql, organization_id, { owners, cards });
  return answersOf(
    asked.flatMap(({ id }) => cards.map((card) => `${id} ${card}`)),
    shared.map(({ affiliate_id, card, day }) => [`${affiliate_id} ${card}`, [day]]),
  );
}
