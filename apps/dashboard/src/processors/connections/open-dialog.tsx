import { Checkbox, RadioField, TextAreaField } from "@findersfee/ui/components/controls";
import { useNavigation } from "@findersfee/ui/navigation";
import { useState } from "react";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import type { SavedTexts } from "../../forms/changed-fields.ts";
import { DraftNotes } from "../../forms/draft-notes.tsx";
import type { ErrorOf } from "../../forms/field-failures.ts";
import { useDraft } from "../../forms/use-draft.ts";
import { useSession } from "../../session/session.tsx";
import { ApiKey, Secret } from "./connect-form.tsx";
import { CONNECTIONS, type Connection } from "./queries.ts";
import { texts } from "./texts.ts";

export type DialogName = "change" | "rotate" | "disconnect";

interface DialogProps {
  connection: Connection;
  onClose: () => void;
}

export interface OpenDialogProps extends DialogProps {
  name: DialogName;
  /** Gets a secret that the service has made. */
  onSecret: (secret: string) => void;
}

/** The dialog that somebody opened. */
export function OpenDialog({ name, onSecret, ...dialog }: OpenDialogProps) {
  switch (name) {
    case "change":
      return <ChangeDialog {...dialog} />;
    case "rotate":
      return <RotateDialog {...dialog} onSecret={onSecret} />;
    case "disconnect":
      return <DisconnectDialog {...dialog} />;
  }
}

/** Changes the API key, the mode and the connected accounts. */
function ChangeDialog({ connection, ...dialog }: DialogProps) {
  const { api } = useSession();
  const { name, api_key_last_four } = connection;
  const draft = useDraft("change", savedTexts(connection));
  const change = (form: FormData) =>
    api.dashboard.processors.update.mutate({
      name,
      ...(draft.isChanged("test_mode") ? { livemode: !form.has("test_mode") } : {}),
      ...(draft.isChanged("accounts") ? { connected_accounts: accountsOf(form) } : {}),
      ...(api_key_last_four !== null && form.get("key") === "keep"
        ? {}
        : { api_key: form.get("key") === "remove" ? null : keyOf(form) }),
    });
  return (
    <OrganizationDialog
      {...dialog}
      open
      title={texts.change_title}
      confirm={texts.save}
      done={texts.saved}
      changes={CONNECTIONS}
      fields={["api_key"]}
      run={change}
      draft={draft}
    >
      {(errorOf) => (
        <>
          <DraftNotes draft={draft} />
          <ConnectionFields connection={connection} errorOf={errorOf} />
        </>
      )}
    </OrganizationDialog>
  );
}

/** The values of a saved connection, by the names of their controls. */
function savedTexts({ livemode, connected_accounts }: Connection): SavedTexts {
  return (field) => {
    if (field === "test_mode") return livemode ? [] : ["on"];
    return field === "accounts" ? [connected_accounts.join("\n")] : undefined;
  };
}

function accountsOf(form: FormData): string[] {
  return String(form.get("accounts") ?? "")
    .split(/[\s,]+/)
    .filter(Boolean);
}

function ConnectionFields({ connection, errorOf }: Pick<DialogProps, "connection"> & { errorOf: ErrorOf }) {
  const { api_key_last_four, livemode, connected_accounts } = connection;
  const [key, setKey] = useState("keep");
  const has_key = api_key_last_four !== null;
  return (
    <>
      {has_key && (
        <RadioField
          label={`${texts.key}: ${texts.key_ends(api_key_last_four)}`}
          name="key"
          choices={[
            { value: "keep", label: texts.keep_key },
            { value: "replace", label: texts.replace_key },
            { value: "remove", label: texts.remove_key },
          ]}
          chosen={key}
          onChoose={setKey}
        />
      )}
      {(!has_key || key === "replace") && <ApiKey error={errorOf("api_key")} />}
      {connection.endpoint_state === null && (
        <Checkbox
          name="test_mode"
          label={texts.test_mode}
          hint={texts.test_mode_hint}
          defaultChecked={!livemode}
        />
      )}
      <TextAreaField
        label={texts.account_ids}
        name="accounts"
        optional
        dir="ltr"
        spellCheck={false}
        defaultValue={connected_accounts.join("\n")}
        hint={texts.account_ids_hint}
      />
    </>
  );
}

function keyOf(form: FormData): string | null {
  const key = String(form.get("api_key") ?? "").trim();
  return key === "" ? null : key;
}

function RotateDialog({
  connection: { name },
  onSecret,
  ...dialog
}: DialogProps & Pick<OpenDialogProps, "onSecret">) {
  const { api } = useSession();
  const rotate = async (form: FormData) => {
    const pasted = String(form.get("signing_secret") ?? "").trim();
    const { signing_secret } = await api.dashboard.processors.rotate.mutate(
      name === "stripe" ? { name, signing_secret: pasted } : { name },
    );
    if (name === "generic") onSecret(signing_secret);
  };
  return (
    <OrganizationDialog
      {...dialog}
      open
      title={texts.rotate_title}
      confirm={texts.rotate_now}
      done={texts.saved}
      changes={CONNECTIONS}
      fields={["signing_secret"]}
      run={rotate}
    >
      {(errorOf) => (
        <>
          <p>{name === "stripe" ? texts.rotate_stripe : texts.rotate_generic}</p>
          {name === "stripe" && <Secret error={errorOf("signing_secret")} />}
        </>
      )}
    </OrganizationDialog>
  );
}

function DisconnectDialog({ connection: { name, endpoint_id }, ...dialog }: DialogProps) {
  const { api, home } = useSession();
  const { navigate } = useNavigation();
  return (
    <OrganizationDialog
      {...dialog}
      open
      title={texts.disconnect_title(texts.names[name])}
      confirm={texts.disconnect_now}
      look="danger"
      done={endpoint_id === null ? texts.disconnected : texts.disconnecting}
      changes={CONNECTIONS}
      run={async () => {
        await api.dashboard.processors.disconnect.mutate({ name });
        navigate(`${home}/connections`);
      }}
    >
      <p>
        {texts.disconnect_hint} {endpoint_id !== null && texts.disconnect_endpoint}
      </p>
    </OrganizationDialog>
  );
}
