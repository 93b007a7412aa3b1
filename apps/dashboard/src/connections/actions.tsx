import { Button } from "@findersfee/ui/components/button";
import { Checkbox, RadioField, TextAreaField } from "@findersfee/ui/components/controls";
import { useNavigation } from "@findersfee/ui/navigation";
import { Menu } from "@findersfee/ui/overlays/menu";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { QuestionDialog } from "../changes/question-dialog.tsx";
import { useSession } from "../session/session.tsx";
import { ApiKey, Secret } from "./connect-form.tsx";
import { CONNECTIONS, type Connection } from "./queries.ts";
import { texts } from "./texts.ts";

type DialogName = "change" | "rotate" | "disconnect";

interface ActionsProps {
  connection: Connection;
  /** Gets a secret that the service has made. */
  onSecret: (secret: string) => void;
}

/** What admins can do with a connection. */
export function ConnectionActions({ connection, onSecret }: ActionsProps) {
  const [open, setOpen] = useState<DialogName | null>(null);
  const dialog = (name: DialogName) => ({ connection, open: open === name, onClose: () => setOpen(null) });
  return (
    <>
      {connection.name === "stripe" && <Button onClick={() => setOpen("change")}>{texts.change}</Button>}
      <Menu
        label={texts.more}
        shape="square"
        align="end"
        items={[
          { kind: "action", id: "rotate", label: texts.rotate, run: () => setOpen("rotate") },
          { kind: "line", id: "line" },
          {
            kind: "action",
            id: "disconnect",
            label: texts.disconnect,
            danger: true,
            run: () => setOpen("disconnect"),
          },
        ]}
      >
        <Ellipsis aria-hidden size={16} />
      </Menu>
      <ChangeDialog {...dialog("change")} />
      <RotateDialog {...dialog("rotate")} onSecret={onSecret} />
      <DisconnectDialog {...dialog("disconnect")} />
    </>
  );
}

interface DialogProps {
  connection: Connection;
  open: boolean;
  onClose: () => void;
}

/** Changes the API key, the mode and the connected accounts. */
function ChangeDialog({ connection, ...dialog }: DialogProps) {
  const { api } = useSession();
  const { name, api_key_last_four, livemode, connected_accounts } = connection;
  const [key, setKey] = useState("keep");
  const has_key = api_key_last_four !== null;
  const change = (form: FormData) =>
    api.dashboard.processors.update.mutate({
      name,
      livemode: !form.has("test_mode"),
      connected_accounts: String(form.get("accounts") ?? "")
        .split(/[\s,]+/)
        .filter(Boolean),
      ...(has_key && key === "keep" ? {} : { api_key: key === "remove" ? null : keyOf(form) }),
    });
  return (
    <QuestionDialog
      {...dialog}
      title={texts.change_title}
      confirm={texts.save}
      done={texts.saved}
      changes={CONNECTIONS}
      fields={has_key && key !== "replace" ? [] : ["api_key"]}
      run={change}
    >
      {(errorOf) => (
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
          <Checkbox
            name="test_mode"
            label={texts.test_mode}
            hint={texts.test_mode_hint}
            defaultChecked={!livemode}
          />
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
      )}
    </QuestionDialog>
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
}: DialogProps & Pick<ActionsProps, "onSecret">) {
  const { api } = useSession();
  const rotate = async (form: FormData) => {
    const pasted = String(form.get("signing_secret") ?? "").trim();
    const { signing_secret } = await api.dashboard.processors.rotate.mutate(
      name === "stripe" ? { name, signing_secret: pasted } : { name },
    );
    if (name === "generic") onSecret(signing_secret);
  };
  return (
    <QuestionDialog
      {...dialog}
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
    </QuestionDialog>
  );
}

function DisconnectDialog({ connection: { name }, ...dialog }: DialogProps) {
  const { api, home } = useSession();
  const { navigate } = useNavigation();
  return (
    <QuestionDialog
      {...dialog}
      title={texts.disconnect_title(texts.names[name])}
      confirm={texts.disconnect_now}
      look="danger"
      done={texts.disconnected}
      changes={CONNECTIONS}
      run={async () => {
        await api.dashboard.processors.disconnect.mutate({ name });
        navigate(`${home}/connections`);
      }}
    >
      <p>{texts.disconnect_hint}</p>
    </QuestionDialog>
  );
}
