import { List } from "@findersfee/ui/lists/list";
import { Menu } from "@findersfee/ui/overlays/menu";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { invitationColumns } from "./columns.tsx";
import { type Invited, RevokeDialog } from "./invite-dialogs.tsx";
import { type Invitation, invitationsQuery, TEAM } from "./queries.ts";
import { mayManage } from "./rights.ts";
import { texts } from "./texts.ts";

/** Invitations that nobody has accepted; nothing if there are none. */
export function Invitations({ onInvited }: { onInvited: (invited: Invited) => void }) {
  const session = useSession();
  const { organization } = session;
  const { data, error, refetch } = useQuery(invitationsQuery(session));
  const may_change = useMay("admin");
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  if (error === null && (data === undefined || data.length === 0)) return null;
  const menuOf = (invitation: Invitation) =>
    mayManage(organization.role, invitation.role) && (
      <InvitationMenu invitation={invitation} onInvited={onInvited} onRevoke={setRevoking} />
    );
  return (
    <section className="pt-4">
      <h2 className="pb-1 font-semibold">{texts.invitations}</h2>
      <List
        label={texts.invitations}
        columns={invitationColumns(may_change ? menuOf : null)}
        rows={data}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email}
        failure={error === null ? undefined : <FailureNotice error={error} onRetry={() => void refetch()} />}
        empty={null}
      />
      {revoking !== null && <RevokeDialog invitation={revoking} open onClose={() => setRevoking(null)} />}
    </section>
  );
}

interface InvitationMenuProps {
  invitation: Invitation;
  onInvited: (invited: Invited) => void;
  onRevoke: (invitation: Invitation) => void;
}

/** Another invitation of an address replaces the open one. */
function InvitationMenu({ invitation, onInvited, onRevoke }: InvitationMenuProps) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { email, role, mailed } = invitation;
  const { mutate } = useMutation({
    mutationFn: () => api.dashboard.invitations.create.mutate({ email, role, mailed }),
    onSuccess: (invited) => {
      onInvited(invited);
      return client.invalidateQueries({ queryKey: [organization.id, TEAM] });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return (
    <Menu
      label={texts.more(email.slice(0, 100))}
      look="quiet"
      shape="tiny"
      align="end"
      items={[
        {
          kind: "action",
          id: "again",
          label: mailed ? texts.send_again : texts.new_link,
          run: () => mutate(),
        },
        { kind: "action", id: "revoke", label: texts.revoke, danger: true, run: () => onRevoke(invitation) },
      ]}
    >
      <Ellipsis aria-hidden size={16} />
    </Menu>
  );
}
