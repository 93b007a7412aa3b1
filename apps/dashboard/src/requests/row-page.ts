/** A page of rows as the service returns it. */
export interface RowPage<Row> {
  data: readonly Row[];
  newer: string | null;
  older: string | null;
}

/** Whether no row matches the filters: there is nothing to export. A limited search may have rows on its next page. */
export function isRowless(page: RowPage<unknown> | undefined): boolean {
  return page !== undefined && page.data.length === 0 && page.newer === null && page.older === null;
}
