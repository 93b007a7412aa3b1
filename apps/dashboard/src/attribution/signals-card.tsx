import { Card } from "@findersfee/ui/components/card";
import { Untrusted } from "@findersfee/ui/components/values";
import type { Explained } from "./queries.ts";

const texts = {
  title: "Signs of fraud",
  actions: { flag: "Flagged", hold: "Held for review", refuse: "Refused" },
};

/** The signs of fraud of a payment with their evidence, and the campaign's action for each. */
export function SignalsCard({ signals }: Pick<Explained["decision"]["explanation"], "signals">) {
  if (signals === undefined) return null;
  return (
    <Card title={texts.title}>
      <ul className="grid gap-2">
        {signals.map(({ signal, action, evidence }) => (
          <li key={signal} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <Untrusted lines={3}>{evidence}</Untrusted>
            <span className="text-muted">{texts.actions[action]}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
