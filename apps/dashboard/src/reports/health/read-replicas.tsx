import { Section } from "@findersfee/ui/components/section";
import { State } from "@findersfee/ui/components/state";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import type { Health } from "./queries.ts";
import { texts } from "./texts.ts";

/** Whether pages are read from the replicas, for services that have any. */
export function ReadReplicas({ read_replicas }: Pick<Health, "read_replicas">) {
  if (read_replicas.length === 0) return null;
  return (
    <Section title={texts.replicas} hint={texts.replicas_hint}>
      <ul className="grid gap-1">
        {read_replicas.map(({ state, lag_seconds }, index) => (
          <li key={index} className="flex flex-wrap items-center gap-x-2">
            <State tone={state === "used" ? "done" : "warning"}>
              {texts.replica(read_replicas.length === 1 ? null : index + 1, texts.replica_states[state])}
            </State>
            {lag_seconds !== null && lag_seconds >= 1 && (
              <span className="text-table text-muted">{texts.replica_lag(Math.round(lag_seconds))}</span>
            )}
          </li>
        ))}
      </ul>
      {read_replicas.some(({ state }) => state !== "used") && (
        <p>
          <a href={`${APPLICATION_PATH}/docs/read-replicas`} className="text-accent underline">
            {texts.replica_guide}
          </a>
        </p>
      )}
    </Section>
  );
}
