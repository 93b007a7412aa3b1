import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { useSession } from "../../session/session.tsx";
import type { Timeline } from "./queries.ts";
import { STATUSES } from "./search.ts";
import { texts } from "./texts.ts";

export interface EditDialogProps {
  referral: Timeline["referral"];
  open: boolean;
  onClose: () => void;
}

/** Changes the email, customer id or status of a referral. Fields that stay are not sent. */
export function EditDialog({ referral, open, onClose }: EditDialogProps) {
  const { api } = useSession();
  const { id, email, processor_customer_id, subscription_status } = referral;
  const run = (form: FormData) => {
    const written = (name: string) => String(form.get(name) ?? "").trim();
    const customer_id = written("processor_customer_id") || null;
    const status = STATUSES.find((item) => item === written("subscription_status"));
    return api.referrals.update.mutate({
      id,
      ...(written("email") === email ? {} : { email: written("email") }),
      ...(customer_id === processor_customer_id ? {} : { processor_customer_id: customer_id }),
      ...(status === undefined || status === subscription_status ? {} : { subscription_status: status }),
    });
  };
  return (
    <OrganizationDialog
      open={open}
      onClose={onClose}
      title={texts.edit_title}
      confirm={texts.save}
      done={texts.saved}
      changes="referrals"
      fields={["email", "processor_customer_id"]}
      run={run}
    >
      {(errorOf) => (
        <>
          <p className="text-muted">{texts.manual_hint}</p>
          <TextField
            label={texts.email}
            name="email"
            inputMode="email"
            autoComplete="off"
            defaultValue={email}
            error={errorOf("email")}
          />
          <TextField
            label={texts.customer_id}
            name="processor_customer_id"
            optional
            autoComplete="off"
            defaultValue={processor_customer_id ?? ""}
            error={errorOf("processor_customer_id")}
          />
          <SelectField label={texts.status} name="subscription_status" defaultValue={subscription_status}>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {texts.statuses[status]}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </OrganizationDialog>
  );
}
