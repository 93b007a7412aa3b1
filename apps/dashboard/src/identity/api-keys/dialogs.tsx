import { Checkbox, RadioField, SelectField, TextField } from "@findersfee/ui/components/controls";
import type { Failure } from "@findersfee/ui/requests/failure";
import { useState } from "react";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { useDraft } from "../../forms/use-draft.ts";
import { useMay, useSession } from "../../session/session.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { API_KEYS, type ApiKeyView } from "./queries.ts";
import { texts } from "./texts.ts";

const SECRET_SCOPES = ["read", "write", "view", "admin", "audit"] as const;

const DAY_MILLISECONDS = 86_400_000;

interface DialogProps {
  open: boolean;
  onClose: () => void;
}

/** Creates a key with a name, scopes and an end. */
export function CreateDialog({ open, onClose }: DialogProps) {
  const { api } = useSession();
  const draft = useDraft("new key");
  const create = (form: FormData) => {
    const days = Number(form.get("days"));
    return api.dashboard.api_keys.create.mutate({
      name: String(form.get("name") ?? ""),
      scopes:
        form.get("kind") === "publishable" ? ["track"] : SECRET_SCOPES.filter((scope) => form.has(scope)),
      expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MILLISECONDS).toISOString(),
    });
  };
  return (
    <KeyDialog
      open={open}
      onClose={onClose}
      title={texts.create_title}
      confirm={texts.create}
      run={create}
      draft={draft}
    >
      {(failure) => <NewKeyFields failure={failure} />}
    </KeyDialog>
  );
}

function NewKeyFields({ failure }: { failure: Failure | null }) {
  const is_owner = useMay("owner");
  const [kind, setKind] = useState("secret");
  const issueOf = (field: string) => failure?.issues.find(({ path }) => path === field)?.message;
  return (
    <>
      <TextField
        label={texts.name}
        name="name"
        autoComplete="off"
        hint={texts.name_hint}
        error={issueOf("name")}
      />
      <RadioField
        label={texts.which}
        name="kind"
        choices={[
          { value: "secret", label: texts.kinds.secret, hint: texts.secret_hint },
          { value: "publishable", label: texts.kinds.publishable, hint: texts.publishable_hint },
        ]}
        chosen={kind}
        onChoose={setKind}
      />
      {kind === "secret" && (
        <fieldset className="grid gap-0.5">
          <legend className="mb-1.5 text-table font-medium">{texts.may}</legend>
          {SECRET_SCOPES.filter((scope) => is_owner || scope !== "audit").map((scope) => (
            <Checkbox
              key={scope}
              name={scope}
              label={texts.scope_names[scope]}
              defaultChecked={scope === "read" || scope === "write"}
            />
          ))}
          {issueOf("scopes") !== undefined && <p className="text-table text-bad">{texts.no_scope}</p>}
        </fieldset>
      )}
      <SelectField label={texts.validity} name="days" error={issueOf("expires_at")}>
        {texts.validities.map(({ days, label }) => (
          <option key={days} value={days}>
            {label}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** Replaces a key by another with the same rights; the old one ends after a while. */
export function RotateDialog({ apiKey, ...dialog }: DialogProps & { apiKey: ApiKeyView }) {
  const { api } = useSession();
  return (
    <KeyDialog
      {...dialog}
      title={texts.rotate_title(apiKey.name)}
      confirm={texts.rotate_now}
      run={(form) =>
        api.dashboard.api_keys.rotate.mutate({
          id: apiKey.id,
          overlap_seconds: Number(form.get("overlap_seconds")),
        })
      }
    >
      {() => (
        <SelectField label={texts.old_expires} name="overlap_seconds" hint={texts.rotate_hint}>
          {texts.overlaps.map(({ seconds, label }) => (
            <option key={seconds} value={seconds}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
    </KeyDialog>
  );
}

/** Revokes a key for good, once its name is typed. */
export function RevokeDialog({ apiKey, ...dialog }: DialogProps & { apiKey: ApiKeyView }) {
  const { api } = useSession();
  const [is_wrong, setWrong] = useState(false);
  const { id, name } = apiKey;
  return (
    <OrganizationDialog
      {...dialog}
      title={texts.revoke_title(name)}
      confirm={texts.revoke_now}
      look="danger"
      done={texts.revoked_done}
      changes={API_KEYS}
      accepts={(form) => {
        const is_right = String(form.get("name")).trim() === name.trim();
        setWrong(!is_right);
        return is_right;
      }}
      run={() => api.dashboard.api_keys.revoke.mutate({ id })}
    >
      <p>{texts.revoke_hint}</p>
      <TextField
        label={texts.type_name}
        name="name"
        autoComplete="off"
        placeholder={name}
        error={is_wrong ? texts.wrong_name : undefined}
      />
    </OrganizationDialog>
  );
}
