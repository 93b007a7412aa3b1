import { Item, Items, Section } from "@findersfee/ui/components/section";
import { Time } from "@findersfee/ui/components/values";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { type Session, useSession } from "../../session/session.tsx";
import { HEALTH } from "./queries.ts";
import { texts } from "./texts.ts";

function localMailsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, HEALTH, "local_mails"],
    queryFn: ({ signal }) => api.dashboard.health.local_mails.query(undefined, { signal }),
    refetchInterval: 5_000,
  });
}

/** The mails of a service on one machine without a mail server, with their codes and links. */
export function LocalMails() {
  const { data, error, refetch } = useQuery(localMailsQuery(useSession()));
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined || !data.is_local) return null;
  return (
    <Section title={texts.local_mails} hint={texts.local_mails_hint}>
      {data.mails.length === 0 ? (
        <p className="text-muted">{texts.no_local_mails}</p>
      ) : (
        <Items label={texts.local_mails}>
          {data.mails.map(({ id, to, subject, text, composed_at }) => (
            <Item key={id} title={subject} beside={<Time at={composed_at} />}>
              <p dir="ltr" className="wrap-anywhere">
                {texts.mail_to} {to}
              </p>
              <details className="mt-1">
                <summary className="w-fit text-muted hover:text-ink">{texts.mail_text}</summary>
                <p className="mt-2 whitespace-pre-wrap wrap-anywhere text-ink">
                  <Linked text={text} />
                </p>
              </details>
            </Item>
          ))}
        </Items>
      )}
    </Section>
  );
}

/** A text with its addresses as links. */
function Linked({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={index} href={part} className="text-accent underline">
        {part}
      </a>
    ),
  );
}
