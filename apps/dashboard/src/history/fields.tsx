import { Time } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import type { AuditEntry } from "./queries.ts";
import { texts } from "./texts.ts";
import { wordOf } from "./words.ts";

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
              {wordsOf(name)}
            </th>
            {before !== null && (
              <td className={cell}>
                <Value value={shown(name, before[name])} unit={unitOf(name, before, entry)} />
              </td>
            )}
            {after !== null && (
              <td className={cell}>
                <Value value={shown(name, after[name])} unit={unitOf(name, after, entry)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function wordsOf(name: string): string {
  const words = name.replaceAll("_", " ").replace(/\b(url|id|api)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The unit of a number: a currency, percent, or none. The type of a campaign's amount is a field beside it, such as `limit_type`; an
 * entry has it only if it was changed, too.
 */
function unitOf(
  name: string,
  fields: Record<string, unknown>,
  { resource, currency }: AuditEntry,
): string | null {
  if (!/(^|_)amount$/.test(name)) return null;
  const type = fields[name.replace(/amount$/, "type")];
  if (type === "percentage") return "%";
  return resource !== "campaign" || type === "fixed" ? currency : null;
}

function Value({ value, unit }: { value: unknown; unit: string | null }) {
  if (value === null || value === undefined || value === "") {
    return <span className="text-muted">{texts.none}</span>;
  }
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  if (typeof value === "number") {
    const text = unit === null ? String(value) : unit === "%" ? `${value}%` : formatMoney(value, unit);
    return <span className="tabular-nums">{text}</span>;
  }
  if (typeof value === "string") {
    if (MOMENT.test(value)) return <Time at={value} />;
    return (
      <span dir="auto" className="line-clamp-6 whitespace-pre-wrap">
        {value}
      </span>
    );
  }
  return (
    <code className="line-clamp-6 font-mono text-meta whitespace-pre-wrap">
      {JSON.stringify(value, null, 1)}
    </code>
  );
}
