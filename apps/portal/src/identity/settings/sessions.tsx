import { Button } from "@findersfee/ui/components/button";
import { Item, Items, Section } from "@findersfee/ui/components/section";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { deviceOf } from "@findersfee/ui/formats/device";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../../language/language.tsx";
import { useFormats } from "../../language/use-formats.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { portal } from "../../requests/portal.ts";
import { FormFailure } from "../sign-in/form-failure.tsx";
import { Done } from "./done.tsx";
import { type PortalSession, sessionsQuery } from "./queries.ts";
import { useAction } from "./use-action.ts";

/** The browsers in which the person is signed in. */
export function Sessions() {
  const { settings, components } = useTexts();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(sessionsQuery);
  const { run, busy, failure, is_done } = useAction(async () => {
    await portal.sessions.end_others.mutate({});
    await client.invalidateQueries(sessionsQuery);
  });
  const sessions = (data ?? []).toSorted((one, other) => Number(other.is_current) - Number(one.is_current));
  return (
    <Section title={settings.sessions} hint={settings.sessions_hint}>
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonRows rows={2} label={components.loading} />}
      {data !== undefined && (
        <Items label={settings.sessions}>
          {sessions.map((session) => (
            <Session key={session.id} session={session} />
          ))}
        </Items>
      )}
      <FormFailure failure={failure} />
      <div className="flex flex-wrap items-center gap-3">
        {sessions.length > 1 && (
          <Button look="danger" busy={busy} onClick={run}>
            {settings.end_others}
          </Button>
        )}
        <Done text={is_done ? settings.others_ended : null} />
      </div>
    </Section>
  );
}

function Session({
  session: { id, is_current, ip_address, user_agent, created_at, last_used_at },
}: {
  session: PortalSession;
}) {
  const { settings } = useTexts();
  const { day } = useFormats();
  const client = useQueryClient();
  const { run, busy, failure } = useAction(async () => {
    await portal.sessions.end.mutate({ id });
    await client.invalidateQueries(sessionsQuery);
  });
  const device = deviceOf(user_agent, settings.device) ?? settings.unknown_device;
  return (
    <Item
      title={<span title={user_agent ?? undefined}>{device}</span>}
      beside={is_current ? settings.this_browser : undefined}
      actions={
        !is_current && (
          <Button busy={busy} onClick={run} aria-label={settings.end_session(device)}>
            {settings.end}
          </Button>
        )
      }
    >
      {ip_address !== null && <span dir="ltr">{ip_address} · </span>}
      {settings.signed_in(day(created_at))}
      {!is_current && ` · ${settings.last_used(day(last_used_at))}`}
      <FormFailure failure={failure} />
    </Item>
  );
}
