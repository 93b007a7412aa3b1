import { Button } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { useState } from "react";
import { useMay } from "../session/session.tsx";
import { MoveDialog } from "./dialogs.tsx";
import type { Run } from "./queries.ts";
import { ReportStep } from "./report-step.tsx";
import { run_texts } from "./run-texts.ts";
import { SendStep } from "./send-step.tsx";
import { texts } from "./texts.ts";
import { countsOf } from "./totals.ts";
import { MAX_MOVED } from "./use-move.ts";

/** From the finished run to the paid one: send, import the report, finish. */
export function RunSteps({ run }: { run: Run }) {
  return (
    <ol className="grid grid-cols-1 gap-4 full:grid-cols-3">
      <li className="grid min-w-0">
        <Card title={run_texts.step_send}>
          <SendStep run={run} />
        </Card>
      </li>
      <li className="grid min-w-0">
        <Card title={run_texts.step_report}>
          <ReportStep run={run} />
        </Card>
      </li>
      <li className="grid min-w-0">
        <Card title={run_texts.step_done}>
          <DoneStep run={run} />
        </Card>
      </li>
    </ol>
  );
}

function DoneStep({ run }: { run: Run }) {
  const may_move = useMay("admin");
  const [moving, setMoving] = useState(false);
  const { open, failed } = countsOf(run);
  return (
    <div className="grid justify-items-start gap-3 text-table">
      {failed > 0 && <p className="text-muted">{texts.failed_back}</p>}
      {open === 0 && <p className="text-muted">{run_texts.nothing_open}</p>}
      {open > MAX_MOVED && may_move && <p className="text-muted">{run_texts.too_many_open}</p>}
      {open > 0 && open <= MAX_MOVED && may_move && (
        <>
          <p className="text-muted">{run_texts.done_hint}</p>
          <Button onClick={() => setMoving(true)}>{run_texts.mark_open(open)}</Button>
          <MoveDialog
            payouts={{ run_id: run.id, count: open }}
            open={moving}
            onClose={() => setMoving(false)}
          />
        </>
      )}
    </div>
  );
}
