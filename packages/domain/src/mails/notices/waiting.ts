import type { NotificationTopic } from "@findersfee/contract/mails";
import {
  findStripeProblem,
  listDeadMessages,
  listDisabledEndpoints,
  listFailedPayouts,
  listOpenClaims,
  listRunsToApprove,
  listWaitingApplications,
  type StripeEventsRow,
} from "@findersfee/database/mails/waiting";
import type { Connection } from "@findersfee/database/postgres/connect";
import { hasAddress } from "../../shown-name.ts";
import { showDay, showPeriod } from "../amounts.ts";
import { failedPayout } from "../payouts-failed.ts";

/** More of a topic are neither counted nor compared with the last mail. */
const MOST = 1_000;
const MAX_REASON = 200;

/** Something that waits for a member. */
export interface WaitingItem {
  /** The topic and an id. A mail stores the keys that it has reported. */
  key: string;
  words: string;
}

interface Reader {
  organization_id: string;
  user_id: string;
}

type Named = { id: string; words: string };

/** The waiting items of a topic, the newest first. */
export async function listWaitingItems(
  sql: Connection,
  { organization_id, user_id }: Reader,
  topic: NotificationTopic,
): Promise<WaitingItem[]> {
  const named = await listNamed(sql, { organization_id, user_id }, topic);
  return named.map(({ id, words }) => ({ key: `${topic} ${id}`, words }));
}

async function listNamed(
  sql: Connection,
  { organization_id, user_id }: Reader,
  topic: NotificationTopic,
): Promise<Named[]> {
  switch (topic) {
    case "applications": {
      const rows = await listWaitingApplications(sql, organization_id, MOST);
      return rows.map((row) => ({ id: row.id, words: `${personOf(row)}, for ${row.campaign_name}` }));
    }
    case "claims": {
      const rows = await listOpenClaims(sql, organization_id, MOST);
      return rows.map((row) => ({ id: row.id, words: `${personOf(row)}, paid on ${dayOf(row.paid_on)}` }));
    }
    case "connections":
      return await listConnectionFailures(sql, organization_id);
    case "endpoints": {
      const rows = await listDisabledEndpoints(sql, organization_id, MOST);
      return rows.map(({ id, url, disabled_at }) => ({
        id: `${id} ${disabled_at?.toISOString()}`,
        words: url,
      }));
    }
    case "payouts": {
      const rows = await listFailedPayouts(sql, organization_id, MOST);
      return rows.map((row) => ({ id: row.id, words: failedPayout(row) }));
    }
    case "payout_runs": {
      const rows = await listRunsToApprove(sql, organization_id, { user_id, most: MOST });
      return rows.map(({ id, period, number }) => ({
        id,
        words: number === 1 ? `The run for ${showPeriod(period)}` : `Run ${number} for ${showPeriod(period)}`,
      }));
    }
  }
}

/** A day that a person named, `2026-11-20`. */
function dayOf(date: string): string {
  return showDay(new Date(`${date}T00:00:00Z`), { language: "en", time_zone: "UTC" });
}

/** The endpoint at Stripe comes first: without it, no messages come at all. */
async function listConnectionFailures(sql: Connection, organization_id: string): Promise<Named[]> {
  const [stripe, messages] = await Promise.all([
    findStripeProblem(sql, organization_id),
    listDeadMessages(sql, organization_id, MOST),
  ]);
  const dead = messages.map(({ processor, id, type, reason }) => ({
    id: `${processor} ${id}`,
    words: `${processor === "stripe" ? "Stripe" : "Processor"}: ${type} could not be processed${reason === null ? "" : `: ${reason.slice(0, MAX_REASON)}`}`,
  }));
  if (stripe === null) return dead;
  const words = stripeProblem(stripe);
  return [{ id: `stripe ${words}`, words }, ...dead];
}

function stripeProblem({ missing_events, events_check_error }: StripeEventsRow): string {
  if (events_check_error !== null) return events_check_error.slice(0, MAX_REASON);
  return `Stripe does not send these events: ${(missing_events ?? []).join(", ")}`.slice(0, MAX_REASON);
}

/** A name that sends its reader somewhere is left out: people write it about themselves. */
function personOf({
  first_name,
  last_name,
  email,
}: {
  first_name: string;
  last_name: string;
  email: string;
}): string {
  const name = `${first_name} ${last_name}`.trim();
  return name === "" || hasAddress(name) ? email : `${name} (${email})`;
}
