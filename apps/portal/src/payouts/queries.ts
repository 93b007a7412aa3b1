import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Outputs, portal } from "../requests/portal.ts";

export type Payout = Outputs["payouts"]["list"]["data"][number];

export type Statement = Outputs["payouts"]["get"];

export type StatementLine = Statement["lines"][number];

/** A page of the list, by its place in the address. */
export interface PayoutsSearch {
  after?: string;
  before?: string;
}

export function payoutsQuery(api: typeof portal, affiliate_id: string, search: PayoutsSearch) {
  return queryOptions({
    queryKey: ["payouts", affiliate_id, search],
    queryFn: ({ signal }) => api.payouts.list.query(search, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function statementQuery(api: typeof portal, affiliate_id: string, id: string) {
  return queryOptions({
    queryKey: ["statement", affiliate_id, id],
    queryFn: ({ signal }) => api.payouts.get.query({ id }, { signal }),
    // Lines that were loaded beyond the first ones stay.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The statement with all of its lines: those that are missing are asked for page by page. */
export async function completeStatement(api: typeof portal, statement: Statement): Promise<Statement> {
  const { id } = statement;
  const lines = [...statement.lines];
  let after = statement.lines_after;
  while (after !== null) {
    const page = await api.payouts.lines.query({ id, after });
    lines.push(...page.lines);
    after = page.lines_after;
  }
  return { ...statement, lines, lines_after: null };
}
