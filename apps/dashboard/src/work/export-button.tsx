import { Button } from "@findersfee/ui/components/button";
import { useMay } from "../session/session.tsx";
import { export_texts } from "./export-texts.ts";
import { useExport } from "./use-export.ts";

/** Exports the rows of a list that match its filters. Nothing for people who may not. */
export function ExportButton({ start }: { start: () => Promise<unknown> }) {
  const may_export = useMay("admin");
  const { run, busy } = useExport(start);
  if (!may_export) return null;
  return (
    <Button busy={busy} onClick={run}>
      {export_texts.export}
    </Button>
  );
}
