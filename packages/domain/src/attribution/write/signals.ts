import type { SignalName } from "@findersfee/contract/attribution/signals";
import { findSharedPayoutEmails } from "@findersfee/database/attribution/signals";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import { findSharedNetworks } from "@findersfee/database/tracking/networks";
import type { Observe, ObservedKey } from "../decide/signals.ts";
import { adIn, listedReferrer } from "../facts/click-evidence.ts";
import { loadEmailDomains } from "../facts/email-domains.ts";
import type { AffiliateSnapshot } from "../facts/stored-fact.ts";

/** Other affiliates with one payout email, which are counted. */
const MOST_COUNTED = 100;

/** What payments' signals look up, by the affiliate. */
export type ObserveOf = (affiliate_id: string) => Observe;

/** Nothing is asked where all signals are off. */
const OBSERVES_NOTHING: ObserveOf = () => () => null;

interface Observed {
  /** By id. */
  affiliates: readonly AffiliateRow[];
  /** Those of facts, and those that new ones get. */
  snapshots: readonly Pick<AffiliateSnapshot, "affiliate_id" | "terms">[];
  /** By id. */
  clicks: ReadonlyMap<string, ClickRow>;
}

/** What is looked up about names of one kind. A name that it does not have is not known any more. */
type Found = (name: string, affiliate_id: string) => readonly string[] | null;

/** Reads what signals need of these affiliates and clicks; nothing where all are off. */
export async function loadObservations(
  sql: Connection,
  organization_id: string,
  observed: Observed,
): Promise<ObserveOf> {
  const watched = watchedOf(observed);
  if (watched.size === 0) return OBSERVES_NOTHING;
  const domainOf = await loadEmailDomains();
  const listed = new Map(
    observed.affiliates.map(({ id, campaign }) => [id, campaign.signals?.referrers ?? []]),
  );
  const ofClick =
    (read: (click: ClickRow, affiliate_id: string) => readonly string[]): Found =>
    (name, affiliate_id) => {
      const click = observed.clicks.get(name);
      return click === undefined ? null : read(click, affiliate_id);
    };
  const found: Record<Kind, Found> = {
    domain: domainOf,
    payee: await loadPayees(sql, organization_id, watched),
    ad: ofClick(({ landing_url }) => [adIn(landing_url) ?? []].flat()),
    referrer: ofClick(
      ({ referrer }, affiliate_id) => listedReferrer(referrer, listed.get(affiliate_id) ?? []) ?? [],
    ),
    network: await loadNetworks(sql, organization_id, { watched, ...observed }),
  };
  return (affiliate_id) => (key) => {
    const at = key.indexOf(" ");
    return found[key.slice(0, at) as Kind](key.slice(at + 1), affiliate_id);
  };
}

type Kind = ObservedKey extends `${infer Kind} ${string}` ? Kind : never;

/** The affiliates that a signal concerns, by signal; without those that are off everywhere. */
type Watched = ReadonlyMap<SignalName, ReadonlySet<string>>;

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

interface Looked {
  watched: Watched;
  clicks: Observed["clicks"];
}

async function loadPayees(sql: Connection, organization_id: string, watched: Watched): Promise<Found> {
  const affiliate_ids = [...(watched.get("shared_payout_email") ?? [])];
  const shared =
    affiliate_ids.length === 0
      ? []
      : await findSharedPayoutEmails(sql, organization_id, { affiliate_ids, most: MOST_COUNTED });
  const others = new Map(
    shared.map(({ affiliate_id, others, first }) => [affiliate_id, [`${others}`, first]]),
  );
  return (affiliate_id) => others.get(affiliate_id) ?? [];
}

async function loadNetworks(
  sql: Connection,
  organization_id: string,
  { watched, clicks }: Looked,
): Promise<Found> {
  const affiliates = watched.get("shared_network");
  const asked = [...clicks.values()].flatMap(({ network_hash, ...click }) =>
    network_hash !== null && affiliates?.has(click.affiliate_id) ? { ...click, network_hash } : [],
  );
  const shared = asked.length === 0 ? [] : await findSharedNetworks(sql, organization_id, asked);
  const days = new Map(shared.map(({ id, day }) => [id, day]));
  // Without a network, there is nothing to look up later, either.
  return (click_id) => (clicks.has(click_id) ? [days.get(click_id) ?? []].flat() : null);
}
