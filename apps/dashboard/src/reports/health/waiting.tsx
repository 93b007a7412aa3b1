import { Notice } from "@findersfee/ui/components/notice";
import { Section } from "@findersfee/ui/components/section";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useSession } from "../../session/session.tsx";
import type { Health } from "./queries.ts";
import { texts } from "./texts.ts";

/** Work that is due for longer shows that workers do not keep up. */
const LATE_MILLISECONDS = 60_000;

/** Since when the oldest due work of each kind waits. */
export function Queues({ oldest_due, workers }: Pick<Health, "oldest_due" | "workers">) {
  return (
    <Section title={texts.queues} hint={texts.queues_hint}>
      {workers === 0 && (
        <Notice tone="bad" title={texts.no_worker}>
          {texts.no_worker_hint}{" "}
          <a href={`${APPLICATION_PATH}/docs/self-hosting`} className="text-accent underline">
            {texts.guide}
          </a>
        </Notice>
      )}
      {oldest_due.length === 0 ? (
        workers > 0 && <State tone="done">{texts.nothing_waits}</State>
      ) : (
        <ul className="grid gap-1">
          {oldest_due.map(({ kind, due_at }) => (
            <li key={kind} className="flex flex-wrap items-center gap-x-2">
              <State tone={Date.now() - Date.parse(due_at) > LATE_MILLISECONDS ? "warning" : "waiting"}>
                {texts.kind(kind)}
              </State>
              <span className="text-table text-muted">
                {texts.since} <Time at={due_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The service counts no further. */
const MOST = 100;

export function Webhooks({ health }: { health: Health }) {
  const { home } = useSession();
  const { dead_lettered_messages: dead_lettered, failing_endpoints: failing } = health;
  return (
    <Section title={texts.webhooks} hint={texts.webhooks_hint}>
      {dead_lettered === 0 && failing === 0 && <State tone="done">{texts.all_well}</State>}
      {dead_lettered > 0 && (
        <Problem
          text={texts.dead_lettered(dead_lettered, MOST)}
          to={`${home}/connections/messages?state=parked`}
        />
      )}
      {failing > 0 && <Problem text={texts.failing(failing)} to={`${home}/developers/webhooks`} />}
    </Section>
  );
}

function Problem({ text, to }: { text: string; to: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3">
      <State tone="failed">{text}</State>
      <Link to={to} className="text-accent underline">
        {texts.show}
      </Link>
    </p>
  );
}
