import { Button } from "@findersfee/ui/components/button";
import { isRowless, type RowPage } from "../requests/row-page.ts";
import { useMay } from "../session/session.tsx";
import { export_texts } from "./export-texts.ts";
import { useExport } from "./use-export.ts";

export interface ExportButtonProps {
  /** The page of the list; undefined until it has arrived. */
  page: RowPage<unknown> | undefined;
  start: () => Promise<unknown>;
}

/** Exports the rows of a list that match its filters. Disabled while there are none; nothing for people who may not. */
export function ExportButton({ page, start }: ExportButtonProps) {
  const may_export = useMay("admin");
  const { run, busy } = useExport(start);
  if (!may_export) return null;
  return (
    <Button busy={busy} disabled={isRowless(page)} onClick={run}>
      {export_texts.export}
    </Button>
  );
}
