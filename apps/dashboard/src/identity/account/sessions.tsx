import { Button } from "@findersfee/ui/components/button";
import { Item, Items, Section } from "@findersfee/ui/components/section";
import { Time } from "@findersfee/ui/components/values";
import { deviceOf } from "@findersfee/ui/formats/device";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import { account } from "../../requests/account.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { accountKey, sessionsQuery, type UserSession } from "./queries.ts";
import { texts } from "./texts.ts";

export function Sessions() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [open, setOpen] = useState(false);
  const others = data?.filter(({ is_current }) => !is_current).length ?? 0;
  return (
    <Section title={texts.sessions} hint={texts.sessions_hint}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Items label={texts.sessions}>
          {data
            .toSorted((one, other) => Number(other.is_current) - Number(one.is_current))
            .map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
        </Items>
      )}
      {others > 0 && (
        <div>
          <Button look="danger" onClick={() => setOpen(true)}>
            {texts.end_others}
          </Button>
        </div>
      )}
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title={texts.end_others_title}
        confirm={texts.end_others}
        look="danger"
        done={texts.others_ended}
        changes={accountKey}
        run={() => account.sessions.end_others.mutate({})}
      >
        <p>{texts.end_others_hint(others)}</p>
      </FormDialog>
    </Section>
  );
}

function SessionItem({ session }: { session: UserSession }) {
  const { id, is_current, ip_address, user_agent, created_at, last_used_at } = session;
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => account.sessions.end.mutate({ id }),
    onSuccess: () => {
      toast({ text: texts.session_ended });
      return client.invalidateQueries({ queryKey: accountKey });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  const device = deviceOf(user_agent) ?? texts.unknown_device;
  return (
    <Item
      title={<span title={user_agent ?? undefined}>{device}</span>}
      beside={is_current ? texts.this_browser : undefined}
      actions={
        !is_current && (
          <Button busy={isPending} onClick={() => mutate()} aria-label={texts.end_session(device)}>
            {texts.end}
          </Button>
        )
      }
    >
      {ip_address !== null && <span dir="ltr">{ip_address} · </span>}
      {texts.signed_in} <Time at={created_at} show="day" />
      {!is_current && (
        <>
          {" · "}
          {texts.last_used} <Time at={last_used_at} />
        </>
      )}
    </Item>
  );
}
