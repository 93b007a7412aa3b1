import { Button } from "@findersfee/ui/components/button";
import { RadioField, TextField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useState } from "react";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { useSession } from "../../session/session.tsx";
import { type Invitation, TEAM } from "./queries.ts";
import { RoleField, roleOf } from "./role-field.tsx";
import { texts } from "./texts.ts";

/** A link to pass on; null: the invitation was mailed. */
export type Invited = Pick<Invitation, "email"> & { link: string | null };

export function InviteDialog({
  open,
  onClose,
  onInvited,
}: {
  open: boolean;
  onClose: () => void;
  onInvited: (invited: Invited) => void;
}) {
  const { api } = useSession();
  const [how, setHow] = useState("mail");
  return (
    <OrganizationDialog
      open={open}
      onClose={onClose}
      title={texts.invite_title}
      confirm={texts.invite}
      changes={TEAM}
      fields={["email", "mailed"]}
      run={(form) =>
        api.dashboard.invitations.create.mutate({
          email: String(form.get("email")).trim(),
          role: roleOf(form),
          mailed: how === "mail",
        })
      }
      onDone={onInvited}
    >
      {(errorOf) => {
        const error = errorOf("mailed");
        return (
          <>
            <TextField
              label={texts.email}
              name="email"
              inputMode="email"
              dir="ltr"
              autoComplete="off"
              required
              error={errorOf("email")}
            />
            <RoleField initial="viewer" />
            <RadioField
              label={texts.how}
              name="how"
              choices={[
                { value: "mail", label: texts.by_mail, hint: texts.by_mail_hint },
                { value: "link", label: texts.by_link, hint: texts.by_link_hint },
              ]}
              chosen={how}
              onChoose={setHow}
              {...(error === undefined ? {} : { error })}
            />
          </>
        );
      }}
    </OrganizationDialog>
  );
}

/** Says that an invitation was mailed, or shows its link. */
export function useInvited(): { show: (invited: Invited) => void; dialog: React.ReactNode } {
  const toast = useToast();
  const [invited, setInvited] = useState<Invited | null>(null);
  const link = invited?.link ?? null;
  const close = () => setInvited(null);
  return {
    show: (one) => {
      if (one.link === null) toast({ text: texts.invited });
      else setInvited(one);
    },
    dialog: (
      <Dialog
        open={link !== null}
        onClose={close}
        locked
        title={texts.link_title}
        actions={
          <Button look="solid" onClick={close}>
            {texts.close}
          </Button>
        }
      >
        <p className="wrap-anywhere">{texts.link_hint(invited?.email ?? "")}</p>
        {link !== null && (
          <div className="mt-4 flex flex-wrap items-center gap-2">
            <code
              dir="ltr"
              className="min-w-0 rounded-control bg-sunk px-2 py-1 font-mono text-meta break-all"
            >
              {link}
            </code>
            <CopyButton text={link} />
          </div>
        )}
      </Dialog>
    ),
  };
}

export function RevokeDialog({
  invitation: { id, email },
  ...dialog
}: {
  invitation: Invitation;
  open: boolean;
  onClose: () => void;
}) {
  const { api } = useSession();
  return (
    <OrganizationDialog
      {...dialog}
      title={texts.revoke_title}
      confirm={texts.revoke}
      look="danger"
      done={texts.revoked}
      changes={TEAM}
      run={() => api.dashboard.invitations.revoke.mutate({ id })}
    >
      <p className="wrap-anywhere">{texts.revoke_hint(email)}</p>
    </OrganizationDialog>
  );
}
