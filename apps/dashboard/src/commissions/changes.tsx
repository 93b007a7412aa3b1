import { formatMoney } from "@findersfee/ui/formats/money";
import { actorOf } from "../audit-log/link/actor.ts";
import type { Story } from "./queries.ts";
import { story_texts } from "./story-texts.ts";

type Change = Story["changes"][number];

/** A manual change: who, and each field before and after. */
export function Changes({ change }: { change: Change }) {
  const { before, after, currency } = change;
  const names = Object.keys({ ...before, ...after }).filter((name) => name in story_texts.fields);
  return (
    <>
      <p className="font-medium">
        {story_texts.corrected}{" "}
        <span className="font-normal text-muted">{story_texts.corrected_by(actorOf(change))}</span>
      </p>
      {before !== null && after !== null && (
        <ul className="text-table text-muted">
          {names.map((name) => (
            <li key={name} className="tabular-nums">
              {story_texts.fields[name]}: {writtenAs(before[name], currency, name)} →{" "}
              {writtenAs(after[name], currency, name)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function writtenAs(value: unknown, currency: string | null, name: string): string {
  if (typeof value === "number" && currency !== null && name.endsWith("_amount")) {
    return formatMoney(value, currency);
  }
  if (typeof value === "boolean") return value ? story_texts.yes : story_texts.no;
  return value === null || value === undefined ? "—" : String(value).replaceAll("_", " ");
}
