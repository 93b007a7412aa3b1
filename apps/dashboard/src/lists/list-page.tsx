import type { ViewedList } from "@findersfee/contract/identity/viewed-lists";
import { Page } from "@findersfee/ui/shell/page";
import type { ReactNode } from "react";
import { useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { isFilterable } from "./filters.tsx";
import { Rows, type RowsProps } from "./rows.tsx";
import { useColumns } from "./use-columns.tsx";
import { Views } from "./views/views.tsx";

export interface ListPageProps<Row, Name extends string>
  extends Omit<RowsProps<Row, Name>, "label" | "actions"> {
  title: string;
  /** The list's name in the person's preferences, if they may choose columns. */
  name?: ViewedList;
  /** The list's name among the person's views, if it has no columns to choose. */
  views?: ViewedList | undefined;
  /** The number of rows, beside the title. */
  count?: ReactNode;
  /** Buttons of the page. */
  page_actions?: ReactNode;
  /** Above the filters, for example tabs. */
  above?: ReactNode;
  /** A `FilterBar`: absent while there is nothing to filter. */
  filters?: ReactNode;
  /** Addresses of the lists beside it. */
  tabs?: ReactNode;
  /** Buttons for the selected rows. */
  row_actions?: ReactNode;
  /** Dialogs. */
  children?: ReactNode;
}

/** A page that is a list, or that says which role may see it. */
export function ListPage<Row, Name extends string>({
  title,
  name,
  views = name,
  count,
  page_actions,
  above,
  tabs,
  filters,
  row_actions,
  children,
  ...rows
}: ListPageProps<Row, Name>) {
  const { organization } = useSession();
  const { error, data } = rows.query;
  const { shown, picker } = useColumns(name, rows.columns);
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  return (
    <Page
      title={title}
      document_title={`${title} · ${organization.name}`}
      beside={count}
      actions={page_actions}
      tabs={tabs}
    >
      {above}
      {isFilterable(data, rows.address) && (
        <div className="flex flex-wrap items-center gap-2 wide:[&>search]:min-w-0 wide:[&>search]:flex-1">
          {filters}
          <span className="ml-auto flex items-center gap-1 max-wide:ml-0">
            {views !== undefined && <Views list={views} address={rows.address} />}
            {picker}
          </span>
        </div>
      )}
      <Rows {...rows} columns={shown} label={title} actions={row_actions} />
      {children}
    </Page>
  );
}
