import { Time } from "@findersfee/ui/components/values";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import { linesOf, nameOfField, numberIn, unitOf } from "./lines.ts";
import type { AuditEntry } from "./queries.ts";
import { texts } from "./texts.ts";
import { wordOf } from "./words.ts";

const RuleList = lazyPart(() => import("./rule-list.tsx"), "RuleList");

const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** The fields before and after a change. */
export function ChangedFields({ entry }: { entry: AuditEntry }) {
  const { resource, before, after } = entry;
  const names = Object.keys({ ...before, ...after });
  const shown = (name: string, value: unknown) => wordOf(resource, name, value) ?? value;
  if (names.length === 0) return <p className="text-table text-muted">{texts.without_fields}</p>;
  const cell = "min-w-0 px-3 py-1.5 align-top wrap-anywhere";
  return (
    <table className="w-full table-fixed border-collapse rounded-card bg-sunk text-table">
      <thead>
        <tr className="text-left text-meta text-muted">
          <th scope="col" className={`${cell} w-1/4 font-medium`}>
            {texts.field}
          </th>
          {before !== null && (
            <th scope="col" className={`${cell} font-medium`}>
              {texts.before}
            </th>
          )}
          {after !== null && (
            <th scope="col" className={`${cell} font-medium`}>
              {texts.after}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className={`${cell} text-left font-normal text-muted`}>
              {nameOfField(name)}
            </th>
            {before !== null && (
              <td className={cell}>
                <Value value={shown(name, before[name])} of={{ name, fields: before, entry }} />
              </td>
            )}
            {after !== null && (
              <td className={cell}>
                <Value value={shown(name, after[name])} of={{ name, fields: after, entry }} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Place {
  name: string;
  fields: Record<string, unknown>;
  entry: AuditEntry;
}

/**
 * The unit of a field. The type of a campaign's amount is a field beside it, such as `limit_type`; an entry has it only if it was
 * changed, too.
 */
function unitIn({ name, fields, entry: { resource, currency } }: Place): string | null {
  const is_known = resource !== "campaign" || fields[name.replace(/amount$/, "type")] === "fixed";
  return unitOf(name, fields, is_known ? currency : null);
}

function hasRules({ name, entry: { resource } }: Place): boolean {
  return (
    (resource === "campaign" && name === "rules") || (resource === "affiliate" && name === "commission_rules")
  );
}

function Value({ value, of }: { value: unknown; of: Place }) {
  if (value === null || value === undefined || value === "") {
    return <span className="text-muted">{texts.none}</span>;
  }
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  if (typeof value === "number") {
    return <span className="tabular-nums">{numberIn(value, unitIn(of))}</span>;
  }
  if (typeof value === "string") {
    if (MOMENT.test(value)) return <Time at={value} />;
    return (
      <span dir="auto" className="line-clamp-6 whitespace-pre-wrap">
        {value}
      </span>
    );
  }
  if (Array.isArray(value) && value.length > 0 && hasRules(of)) {
    return (
      <Suspense>
        <RuleList resource={of.entry.resource} name={of.name} value={value} />
      </Suspense>
    );
  }
  return <Lines value={value as Record<string, unknown> | readonly unknown[]} of={of} />;
}

/** A list or an object: each item in a line. */
function Lines({ value, of }: { value: Record<string, unknown> | readonly unknown[]; of: Place }) {
  const { resource, currency } = of.entry;
  const lines = linesOf(value, {
    currency,
    // Items of a list have no name of their own.
    wordOf: (name, item) => wordOf(resource, name === "" ? of.name : `${of.name}.${name}`, item),
  });
  if (lines.length === 0) return <span className="text-muted">{texts.none}</span>;
  return (
    <ul className="grid max-h-80 gap-1 overflow-y-auto">
      {lines.map((line, index) => (
        // Lists of the log do not change, and may have equal lines.
        <li key={index} dir="auto" className="line-clamp-6 whitespace-pre-wrap">
          {line}
        </li>
      ))}
    </ul>
  );
}
