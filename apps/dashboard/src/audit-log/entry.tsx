import { Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { ChevronRight } from "lucide-react";
import { useSession } from "../session/session.tsx";
import { ChangedFields } from "./fields.tsx";
import { actorOf } from "./link/actor.ts";
import { historyOf } from "./link/address.ts";
import type { AuditEntry } from "./queries.ts";
import { addressOf, nameOf } from "./subject.ts";
import { ACTIONS, RESOURCES, texts } from "./texts.ts";

/** One change: who did what to which thing, and its fields when it is opened. */
export function Entry({ entry }: { entry: AuditEntry }) {
  const { action, resource, before, after, created_at } = entry;
  const count = Object.keys({ ...before, ...after }).length;
  const name = nameOf(entry);
  return (
    <li className="border-b border-line">
      <details className="group">
        <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 rounded-control px-2 py-1.5 text-table hover:bg-hover max-wide:min-h-15">
          <ChevronRight aria-hidden size={14} className="shrink-0 text-muted group-open:rotate-90" />
          <span className="min-w-0 flex-1 max-wide:wrap-anywhere wide:truncate">
            <span
              dir="auto"
              className="font-medium wide:inline-block wide:max-w-2/5 wide:truncate wide:align-bottom"
            >
              {actorOf(entry)}
            </span>{" "}
            <span className="text-muted">
              {ACTIONS[action]} {RESOURCES[resource].toLowerCase().replace("api", "API")}
            </span>{" "}
            {name !== null && (
              // The end of an ID stays in one line.
              <span dir="auto" className="max-wide:inline-block">
                {name}
              </span>
            )}
            {typeof after?.reason === "string" && (
              <span className="text-muted">
                {": "}
                <bdi>{after.reason}</bdi>
              </span>
            )}
          </span>
          <span className="text-muted tabular-nums max-wide:hidden">
            {count === 1 ? texts.one_field : texts.fields(count)}
          </span>
          <span className="text-muted wide:w-32 wide:text-right">
            <Time at={created_at} />
          </span>
        </summary>
        <div className="grid gap-2 pt-1 pb-4 pl-6">
          <Subject entry={entry} />
          <ChangedFields entry={entry} />
        </div>
      </details>
    </li>
  );
}

function Subject({ entry }: { entry: AuditEntry }) {
  const { home } = useSession();
  const address = addressOf(entry);
  const { resource, resource_id } = entry;
  return (
    <p className="flex flex-wrap gap-x-4 text-table">
      {address !== null && (
        <Link to={`${home}${address}`} className="text-accent underline">
          {texts.open(RESOURCES[resource])}
        </Link>
      )}
      <Link to={historyOf(home, resource_id)} className="text-accent underline">
        {texts.all_of_it}
      </Link>
    </p>
  );
}
