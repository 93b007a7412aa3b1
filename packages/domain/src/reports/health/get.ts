import { MAX_ATTENTION } from "@findersfee/contract/reports/attention";
import type { Health } from "@findersfee/contract/reports/health";
import { listLedgerFindings } from "@findersfee/database/ledger/findings";
import {
  findLedgerVerification,
  type LedgerVerificationRow,
} from "@findersfee/database/ledger/verifications";
import { countQuotaWaits, type GivenUpMailRow, listGivenUpMails } from "@findersfee/database/mails/mails";
import { countUnsentMails } from "@findersfee/database/mails/unsent";
import { readAttention } from "@findersfee/database/reports/attention";
import { findOldestDueWork } from "@findersfee/database/work/due-work";
import { findLastJob } from "@findersfee/database/work/jobs";
import { readWorkers } from "@findersfee/database/work/workers";
import type { Context } from "../../context.ts";
import { continuityOf } from "../../continuity/continuity.ts";
import { getConversionState } from "../../exchange-rates/list.ts";
import { viewJob } from "../../work/jobs/view.ts";
import { viewUnsentMails } from "../attention.ts";

const MAX_FINDINGS = 200;
const MAX_MAILS = 50;
const MAX_SORTED_MAILS = 1_000;
const MAX_COUNTED_MAILS = 10_000;

/** Whether the organization's data adds up, and what the service could not do for it. The API knows its read replicas. */
export async function getHealth(context: Context): Promise<Omit<Health, "read_replicas">> {
  const { database, organization } = context;
  const [
    ledger_check,
    nightly_check,
    mails,
    mails_awaiting_quota,
    oldest_due,
    attention,
    unsent,
    workers,
    conversion,
  ] = await Promise.all([
    lastLedgerCheck(context),
    findLedgerVerification(database, organization.id),
    listGivenUpMails(database, organization.id, { limit: MAX_MAILS, most: MAX_SORTED_MAILS }),
    countQuotaWaits(database, organization.id, MAX_COUNTED_MAILS),
    findOldestDueWork(database, organization.id),
    readAttention(database, organization.id, MAX_ATTENTION),
    countUnsentMails(database, organization.id, MAX_ATTENTION),
    readWorkers(database),
    getConversionState(context),
  ]);
  const step_back = continuityOf(database)?.stepBack ?? null;
  return {
    step_back:
      step_back === null
        ? null
        : { reason: step_back.reason, noticed_at: step_back.noticed_at.toISOString() },
    ledger_check,
    nightly_check: nightly_check === null ? null : viewNightlyCheck(nightly_check),
    workers: workers.count,
    mail_delivery: workers.mail_delivery,
    unsent_mails: viewUnsentMails(unsent),
    given_up_mails: mails.map(viewMail),
    mails_awaiting_quota,
    mails_wait_until: attention.mails_wait_until?.toISOString() ?? null,
    oldest_due: oldest_due.map(({ kind, due_at }) => ({ kind, due_at: due_at.toISOString() })),
    dead_lettered_messages: attention.dead_lettered_messages,
    failing_endpoints: attention.failing_endpoints.length,
    conversion,
  };
}

async function lastLedgerCheck({ database, organization, actor }: Context): Promise<Health["ledger_check"]> {
  const row = await findLastJob(database, organization.id, "ledger_check");
  if (row === null) return null;
  const {
    id: job_id,
    state,
    done,
    total,
    result,
    started_by,
    created_at,
    finished_at,
    reason,
  } = viewJob(row, actor);
  return {
    job_id,
    state,
    rules_checked: done ?? 0,
    rules: total ?? 0,
    damaged: result?.damaged ?? 0,
    warnings: result?.warnings ?? 0,
    started_by,
    started_at: created_at,
    finished_at,
    reason,
    findings: await listLedgerFindings(database, organization.id, { job_id, limit: MAX_FINDINGS }),
  };
}

function viewNightlyCheck(row: LedgerVerificationRow): Health["nightly_check"] {
  const { checked_at, rules, damaged, warnings, reason, findings } = row;
  return { checked_at: checked_at?.toISOString() ?? null, rules, damaged, warnings, reason, findings };
}

function viewMail(row: GivenUpMailRow): Health["given_up_mails"][number] {
  const { id, kind, recipient, affiliate_id, affiliate_email, reason, finished_at } = row;
  return {
    id,
    kind,
    recipient: recipient === "" ? affiliate_email : recipient,
    affiliate_id,
    reason,
    given_up_at: finished_at?.toISOString() ?? null,
  };
}
