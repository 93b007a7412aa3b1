import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { Item, Items, Section } from "@findersfee/ui/components/section";
import { Time } from "@findersfee/ui/components/values";
import { deviceOf } from "@findersfee/ui/formats/device";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import { account } from "../../requests/account.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { canUsePasskeys } from "../entrance/passkey-support.ts";
import { createPasskey } from "./create-passkey.ts";
import { accountKey, type Passkey, passkeysQuery } from "./queries.ts";
import { useSensitive } from "./sensitive.tsx";
import { texts } from "./texts.ts";

type Asked = "add" | { kind: "rename" | "remove"; passkey: Passkey } | null;

export function Passkeys() {
  const { data, error, refetch } = useQuery(passkeysQuery);
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  return (
    <Section title={texts.passkeys} hint={texts.passkeys_hint}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && (
        <Items label={texts.passkeys}>
          {data.map((passkey) => (
            <Item
              key={passkey.id}
              title={passkey.name}
              beside={passkey.is_backed_up ? texts.backed_up : undefined}
              actions={
                <>
                  <Button look="quiet" onClick={() => setAsked({ kind: "rename", passkey })}>
                    {texts.rename}
                  </Button>
                  <Button look="danger" onClick={() => setAsked({ kind: "remove", passkey })}>
                    {texts.remove}
                  </Button>
                </>
              }
            >
              <PasskeyUse passkey={passkey} />
            </Item>
          ))}
        </Items>
      )}
      {data !== undefined && (
        <div>
          {canUsePasskeys() ? (
            <Button onClick={() => setAsked("add")}>{texts.add_passkey}</Button>
          ) : (
            <p className="text-table text-muted">{texts.no_passkeys_here}</p>
          )}
        </div>
      )}
      <AddDialog open={asked === "add"} onClose={close} />
      <ChangeDialogs asked={asked} onClose={close} />
    </Section>
  );
}

function PasskeyUse({ passkey: { created_at, last_used_at } }: { passkey: Passkey }) {
  return (
    <>
      {texts.added} <Time at={created_at} show="day" />
      {" · "}
      {last_used_at === null ? (
        texts.never_used
      ) : (
        <>
          {texts.last_used} <Time at={last_used_at} />
        </>
      )}
    </>
  );
}

interface DialogProps {
  open: boolean;
  onClose: () => void;
}

function AddDialog({ open, onClose }: DialogProps) {
  const runSensitive = useSensitive();
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.add_passkey}
      confirm={texts.continue}
      done={texts.passkey_added}
      changes={accountKey}
      fields={["name"]}
      run={(form) => runSensitive(() => addNamed(String(form.get("name"))))}
    >
      {(errorOf) => (
        <TextField
          label={texts.passkey_name}
          name="name"
          autoComplete="off"
          hint={texts.passkey_name_hint}
          defaultValue={deviceOf(navigator.userAgent) ?? ""}
          required
          error={errorOf("name")}
        />
      )}
    </FormDialog>
  );
}

/** The browser says only in its own words why it made no passkey. */
async function addNamed(name: string): Promise<unknown> {
  try {
    return await createPasskey(name);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new Error(error.name === "InvalidStateError" ? texts.passkey_exists : texts.passkey_not_made);
  }
}

/** Renames or removes a passkey. */
function ChangeDialogs({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const runSensitive = useSensitive();
  const passkey = typeof asked === "object" ? asked?.passkey : undefined;
  const kind = typeof asked === "object" ? asked?.kind : undefined;
  const { id = "", name = "" } = passkey ?? {};
  return (
    <>
      <FormDialog
        open={kind === "rename"}
        onClose={onClose}
        title={texts.rename_passkey}
        confirm={texts.save}
        changes={accountKey}
        fields={["name"]}
        run={(form) => account.passkeys.rename.mutate({ id, name: String(form.get("name")) })}
      >
        {(errorOf) => (
          <TextField
            label={texts.passkey_name}
            name="name"
            autoComplete="off"
            defaultValue={name}
            required
            error={errorOf("name")}
          />
        )}
      </FormDialog>
      <FormDialog
        open={kind === "remove"}
        onClose={onClose}
        title={texts.remove_passkey}
        confirm={texts.remove}
        look="danger"
        done={texts.passkey_removed}
        changes={accountKey}
        run={() => runSensitive(() => account.passkeys.delete.mutate({ id }))}
      >
        <p className="wrap-anywhere">{texts.remove_passkey_hint(name)}</p>
      </FormDialog>
    </>
  );
}
