import { Button } from "@findersfee/ui/components/button";
import { useClock } from "@findersfee/ui/components/clock";
import { Notice } from "@findersfee/ui/components/notice";
import { Item, Items, Section } from "@findersfee/ui/components/section";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { formatDateTime } from "@findersfee/ui/formats/dates";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMay, useSession } from "../../session/session.tsx";
import { mailName } from "./mail-names.ts";
import { MailSetup } from "./mail-setup.tsx";
import { HEALTH, type Health } from "./queries.ts";
import { texts } from "./texts.ts";

/** Whether mails are sent; those that the mail server refused for good, and those that wait for the next day's quota. */
export function Mails({ health }: { health: Health }) {
  const { given_up_mails: mails, mails_awaiting_quota: waiting, mails_wait_until: until } = health;
  const { mail_delivery, unsent_mails } = health;
  const clock = useClock();
  const { api, organization } = useSession();
  const may_send = useMay("admin");
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: (ids: string[]) => api.dashboard.health.retry_mails.mutate({ ids }),
    onSuccess: ({ retried }) => {
      toast({ text: texts.sent_again(retried) });
      return client.invalidateQueries({ queryKey: [organization.id, HEALTH] });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return (
    <Section title={texts.mails} hint={mails.length === 0 ? undefined : texts.mails_hint}>
      <MailSetup delivery={mail_delivery} unsent={unsent_mails} />
      {until !== null && waiting > 0 && (
        <Notice tone="warn" title={texts.mails_waiting(waiting, formatDateTime(new Date(until), clock))}>
          {texts.mails_waiting_hint}
        </Notice>
      )}
      {mails.length === 0 ? (
        mail_delivery === "sent" && unsent_mails.count === 0 && <State tone="done">{texts.no_mails}</State>
      ) : (
        <Items label={texts.mails}>
          {mails.map(({ id, kind, recipient, reason, given_up_at }) => (
            <Item
              key={id}
              title={mailName(kind)}
              beside={<span dir="ltr">{recipient ?? texts.no_address}</span>}
              actions={
                may_send && (
                  <Button busy={isPending} onClick={() => mutate([id])}>
                    {texts.send_again}
                  </Button>
                )
              }
            >
              <p className="wrap-anywhere">{reason}</p>
              {given_up_at !== null && <Time at={given_up_at} />}
            </Item>
          ))}
        </Items>
      )}
      {may_send && mails.length > 1 && (
        <div>
          <Button busy={isPending} onClick={() => mutate(mails.map(({ id }) => id))}>
            {texts.send_all_again}
          </Button>
        </div>
      )}
    </Section>
  );
}
