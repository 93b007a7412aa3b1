import { TextAreaField } from "@findersfee/ui/components/controls";
import { Money, Untrusted } from "@findersfee/ui/components/values";
import { useQuery } from "@tanstack/react-query";
import { nameOf } from "../affiliates/name.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { BULK_PART } from "../session/bulk-change.ts";
import { useSession } from "../session/session.tsx";
import type { CommissionRow } from "./queries.ts";
import { review_texts } from "./review-texts.ts";

export type Rejected = Pick<CommissionRow, "affiliate" | "commission_amount" | "currency">;

/** Affiliates that the dialog names. */
const NAMED = 5;

export interface RejectDialogProps {
  /** The commissions. */
  ids: readonly string[];
  /** The rejected commissions; null: not all of them are known in full. */
  losses: readonly Rejected[] | null;
  open: boolean;
  onClose: () => void;
  onReject: (reason: string) => void;
}

/** Asks why commissions are rejected, and says which affiliate and which recruiter loses how much. */
export function RejectDialog({ ids, losses, open, onClose, onReject }: RejectDialogProps) {
  const recruiters = useRecruiters(ids);
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={review_texts.reject_title(ids.length)}
      submit={review_texts.reject_confirm}
      look="danger"
      busy={false}
      onSubmit={(form) => {
        const reason = String(form.get("reason") ?? "").trim();
        if (reason === "") return;
        onClose();
        onReject(reason);
      }}
    >
      {losses !== null && <Losses rows={losses} label={review_texts.costs} says={review_texts.loses} />}
      {recruiters === null ? (
        <p className="text-muted">{review_texts.recruiters_lose}</p>
      ) : (
        recruiters.length > 0 && (
          <Losses
            rows={recruiters}
            label={review_texts.costs_recruiters}
            says={review_texts.loses_as_recruiter}
          />
        )
      )}
      <p className="text-muted">{review_texts.reject_hint}</p>
      <TextAreaField
        label={review_texts.reason}
        name="reason"
        required
        maxLength={500}
        hint={review_texts.reason_hint}
      />
    </FormDialog>
  );
}

/** The shares of recruiters, which are voided, too; none until they are loaded. Null: they are too many, or could not be loaded. */
function useRecruiters(ids: readonly string[]): readonly Rejected[] | null {
  const { api, organization } = useSession();
  const is_askable = ids.length <= BULK_PART;
  const { data, isError } = useQuery({
    queryKey: [organization.id, "commissions", "recruiter_losses", ids],
    queryFn: ({ signal }) => api.dashboard.commissions.recruiter_losses.query({ ids: [...ids] }, { signal }),
    enabled: is_askable,
  });
  return !is_askable || isError ? null : (data ?? []);
}

interface LossesProps {
  rows: readonly Rejected[];
  label: string;
  says: (name: string) => string;
}

/** The sum of each affiliate in a currency, the largest first. */
function Losses({ rows, label, says }: LossesProps) {
  const losses = lossesOf(rows);
  const others = losses.length - NAMED;
  return (
    <ul className="grid gap-1 rounded-card border border-line p-3" aria-label={label}>
      {losses.slice(0, NAMED).map(({ key, name, amount, currency }) => (
        <li key={key} className="flex justify-between gap-4">
          <Untrusted lines={1}>{says(name)}</Untrusted>
          <span className="font-medium">
            <Money amount={amount} currency={currency} />
          </span>
        </li>
      ))}
      {others > 0 && <li className="text-muted">{review_texts.others(others)}</li>}
    </ul>
  );
}

function lossesOf(rows: readonly Rejected[]) {
  const sums = new Map<string, { key: string; name: string; amount: number; currency: string }>();
  for (const { affiliate, commission_amount, currency } of rows) {
    const key = `${affiliate.id} ${currency}`;
    const sum = sums.get(key) ?? { key, name: nameOf(affiliate), amount: 0, currency };
    // No currency has more decimals.
    sums.set(key, { ...sum, amount: Number((sum.amount + commission_amount).toFixed(3)) });
  }
  return [...sums.values()].sort((a, b) => b.amount - a.amount);
}
