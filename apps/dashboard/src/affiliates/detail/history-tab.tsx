import { profile_fields } from "@findersfee/contract/affiliates/fields";
import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Time } from "@findersfee/ui/components/values";
import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { linesOf } from "../../audit-log/lines.ts";
import { actorOf } from "../../audit-log/link/actor.ts";
import { historyOf } from "../../audit-log/link/address.ts";
import { ruleLines } from "../../audit-log/rule-lines.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { wordsOf } from "../fields.ts";
import { texts } from "./texts.ts";

const PAGE = 50;
const MOST_CHARACTERS = 120;

/** Who changed what, with the way to the organization's history of it. */
export function HistoryTab({ id }: { id: string }) {
  const { home } = useSession();
  return (
    <>
      <p className="flex justify-end pb-2">
        <ButtonLink look="quiet" to={historyOf(home, id)}>
          {texts.show_in_history}
        </ButtonLink>
      </p>
      <Changes id={id} />
    </>
  );
}

function Changes({ id }: { id: string }) {
  const { api, organization } = useSession();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [organization.id, "affiliates", "history", id],
    queryFn: ({ signal, pageParam }) =>
      api.dashboard.changes.list.query(
        {
          resource: "affiliate",
          resource_id: id,
          limit: PAGE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows label={shell_texts.loading} />;
  const entries = data.pages.flatMap((page) => page.data);
  if (entries.length === 0) return <Empty icon={History} title={texts.no_history} />;
  return (
    <>
      <ol className="max-w-180 divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.id} className="grid gap-x-6 gap-y-1 py-3 wide:grid-cols-[120px_minmax(0,1fr)]">
            <p className="text-table text-muted">
              <Time at={entry.created_at} />
            </p>
            <div className="min-w-0">
              <p className="text-table">
                <span className="font-medium">{texts.actions[entry.action] ?? entry.action}</span>{" "}
                <span className="text-muted">{texts.by(actorOf(entry))}</span>
              </p>
              {entry.action === "updated" && <Differences before={entry.before} after={entry.after} />}
            </div>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.older}
        </Button>
      )}
    </>
  );
}

type Fields = Record<string, unknown> | null;

function Differences({ before, after }: { before: Fields; after: Fields }) {
  return (
    <ul className="text-table text-muted">
      {Object.keys({ ...before, ...after }).map((name) => (
        <li key={name} dir="auto">
          {fieldWord(name)}: {written(name, before?.[name])} →{" "}
          <span className="text-ink">{written(name, after?.[name])}</span>
        </li>
      ))}
    </ul>
  );
}

function linesIn(name: string, value: Record<string, unknown>): string {
  const rules = ruleLines({ resource: "affiliate", name }, value);
  if (rules !== null) return rules.join("; ").replaceAll(":; ", ": ") || "—";
  return linesOf(value, { currency: null, wordOf: () => null }).join(", ");
}

function fieldWord(name: string): string {
  const field = profile_fields.find((known) => known === name);
  if (field !== undefined) return wordsOf(field).label.toLowerCase();
  return texts.fields[name] ?? name.replaceAll("_", " ");
}

function written(name: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "—";
  if (value === true) return "yes";
  if (value === false) return "no";
  const text = typeof value === "object" ? linesIn(name, value as Record<string, unknown>) : String(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
