import { Button } from "@findersfee/ui/components/button";
import { Item, Items } from "@findersfee/ui/components/section";
import { Time } from "@findersfee/ui/components/values";
import { deviceOf } from "@findersfee/ui/formats/device";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { type Member, memberSessionsQuery, TEAM } from "./queries.ts";
import { texts } from "./texts.ts";

/** The open sessions of a member, for owners, who end one or all. */
export function SessionsDialog({
  member: { user_id, name },
  ...dialog
}: {
  member: Member;
  open: boolean;
  onClose: () => void;
}) {
  const session = useSession();
  const { data, error, refetch } = useQuery({
    ...memberSessionsQuery(session, user_id),
    enabled: dialog.open,
  });
  const { end, is_running } = useEnd(user_id);
  return (
    <OrganizationDialog
      {...dialog}
      title={texts.sessions_title(name)}
      confirm={texts.end_all}
      look="danger"
      done={texts.sessions_ended}
      changes={TEAM}
      run={() => session.api.dashboard.members.end_sessions.mutate({ user_id })}
    >
      <p>{texts.sessions_hint}</p>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p>{texts.no_sessions}</p>}
      {data !== undefined && data.length > 0 && (
        <Items label={texts.sessions_title(name)}>
          {data.map(({ id, ip_address, user_agent, created_at, last_used_at }) => {
            const device = deviceOf(user_agent) ?? texts.unknown_device;
            return (
              <Item
                key={id}
                title={<span title={user_agent ?? undefined}>{device}</span>}
                actions={
                  <Button busy={is_running} onClick={() => end(id)} aria-label={texts.end_session(device)}>
                    {texts.end}
                  </Button>
                }
              >
                {ip_address !== null && <span dir="ltr">{ip_address} · </span>}
                {texts.signed_in} <Time at={created_at} show="day" /> · {texts.last_used}{" "}
                <Time at={last_used_at} />
              </Item>
            );
          })}
        </Items>
      )}
    </OrganizationDialog>
  );
}

function useEnd(user_id: string): { end: (id: string) => void; is_running: boolean } {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string) => api.dashboard.members.end_sessions.mutate({ user_id, id }),
    onSuccess: () => {
      toast({ text: texts.session_ended });
      return client.invalidateQueries({ queryKey: [organization.id, TEAM] });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return { end: mutate, is_running: isPending };
}
