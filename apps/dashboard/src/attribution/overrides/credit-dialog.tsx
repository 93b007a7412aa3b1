import { Checkbox, TextField } from "@findersfee/ui/components/controls";
import type { Option } from "@findersfee/ui/overlays/items";
import { useState } from "react";
import { AffiliateField } from "../../affiliates/affiliate-field.tsx";
import type { ErrorOf } from "../../forms/field-failures.ts";
import { useSession } from "../../session/session.tsx";
import { OverrideDialog } from "./override-dialog.tsx";
import { texts } from "./texts.ts";

export interface CreditDialogProps {
  processor_payment_id: string;
  /** Chosen at the beginning. */
  affiliate?: Option;
  onClose: () => void;
}

/** Credits an affiliate for a payment that earned nothing. */
export function CreditDialog({ processor_payment_id, affiliate, onClose }: CreditDialogProps) {
  const { api } = useSession();
  const [chosen, setChosen] = useState<Option | null>(affiliate ?? null);
  const [past_payments, setPast] = useState(false);
  const [email, setEmail] = useState("");
  return (
    <OverrideDialog
      onClose={onClose}
      title={texts.credit_title}
      confirm={texts.credit_confirm}
      done={texts.credited(chosen?.label ?? "")}
      choice={chosen === null ? null : `${chosen.value} ${past_payments} ${email}`}
      send={(request) =>
        api.affiliates.credit.mutate({
          ...request,
          ...(email === "" ? {} : { email }),
          processor_payment_id,
          affiliate_id: chosen?.value ?? "",
          past_payments,
        })
      }
      nothing={texts.credit_nothing}
    >
      {(is_missing, errorOf) => (
        <>
          <AffiliateField
            chosen={chosen}
            onChoose={setChosen}
            error={is_missing ? texts.affiliate_missing : undefined}
            starts_open={affiliate === undefined}
          />
          <Checkbox
            label={texts.past}
            checked={past_payments}
            onChange={(event) => setPast(event.target.checked)}
          />
          <EmailField email={email} onChange={setEmail} errorOf={errorOf} />
        </>
      )}
    </OverrideDialog>
  );
}

/** Only once the service asks for it. */
function EmailField({
  email,
  onChange,
  errorOf,
}: {
  email: string;
  onChange: (email: string) => void;
  errorOf: ErrorOf;
}) {
  const error = errorOf("email");
  if (email === "" && error === undefined) return null;
  return (
    <TextField
      label={texts.email}
      name="email"
      inputMode="email"
      autoComplete="off"
      required
      hint={texts.email_hint}
      error={email === "" ? undefined : error}
      defaultValue={email}
      // The text is no email before the person has typed all of it.
      onBlur={(event) => onChange(event.target.value.trim())}
    />
  );
}
