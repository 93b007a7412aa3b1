import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import type { ReactNode } from "react";
import type { Invitation, Member } from "./queries.ts";
import { texts } from "./texts.ts";

/** A column with a menu; none for people who may do nothing. */
function menuColumn<Row>(menuOf: ((row: Row) => ReactNode) | null): Column<Row>[] {
  if (menuOf === null) return [];
  return [{ id: "menu", header: "", cell: menuOf, align: "end", narrow: "above-end", width: "w-14" }];
}

export function memberColumns(
  own_id: string,
  { menuOf, needs_app }: { menuOf: (member: Member) => ReactNode; needs_app: boolean },
): Column<Member>[] {
  return [
    {
      id: "name",
      header: texts.name,
      cell: (member) => (
        <span title={member.name}>
          <span dir="auto">{member.name}</span>
          {member.user_id === own_id && <span className="font-normal text-muted"> · {texts.you}</span>}
        </span>
      ),
      narrow: "above",
      strong: true,
    },
    {
      id: "email",
      header: texts.email,
      cell: ({ email }) => <span title={email}>{email}</span>,
      narrow: "below",
    },
    {
      id: "role",
      header: texts.role,
      cell: (member) => (
        <>
          {texts.roles[member.role]}
          {member.is_disabled && <span className="text-bad"> · {texts.disabled}</span>}
        </>
      ),
      narrow: "below-end",
      width: "w-36",
    },
    {
      id: "second_factor",
      header: texts.second_factor,
      cell: ({ has_second_factor, has_authenticator_app }) => {
        if (needs_app && !has_authenticator_app) return <State tone="failed">{texts.required}</State>;
        return has_second_factor ? (
          <State tone="done">{texts.on}</State>
        ) : (
          <State tone="warning">{texts.off}</State>
        );
      },
      width: "w-32",
    },
    {
      id: "last_seen",
      header: texts.last_seen,
      // The service writes it down now and then; who reads this is here.
      cell: ({ user_id, last_seen_at }) => {
        if (user_id === own_id) return texts.seen_now;
        return last_seen_at === null ? texts.never_seen : <Time at={last_seen_at} show="relative" />;
      },
      width: "w-32",
    },
    ...menuColumn(menuOf),
  ];
}

export function invitationColumns(
  menuOf: ((invitation: Invitation) => ReactNode) | null,
): Column<Invitation>[] {
  return [
    {
      id: "email",
      header: texts.email,
      cell: ({ email }) => <span title={email}>{email}</span>,
      narrow: "above",
      strong: true,
    },
    {
      id: "invited_by",
      header: texts.invited_by,
      cell: ({ invited_by }) => <span dir="auto">{invited_by ?? texts.nobody}</span>,
      narrow: "below",
    },
    {
      id: "role",
      header: texts.role,
      cell: ({ role }) => texts.roles[role],
      width: "w-36",
    },
    {
      id: "expires",
      header: texts.expires,
      cell: ({ expires_at }) =>
        Date.parse(expires_at) > Date.now() ? (
          <Time at={expires_at} />
        ) : (
          <span className="text-bad">{texts.expired}</span>
        ),
      narrow: "below-end",
      width: "w-64",
    },
    ...menuColumn(menuOf),
  ];
}
