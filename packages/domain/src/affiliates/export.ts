import { exported_fields } from "@findersfee/contract/affiliates/fields";
import {
  type ExportAffiliates,
  exportAffiliatesInput,
  MAX_COUNTED_REFERRALS,
} from "@findersfee/contract/affiliates/rows";
import {
  type AffiliateBalanceRow,
  type AffiliateListRow,
  countAffiliateRows,
  listAffiliateRows,
  listBalancesOf,
} from "@findersfee/database/affiliates/list-rows";
import type { AffiliatePosition } from "@findersfee/database/affiliates/search";
import { z } from "zod";
import { writeSignedAmount } from "../csv/amount.ts";
import { EXPORT_PAGE, exportPosition, exportProgress } from "../csv/export-step.ts";
import type { Cell } from "../csv/write-lines.ts";
import { groupBy } from "../group-by.ts";
import type { JobKind } from "../work/jobs/kind.ts";
import { exportSource, matchOf } from "./list-rows.ts";
import { agreementOf, stateOf } from "./state.ts";

const HEADER = [
  "id",
  ...exported_fields,
  "campaign",
  "status",
  "agreement",
  "code",
  "clicks",
  "referrals",
  "converted",
  "currency",
  "earned",
  "due",
  "other_currencies",
  "joined",
];

const positionSchema = exportPosition
  .unwrap()
  .extend({ figure: z.string().nullable().default(null) })
  .nullable();

/** The affiliates of the list's filters as CSV, in its order. */
export const affiliatesExport: JobKind<ExportAffiliates> = {
  input: exportAffiliatesInput,
  file: "affiliates",
  async step({ sql, organization, input, position, done }) {
    const { ids, ...filters } = input;
    const { filter: listed, order } = await matchOf(sql, organization, filters);
    const filter = { ...listed, ids };
    const former = positionSchema.parse(position);
    const rows = await listAffiliateRows(sql, organization.id, {
      filter,
      source: exportSource({ filter, order }),
      range: { after: former && positionOf(former), before: null, limit: EXPORT_PAGE },
      most_referrals: MAX_COUNTED_REFERRALS,
    });
    const balances = await listBalancesOf(sql, organization.id, {
      affiliate_ids: rows.map(({ id }) => id),
      now: new Date(),
    });
    const by_affiliate = groupBy(balances, ({ affiliate_id }) => affiliate_id);
    const lines = rows.map((row) => lineOf(row, by_affiliate.get(row.id) ?? [], organization.currency));
    const progress = exportProgress({ done, position }, { header: HEADER, rows, lines });
    const figure = rows.at(-1)?.figure ?? null;
    return {
      ...progress,
      position: progress.position && {
        ...progress.position,
        figure: figure === null ? null : String(figure),
      },
      ...(former === null
        ? { total: await countAffiliateRows(sql, organization.id, { filter, order, most: null }) }
        : {}),
    };
  },
};

function positionOf({ after, figure }: { after: string; figure: string | null }): AffiliatePosition {
  return { figure: figure === null ? null : BigInt(figure), id: after };
}

function lineOf(
  row: AffiliateListRow,
  balances: readonly AffiliateBalanceRow[],
  home_currency: string,
): Cell[] {
  const home = balances.find(({ currency }) => currency === home_currency);
  const others = balances.filter(({ currency }) => currency !== home_currency);
  return [
    row.id,
    ...exported_fields.map((name) => row[name] ?? ""),
    row.campaign_name,
    stateOf(row),
    agreementOf(row) ?? "",
    row.code ?? "",
    String(row.clicks),
    String(row.referrals),
    String(row.converted),
    home_currency,
    { exact: writeSignedAmount(home?.net_minor ?? 0n, home_currency) },
    { exact: writeSignedAmount(dueOf(home), home_currency) },
    others.map(otherBalance).join("; "),
    row.created_at.toISOString(),
  ];
}

function otherBalance(balance: AffiliateBalanceRow): string {
  const { currency, net_minor } = balance;
  return `${currency} ${writeSignedAmount(net_minor, currency)} earned, ${writeSignedAmount(dueOf(balance), currency)} due`;
}

function dueOf(balance: AffiliateBalanceRow | undefined): bigint {
  return balance === undefined ? 0n : balance.unpaid_minor - balance.held_minor;
}
