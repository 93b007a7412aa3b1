import { Button } from "@findersfee/ui/components/button";
import { SelectField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useMay, useSession } from "../../session/session.tsx";
import type { BacktestInput } from "./queries.ts";
import { texts } from "./texts.ts";

const PERIODS = [3, 6, 12, 24];

interface TryOnPastPaymentsProps {
  draft: Omit<BacktestInput, "months">;
  /** The campaign with the page of the result. */
  campaign_id: string;
}

/** Starts a backtest of a draft of a campaign or of an affiliate's own rules, and leads to its result. */
export function TryOnPastPayments({ draft, campaign_id }: TryOnPastPaymentsProps) {
  const { api, home, organization } = useSession();
  const may_start = useMay("admin");
  const navigate = useNavigate();
  const client = useQueryClient();
  const [months, setMonths] = useState(12);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.backtests.create.mutate({ ...draft, months }),
    onSuccess: async ({ id }) => {
      void client.invalidateQueries({ queryKey: [organization.id, "jobs"] });
      await navigate({ to: `${home}/campaigns/${campaign_id}/backtests/${id}` });
    },
  });
  if (!may_start) return null;
  const failure = error === null ? null : failureOf(error);
  return (
    <div className="grid gap-3">
      {failure !== null && (
        <Failure message={failure.issues[0]?.message ?? failure.message} request_id={failure.request_id} />
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
        <SelectField
          label={texts.months}
          value={String(months)}
          onChange={({ target }) => setMonths(Number(target.value))}
        >
          {PERIODS.map((period) => (
            <option key={period} value={period}>
              {texts.period_of(period)}
            </option>
          ))}
        </SelectField>
        <Button busy={isPending} onClick={() => mutate()}>
          {texts.try}
        </Button>
      </div>
      <p className="text-table text-muted">{texts.try_hint}</p>
    </div>
  );
}
