import { Progress, SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Time } from "@findersfee/ui/components/values";
import { deviceOf } from "@findersfee/ui/formats/device";
import { FilterChip } from "@findersfee/ui/lists/filter-bar";
import { Pager } from "@findersfee/ui/lists/pager";
import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { shownDetail } from "../identity/account/event-detail.ts";
import { membersQuery } from "../identity/team/queries.ts";
import { EmptyList } from "../lists/empty-list.tsx";
import { isShort, rowPager } from "../lists/row-pager.ts";
import type { ListAddress } from "../lists/use-list-address.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { type MemberSecurityEvent, securityQuery } from "./queries.ts";
import { BY_OTHERS, SECURITY_EVENTS, texts } from "./security-texts.ts";
import { texts as history_texts } from "./texts.ts";

type Address = ListAddress<"kind" | "thing" | "by" | "part">;

/** The security events of members' accounts, newest first. */
export function SecurityEvents({ address }: { address: Address }) {
  const { data, error, isPlaceholderData, refetch } = useQuery(securityQuery(useSession(), address.search));
  const { by } = address.search;
  const clear = () => address.change({ by: undefined });
  return (
    <>
      <MemberFilter address={address} />
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      <Progress busy={isPlaceholderData} />
      {data === undefined && error === null && <SkeletonRows label={texts.list} />}
      {data?.data.length === 0 && (
        <EmptyList
          address={{ ...address, is_filtered: by !== undefined, clear }}
          icon={ShieldCheck}
          nothing_yet={texts.nothing_yet}
          hint={texts.nothing_yet_hint}
          nothing_matches={texts.nothing_matches}
          older={data.older}
        />
      )}
      {data !== undefined && data.data.length > 0 && (
        <>
          <ul aria-label={texts.list} aria-busy={isPlaceholderData}>
            {data.data.map((event) => (
              <EventLine key={event.id} event={event} />
            ))}
          </ul>
          {!isShort(data) && (
            <footer className="flex min-h-12 items-center py-2">
              <Pager {...rowPager(data, address)} />
            </footer>
          )}
        </>
      )}
    </>
  );
}

function MemberFilter({ address: { search, change } }: { address: Address }) {
  const { data: members = [] } = useQuery(membersQuery(useSession()));
  const people = members.map(({ user_id, name, email }) => ({
    value: `user ${user_id}`,
    label: name,
    detail: email,
  }));
  return (
    <search className="flex flex-wrap items-center gap-2 py-3">
      <FilterChip
        name={history_texts.person}
        values={people}
        chosen={search.by === undefined ? [] : [search.by]}
        onChoose={([chosen]) => change({ by: chosen })}
      />
    </search>
  );
}

/** “Jane Doe signed in on a new device”, with the browser and its address. */
function EventLine({ event }: { event: MemberSecurityEvent }) {
  const { kind, user_name, actor, actor_name, times, ip_address, user_agent, last_at } = event;
  const by = actor === "operator" ? texts.operator : actor_name;
  const words = (actor === null ? undefined : BY_OTHERS[kind]) ?? SECURITY_EVENTS[kind];
  const details = [
    times > 1 ? texts.times(times) : null,
    by === null ? null : texts.by(by),
    deviceOf(user_agent),
    ip_address,
  ].filter((part) => part !== null && part !== "");
  return (
    <li className="flex min-h-9 items-start gap-2 border-b border-line px-2 py-1.5 text-table">
      <div className="min-w-0 flex-1 wrap-anywhere">
        <span dir="auto" className="font-medium">
          {user_name}
        </span>{" "}
        {words} <span dir="auto">{shownDetail(event)}</span>
        {details.length > 0 && <p className="text-muted">{details.join(" · ")}</p>}
      </div>
      <span className="shrink-0 text-muted wide:w-32 wide:text-right">
        <Time at={last_at} />
      </span>
    </li>
  );
}
