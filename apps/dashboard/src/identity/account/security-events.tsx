import { Button } from "@findersfee/ui/components/button";
import { Item, Items, Section } from "@findersfee/ui/components/section";
import { Time } from "@findersfee/ui/components/values";
import { deviceOf } from "@findersfee/ui/formats/device";
import { useInfiniteQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { shownDetail } from "./event-detail.ts";
import { type SecurityEvent, securityEventsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

/** The security events of the account, newest first. */
export function SecurityEvents() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(securityEventsQuery);
  const events = data?.pages.flatMap((page) => page.data);
  return (
    <Section title={texts.events} hint={texts.events_hint}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {events?.length === 0 && <p className="text-muted">{texts.no_events}</p>}
      {events !== undefined && events.length > 0 && (
        <Items label={texts.events}>
          {events.map((event) => (
            <EventItem key={event.id} event={event} />
          ))}
        </Items>
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.more_events}
          </Button>
        </div>
      )}
    </Section>
  );
}

function EventItem({ event }: { event: SecurityEvent }) {
  const { kind, actor, actor_name, ip_address, user_agent, times, last_at } = event;
  const by = actor === "operator" ? texts.operator : actor_name;
  const parts = [
    shownDetail(event),
    times > 1 ? texts.times(times) : null,
    by === null ? null : texts.by(by),
    deviceOf(user_agent),
  ];
  return (
    <Item title={texts.event_kinds[kind]}>
      <Time at={last_at} />
      {parts.map((part) => (part === null || part === "" ? null : ` · ${part}`))}
      {ip_address !== null && (
        <>
          {" · "}
          <span dir="ltr">{ip_address}</span>
        </>
      )}
    </Item>
  );
}
