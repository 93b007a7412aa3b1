import { useNavigation } from "@findersfee/ui/navigation";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { meQuery, useSession } from "../../session/session.tsx";
import { choiceIn, MemberAccess } from "./member-access.tsx";
import { type Member, TEAM } from "./queries.ts";
import { RoleField, roleOf } from "./role-field.tsx";
import { texts } from "./texts.ts";

interface DialogProps {
  member: Member;
  open: boolean;
  onClose: () => void;
}

export function RoleDialog({ member, ...dialog }: DialogProps) {
  const { user_id, name, role } = member;
  const { api, me } = useSession();
  const [chosen, setChosen] = useState(role);
  const client = useQueryClient();
  return (
    <OrganizationDialog
      {...dialog}
      title={texts.change_role_title(name)}
      confirm={texts.save}
      done={texts.role_changed}
      changes={TEAM}
      run={(form) => api.dashboard.members.change.mutate({ user_id, role: roleOf(form), ...choiceIn(form) })}
      onDone={() => {
        if (user_id === me.user.id) void client.invalidateQueries(meQuery);
      }}
    >
      <RoleField initial={role} onChoose={setChosen} />
      {chosen !== role && <MemberAccess member={member} new_role={chosen} />}
    </OrganizationDialog>
  );
}

/** Removes another person, or oneself. */
export function RemoveDialog({ member, ...dialog }: DialogProps) {
  const { user_id, name } = member;
  const { api, me, organization } = useSession();
  const { navigate } = useNavigation();
  const client = useQueryClient();
  const is_own = user_id === me.user.id;
  return (
    <OrganizationDialog
      {...dialog}
      title={is_own ? texts.leave_title(organization.name) : texts.remove_title(name)}
      confirm={is_own ? texts.leave : texts.remove}
      look="danger"
      done={texts.removed}
      changes={TEAM}
      run={(form) => api.dashboard.members.remove.mutate({ user_id, ...choiceIn(form) })}
      onDone={() => {
        if (!is_own) return;
        client.clear();
        navigate("/");
      }}
    >
      <p className="wrap-anywhere">{is_own ? texts.leave_hint : texts.remove_hint(organization.name)}</p>
      {dialog.open && <MemberAccess member={member} new_role={null} />}
    </OrganizationDialog>
  );
}
