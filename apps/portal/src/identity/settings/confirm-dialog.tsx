import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import type { Failure } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { FormFailure } from "../sign-in/form-failure.tsx";
import { LayeredDialog } from "./layered-dialog.tsx";
import { leavingQuery, type Owed } from "./queries.ts";
import { useAction } from "./use-action.ts";

/** Shows the affiliate's balances, and asks it to type its address before an end that is hard to undo. */
export function ConfirmDialog({
  title,
  confirm,
  onClose,
  run,
  refuses = () => false,
  children,
}: {
  title: string;
  /** The words of the button. */
  confirm: string;
  onClose: () => void;
  run: (email: string) => Promise<unknown>;
  /** Whether it cannot be done while this is owed. */
  refuses?: (owed: Owed) => boolean;
  children: (owed: Owed) => ReactNode;
}) {
  const { settings, components } = useTexts();
  const { me, program, api } = useSession();
  const { data, error, refetch } = useQuery(leavingQuery(api, program.affiliate_id));
  const form = useId();
  const action = useAction(async (email: string) => {
    try {
      await run(email);
    } catch (failure) {
      await refetch();
      throw failure;
    }
  });
  const is_possible = data !== undefined && !refuses(data.owed);
  return (
    <LayeredDialog
      open
      onClose={onClose}
      title={title}
      locked={action.busy}
      actions={
        <>
          <Button onClick={onClose}>{is_possible ? settings.cancel : components.close}</Button>
          {is_possible && (
            <Button look="danger" type="submit" form={form} busy={action.busy}>
              {confirm}
            </Button>
          )}
        </>
      }
    >
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonRows rows={3} label={components.loading} />}
      {data !== undefined && (
        <div className="grid gap-4">
          {children(data.owed)}
          {is_possible && (
            <AddressForm id={form} email={me.email} failure={action.failure} onConfirm={action.run} />
          )}
        </div>
      )}
    </LayeredDialog>
  );
}

interface AddressFormProps {
  id: string;
  email: string;
  failure: Failure | null;
  onConfirm: (email: string) => Promise<void>;
}

/** Asks the affiliate to type its address. */
function AddressForm({ id, email, failure, onConfirm }: AddressFormProps) {
  const { settings } = useTexts();
  const [typed, setTyped] = useState("");
  const [is_wrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const is_own = typed.trim().toLowerCase() === email;
    setWrong(!is_own);
    if (is_own) void onConfirm(email);
  };
  return (
    <form id={id} onSubmit={submit} noValidate className="grid gap-4">
      <TextField
        label={settings.type_address(email)}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setWrong(false);
        }}
        inputMode="email"
        autoComplete="off"
        required
        error={is_wrong ? settings.type_address_wrong : undefined}
      />
      <FormFailure failure={failure} />
    </form>
  );
}
