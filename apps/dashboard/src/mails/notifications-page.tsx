import { SelectField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { Section } from "@findersfee/ui/components/section";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { Page } from "@findersfee/ui/shell/page";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MailSetup } from "../reports/health/mail-setup.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { type Frequency, type Notifications, notificationsQuery, type Topic } from "./queries.ts";
import { texts } from "./texts.ts";

const FREQUENCIES: readonly Frequency[] = ["at_once", "daily", "never"];

const SECTIONS: readonly { title: string; hint?: string; topics: readonly Topic[] }[] = [
  { title: texts.people, hint: texts.bounded, topics: ["applications", "claims"] },
  { title: texts.money, topics: ["payouts", "payout_runs"] },
  { title: texts.developers, topics: ["connections", "endpoints"] },
];

const NONE_UNSENT = { count: 0, since: null };

/** Which emails does the person get? */
export function NotificationsPage() {
  const session = useSession();
  const { data, error, refetch } = useQuery(notificationsQuery(session));
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  return (
    <Page title={texts.title} document_title={`${texts.title} · ${session.organization.name}`} width="text">
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <div className="grid max-w-180 gap-2 pb-4 text-table text-muted">
            <p>{texts.hint(data.email)}</p>
            <p>{texts.timing}</p>
          </div>
          <MailSetup delivery={data.mail_delivery} unsent={NONE_UNSENT} />
          <Choices notifications={data} />
        </>
      )}
    </Page>
  );
}

function Choices({ notifications: { frequencies } }: { notifications: Notifications }) {
  const session = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: (change: Partial<Record<Topic, Frequency>>) =>
      session.api.dashboard.notifications.update.mutate(change),
    // Changes are sent one after another, so each answer has the changes before it.
    scope: { id: "notifications" },
    onSuccess: (saved) => {
      client.setQueryData(notificationsQuery(session).queryKey, saved);
      toast({ text: texts.saved });
    },
  });
  const failure = error === null ? null : failureOf(error);
  const shown = isPending ? { ...frequencies, ...variables } : frequencies;
  return (
    <>
      {failure !== null && <Failure message={failure.message} request_id={failure.request_id} />}
      {SECTIONS.map(({ title, hint, topics }) => (
        <Section key={title} title={title} {...(hint === undefined ? {} : { hint })}>
          {topics.map((topic) => (
            <SelectField
              key={topic}
              label={texts.topics[topic]}
              name={topic}
              value={shown[topic]}
              onChange={({ target: { value } }) => {
                const chosen = FREQUENCIES.find((one) => one === value);
                if (chosen !== undefined) mutate({ [topic]: chosen });
              }}
            >
              {FREQUENCIES.map((frequency) => (
                <option key={frequency} value={frequency}>
                  {texts.frequencies[frequency]}
                </option>
              ))}
            </SelectField>
          ))}
        </Section>
      ))}
    </>
  );
}
