import { Checkbox } from "@findersfee/ui/components/controls";
import type { Option } from "@findersfee/ui/overlays/items";
import { useState } from "react";
import { AffiliateField } from "../../affiliates/affiliate-field.tsx";
import { useSession } from "../../session/session.tsx";
import { OverrideDialog } from "./override-dialog.tsx";
import { texts } from "./texts.ts";

export interface MoveDialogProps {
  referral: { id: string; email: string };
  /** Chosen at the beginning. */
  affiliate?: Option;
  onClose: () => void;
}

/** Moves a customer to another affiliate. */
export function MoveDialog({ referral, affiliate, onClose }: MoveDialogProps) {
  const { api } = useSession();
  const [chosen, setChosen] = useState<Option | null>(affiliate ?? null);
  const [unpaid_commissions, setUnpaid] = useState(true);
  const name = chosen?.label ?? "";
  return (
    <OverrideDialog
      onClose={onClose}
      title={texts.move_title(referral.email)}
      confirm={texts.move_confirm}
      done={texts.moved(name)}
      choice={chosen === null ? null : `${chosen.value} ${unpaid_commissions}`}
      send={(request) =>
        api.referrals.move.mutate({
          ...request,
          referral_id: referral.id,
          affiliate_id: chosen?.value ?? "",
          unpaid_commissions,
        })
      }
      nothing={texts.move_nothing(name)}
    >
      {(is_missing) => (
        <>
          <AffiliateField
            chosen={chosen}
            onChoose={setChosen}
            error={is_missing ? texts.affiliate_missing : undefined}
            starts_open
          />
          <Checkbox
            label={texts.unpaid}
            hint={texts.unpaid_hint}
            checked={unpaid_commissions}
            onChange={(event) => setUnpaid(event.target.checked)}
          />
        </>
      )}
    </OverrideDialog>
  );
}
