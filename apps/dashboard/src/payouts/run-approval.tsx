import { Button } from "@findersfee/ui/components/button";
import { TextAreaField } from "@findersfee/ui/components/controls";
import { Notice } from "@findersfee/ui/components/notice";
import { Time } from "@findersfee/ui/components/values";
import { useState } from "react";
import { FormDialog } from "../dialogs/form-dialog.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { amountsOf } from "./amounts.ts";
import type { Run } from "./queries.ts";
import { texts } from "./texts.ts";

type Approval = NonNullable<Run["approval"]>;

/** The decision of a second member about a run: to make, or made. */
export function RunApproval({ run, approval }: { run: Run; approval: Approval }) {
  return approval.state === "waiting" ? (
    <Waiting run={run} approval={approval} />
  ) : (
    <Decided approval={approval} />
  );
}

function Decided({ approval: { state, decided_by_name, decided_at, reason } }: { approval: Approval }) {
  const name = decided_by_name ?? texts.former_user;
  return (
    <p className="text-table wrap-anywhere text-muted">
      {state === "approved" ? texts.approved_by(name) : texts.declined_by(name)}
      {decided_at !== null && (
        <>
          , <Time at={decided_at} />
        </>
      )}
      {reason !== null && <span dir="auto">: {reason}</span>}
    </p>
  );
}

function Waiting({ run, approval }: { run: Run; approval: Approval }) {
  const { me } = useSession();
  const [asked, setAsked] = useState<"approve" | "decline" | null>(null);
  const may_decide = useMay("admin");
  const is_own = approval.starter_id === me.user.id;
  const close = () => setAsked(null);
  return (
    <>
      <Notice
        tone="warn"
        title={`${texts.awaiting_approval}: ${amountsOf(approval.totals)}`}
        actions={
          may_decide && (
            <span className="flex flex-wrap gap-2">
              {!is_own && <Button onClick={() => setAsked("approve")}>{texts.approve}</Button>}
              <Button onClick={() => setAsked("decline")}>{texts.decline}</Button>
            </span>
          )
        }
      >
        {is_own ? texts.starter_cannot : texts.needs_approval}
      </Notice>
      <ApproveDialog run={run} approval={approval} open={asked === "approve"} onClose={close} />
      <DeclineDialog run={run} open={asked === "decline"} onClose={close} />
    </>
  );
}

interface DialogProps {
  run: Run;
  open: boolean;
  onClose: () => void;
}

function ApproveDialog({ run, approval, open, onClose }: DialogProps & { approval: Approval }) {
  const { api, organization } = useSession();
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.approve_title}
      confirm={texts.approve_submit}
      done={texts.approved}
      changes={[organization.id]}
      fields={["reason"]}
      run={(form) =>
        api.dashboard.payout_runs.approve.mutate({ id: run.id, reason: String(form.get("reason") ?? "") })
      }
    >
      {(errorOf) => (
        <>
          <p>{texts.approve_hint(amountsOf(approval.totals))}</p>
          <TextAreaField
            label={texts.decision_reason}
            name="reason"
            optional
            maxLength={500}
            error={errorOf("reason")}
          />
        </>
      )}
    </FormDialog>
  );
}

function DeclineDialog({ run, open, onClose }: DialogProps) {
  const { api, organization } = useSession();
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.decline_title}
      confirm={texts.decline_submit}
      look="danger"
      done={texts.was_declined}
      changes={[organization.id]}
      fields={["reason"]}
      run={(form) =>
        api.dashboard.payout_runs.decline.mutate({ id: run.id, reason: String(form.get("reason") ?? "") })
      }
    >
      {(errorOf) => (
        <>
          <p>{texts.decline_hint}</p>
          <TextAreaField
            label={texts.decision_reason}
            name="reason"
            required
            maxLength={500}
            error={errorOf("reason")}
          />
        </>
      )}
    </FormDialog>
  );
}
