import { Button } from "@findersfee/ui/components/button";
import { Time } from "@findersfee/ui/components/values";
import { type Selection, useSelection } from "@findersfee/ui/lists/selection";
import { SelectionBar } from "@findersfee/ui/lists/selection-bar";
import { Table } from "@findersfee/ui/lists/table";
import { nameOf } from "./name.ts";
import type { ApplicationQuery, Application as ApplicationRow } from "./queries.ts";
import { texts } from "./waiting-texts.ts";

type Pages = Pick<ApplicationQuery, "fetchNextPage" | "hasNextPage" | "isFetchingNextPage">;

/** The decisions that a person can make about several applications at once. */
interface Decisions {
  approve: (ids: readonly string[]) => void;
  decline: (ids: readonly string[]) => void;
}

export interface ApplicationListProps {
  rows: readonly ApplicationRow[];
  /** The number of all applications, including those that are not loaded. */
  count: number;
  query: Pages;
  open_id: string;
  linkTo: (id: string) => string;
  /** Null: the person may not decide. */
  decisions: Decisions | null;
}

/** The applications, the next ones at the end, and the decisions about the selected ones, which stay in view. */
export function ApplicationList({ rows, count, query, open_id, linkTo, decisions }: ApplicationListProps) {
  const selection = useSelection(rows.map(({ id }) => id));
  return (
    <>
      <Table
        label={texts.applications}
        rows={rows}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        linkTo={({ id }) => linkTo(id)}
        open_key={open_id}
        {...(decisions === null ? {} : { selection })}
      />
      {query.hasNextPage && (
        <p className="flex flex-wrap items-center gap-3 py-3 text-table text-muted">
          {texts.shown(rows.length, count)}
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {texts.more}
          </Button>
        </p>
      )}
      {decisions !== null && selection.keys.length > 0 && (
        <DecisionsOfSelected {...{ selection, count, query, decisions }} />
      )}
    </>
  );
}

interface DecisionsProps extends Pick<ApplicationListProps, "count" | "query"> {
  selection: Selection;
  decisions: Decisions;
}

/** At the bottom of the window, however long the list is. */
function DecisionsOfSelected({ selection, count, query, decisions }: DecisionsProps) {
  const { keys } = selection;
  const selectAll = async () => {
    let pages = await query.fetchNextPage();
    while (pages.hasNextPage && !pages.isError) pages = await query.fetchNextPage();
    selection.set((pages.data?.pages ?? []).flatMap(({ data }) => data.map(({ id }) => id)));
  };
  return (
    <div className="contents max-wide:hidden">
      <SelectionBar
        selection={selection}
        actions={
          <>
            <Button look="solid" onClick={() => decisions.approve(keys)}>
              {texts.approve}
            </Button>
            <Button look="danger" onClick={() => decisions.decline(keys)}>
              {texts.decline}
            </Button>
          </>
        }
        offer={
          keys.length < count && (
            <Button look="quiet" busy={query.isFetchingNextPage} onClick={() => void selectAll()}>
              {texts.select_all(count)}
            </Button>
          )
        }
      />
    </div>
  );
}

const COLUMNS = [
  {
    id: "name",
    header: texts.applicant,
    cell: (row: ApplicationRow) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span dir="auto" className="min-w-0 truncate" title={nameOf(row)}>
          {nameOf(row)}
        </span>
      </span>
    ),
    narrow: "above" as const,
    strong: true,
  },
  {
    id: "email",
    header: texts.email,
    cell: (row: ApplicationRow) => (nameOf(row) === row.email ? null : row.email),
    narrow: "below" as const,
    phone_only: true,
  },
  {
    id: "campaign",
    header: texts.campaign,
    cell: ({ campaign }: ApplicationRow) => <bdi>{campaign.name}</bdi>,
    narrow: "below-end" as const,
    phone_only: true,
  },
  {
    id: "since",
    header: "",
    cell: ({ created_at }: ApplicationRow) => <Time at={created_at} show="day" />,
    align: "end" as const,
    narrow: "above-end" as const,
    width: "w-24",
  },
];
