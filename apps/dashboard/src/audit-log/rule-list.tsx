import { ruleLines } from "./rule-lines.ts";

/** Rules in a change, each in a line. */
export function RuleList({ resource, name, value }: { resource: string; name: string; value: unknown }) {
  return (
    <ul className="grid max-h-80 gap-1 overflow-y-auto">
      {(ruleLines({ resource, name }, value) ?? []).map((line, index) => (
        // Lists of the log do not change, and may have equal lines.
        <li key={index} dir="auto">
          {line}
        </li>
      ))}
    </ul>
  );
}
