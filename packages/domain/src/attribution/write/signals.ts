import type { ReferralSource } from "@findersfee/database/attribution/customers";
import { findSharedPayoutEmails } from "@findersfee/database/attribution/signals";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
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
  /** By click. */
  sources: ReadonlyMap<string, ReferralSource>;
}

/** Reads what signals need of these affiliates and clicks; nothing where all are off. */
export async function loadObservations(
  sql: Connection,
  organization_id: string,
  { affiliates, snapshots, sources }: Observed,
): Promise<ObserveOf> {
  const watched = snapshots.filter(({ terms }) => terms.signals !== undefined);
  if (watched.length === 0) return OBSERVES_NOTHING;
  const domainOf = await loadEmailDomains();
  const shares = watched.filter(({ terms }) => terms.signals?.shared_payout_email !== undefined);
  const affiliate_ids = [...new Set(shares.map(({ affiliate_id }) => affiliate_id))];
  const shared =
    affiliate_ids.length === 0
      ? []
      : await findSharedPayoutEmails(sql, organization_id, { affiliate_ids, most: MOST_COUNTED });
  const others = new Map(
    shared.map(({ affiliate_id, others, first }) => [affiliate_id, [`${others}`, first]]),
  );
  const listed = new Map(affiliates.map(({ id, campaign }) => [id, campaign.signals?.referrers ?? []]));
  return (affiliate_id) => (key) => {
    const [kind, name] = split(key);
    if (kind === "domain") return domainOf(name);
    if (kind === "payee") return others.get(name) ?? [];
    const click = sources.get(name);
    if (click === undefined) return null;
    if (kind === "ad") return [adIn(click.landing_url) ?? []].flat();
    return listedReferrer(click.referrer, listed.get(affiliate_id) ?? []) ?? [];
  };
}

function split(key: ObservedKey): [kind: string, name: string] {
  const at = key.indexOf(" ");
  return [key.slice(0, at), key.slice(at + 1)];
}
