import { Progress, SkeletonRows } from "@findersfee/ui/components/skeleton";
import { useTexts } from "@findersfee/ui/texts";
import type { ReactNode } from "react";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { Pager } from "./pager.tsx";
import { type Column, Rows } from "./rows.tsx";

interface Loaded<Row> {
  data: { data: readonly Row[]; newer: string | null; older: string | null } | undefined;
  error: unknown;
  refetch: () => void;
  isFetching: boolean;
}

/** A page of a list in all its states. */
export function List<Row>({
  loaded: { data, error, refetch, isFetching },
  empty,
  pageTo,
  ...table
}: {
  loaded: Loaded<Row>;
  /** In place of the rows if there are none. */
  empty: ReactNode;
  /** The address of a neighboring page. */
  pageTo: (page: { after: string } | { before: string }) => string;
  label: string;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  linkTo?: (row: Row) => string;
  isNew?: (row: Row) => boolean;
}) {
  const texts = useTexts();
  return (
    <>
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      <Progress busy={isFetching && data !== undefined} />
      {data === undefined && error === null && <SkeletonRows label={texts.loading} />}
      {data !== undefined && data.data.length === 0 && empty}
      {data !== undefined && data.data.length > 0 && (
        <>
          <Rows {...table} rows={data.data} busy={isFetching} />
          <Pager
            newer={data.newer === null ? null : pageTo({ before: data.newer })}
            older={data.older === null ? null : pageTo({ after: data.older })}
          />
        </>
      )}
    </>
  );
}
