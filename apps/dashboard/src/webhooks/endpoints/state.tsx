import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import type { Endpoint } from "./queries.ts";
import { texts } from "./texts.ts";

export type StateName = "ok" | "failing" | "disabled";

export function stateOf({ enabled, failing_since }: Endpoint): StateName {
  if (!enabled) return "disabled";
  return failing_since === null ? "ok" : "failing";
}

/** The state of an endpoint, with the time since which it fails. */
export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { failing_since, disabled_reason } = endpoint;
  const state = stateOf(endpoint);
  if (state === "disabled") {
    // One's own decision needs no attention.
    const tone = disabled_reason === "operator" ? "stopped" : "failed";
    return <State tone={tone}>{texts.disabled_by[disabled_reason ?? "operator"]}</State>;
  }
  if (state === "ok" || failing_since === null) {
    return (
      <State tone="done">
        <span className="text-ink">{texts.states.ok}</span>
      </State>
    );
  }
  return (
    <State tone="failed">
      <span className="text-ink">
        {texts.failing_since} <Time at={failing_since} />
      </span>
    </State>
  );
}
