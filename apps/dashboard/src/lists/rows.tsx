import { List, type ListProps } from "@findersfee/ui/lists/list";
import { FailureNotice } from "../requests/failure-notice.tsx";
import type { RowPage } from "../requests/row-page.ts";
import { useUsableMark } from "../requests/usable.ts";
import { EmptyList, type EmptyListProps } from "./empty-list.tsx";
import { isShort, rowPager } from "./row-pager.ts";
import type { ListAddress } from "./use-list-address.ts";

/** The state of the query of a page, as TanStack Query returns it. */
export interface RowQuery<Page> {
  data: Page | undefined;
  error: unknown;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

export interface RowsProps<Row, Name extends string>
  extends Omit<ListProps<Row>, "rows" | "busy" | "failure" | "empty" | "pager"> {
  address: ListAddress<Name>;
  query: RowQuery<RowPage<Row>>;
  empty: EmptyListProps;
  /** Whether all rows are loaded at once. */
  is_whole?: boolean;
}

/** The rows of a query with their states: loading, failed, none yet, none that match, and a pager. */
export function Rows<Row, Name extends string>({
  address,
  query,
  empty,
  is_whole = false,
  ...list
}: RowsProps<Row, Name>) {
  const { data, error, isPlaceholderData, refetch } = query;
  useUsableMark(isPlaceholderData ? undefined : data);
  return (
    <List
      {...list}
      rows={data?.data}
      busy={isPlaceholderData}
      failure={error === null ? undefined : <FailureNotice error={error} onRetry={() => void refetch()} />}
      empty={<EmptyList address={address} {...empty} older={data?.older ?? null} />}
      {...(is_whole || isShort(data) ? {} : { pager: rowPager(data, address) })}
    />
  );
}
