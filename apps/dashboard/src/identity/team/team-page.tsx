import { Button } from "@findersfee/ui/components/button";
import { List } from "@findersfee/ui/lists/list";
import type { MenuItem } from "@findersfee/ui/overlays/items";
import { Menu } from "@findersfee/ui/overlays/menu";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useMemo, useState } from "react";
import { useHistoryItem } from "../../audit-log/link/address.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { memberColumns } from "./columns.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog, useInvited } from "./invite-dialogs.tsx";
import { RemoveDialog, RoleDialog } from "./member-dialogs.tsx";
import { type Member, membersQuery } from "./queries.ts";
import { mayManage, onlyOwner } from "./rights.ts";
import { SessionsDialog } from "./sessions-dialog.tsx";
import { texts } from "./texts.ts";

interface Opened {
  dialog: "role" | "remove" | "sessions";
  member: Member;
}

/** Who works here, and what may they do? */
export function TeamPage() {
  const { organization } = useSession();
  const may_change = useMay("admin");
  const [inviting, setInviting] = useState(false);
  const invited = useInvited();
  return (
    <Page
      title={texts.title}
      document_title={`${texts.title} · ${organization.name}`}
      actions={
        may_change && (
          <Button look="solid" onClick={() => setInviting(true)}>
            {texts.invite}
          </Button>
        )
      }
    >
      {!may_change && <p className="pb-2 text-table text-muted">{texts.read_only}</p>}
      <Members />
      <Invitations onInvited={invited.show} />
      <InviteDialog open={inviting} onClose={() => setInviting(false)} onInvited={invited.show} />
      {invited.dialog}
    </Page>
  );
}

function Members() {
  const session = useSession();
  const { organization, me } = session;
  const { data, error, refetch } = useQuery(membersQuery(session));
  const may_change = useMay("admin");
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const only_owner = data === undefined ? null : onlyOwner(data);
  const only_id = only_owner?.user_id;
  const needs_app = organization.second_factor_required;
  const columns = useMemo(() => {
    const menuOf = (member: Member) => (
      <MemberMenu
        member={member}
        is_own={member.user_id === me.user.id}
        may_change={may_change && mayManage(organization.role, member.role) && member.user_id !== only_id}
        onOpen={setOpened}
      />
    );
    return memberColumns(me.user.id, { menuOf, needs_app });
  }, [organization.role, me.user.id, may_change, only_id, needs_app]);
  const missing = needs_app ? (data ?? []).filter((member) => !member.has_authenticator_app).length : 0;
  return (
    <>
      {missing > 0 && <p className="px-3 pb-2 text-table text-muted">{texts.missing_app(missing)}</p>}
      <List
        label={texts.members}
        columns={columns}
        rows={data}
        keyOf={({ user_id }) => user_id}
        nameOf={({ name }) => name}
        failure={error === null ? undefined : <FailureNotice error={error} onRetry={() => void refetch()} />}
        empty={null}
      />
      {may_change && only_owner !== null && (
        <p className="px-3 pb-4 text-table wrap-anywhere text-muted">{texts.only_owner(only_owner.name)}</p>
      )}
      {opened !== null && (
        <>
          <RoleDialog member={opened.member} open={opened.dialog === "role"} onClose={close} />
          <SessionsDialog member={opened.member} open={opened.dialog === "sessions"} onClose={close} />
          <RemoveDialog member={opened.member} open={opened.dialog === "remove"} onClose={close} />
        </>
      )}
    </>
  );
}

function MemberMenu({
  member,
  is_own,
  may_change,
  onOpen,
}: {
  member: Member;
  is_own: boolean;
  may_change: boolean;
  onOpen: (opened: Opened) => void;
}) {
  const history = useHistoryItem(member.user_id);
  const open = (dialog: Opened["dialog"]) => () => onOpen({ dialog, member });
  const sees_sessions = useMay("owner");
  const sessions: MenuItem = { kind: "action", id: "sessions", label: texts.sessions, run: open("sessions") };
  const changes: MenuItem[] = [
    { kind: "action", id: "role", label: texts.change_role, run: open("role") },
    {
      kind: "action",
      id: "remove",
      label: is_own ? texts.leave : texts.remove,
      danger: true,
      run: open("remove"),
    },
  ];
  return (
    <Menu
      label={texts.more(member.name.slice(0, 100))}
      look="quiet"
      shape="tiny"
      align="end"
      items={[history, ...(sees_sessions ? [sessions] : []), ...(may_change ? changes : [])]}
    >
      <Ellipsis aria-hidden size={16} />
    </Menu>
  );
}
