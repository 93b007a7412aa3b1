import { formatMoney } from "@findersfee/ui/formats/money";
import { language_names } from "../portal/language-names.ts";
import { texts } from "./texts.ts";

type Fields = Record<string, unknown>;

/** Fields of an item in a list that only the service needs. */
const HIDDEN = new Set(["id"]);

/** The name of a field in words: `payout_email` as “Payout email”. For a translation, the language. */
export function nameOfField(name: string): string {
  const language = (language_names as Record<string, string>)[name];
  if (language !== undefined) return language;
  const words = name.replaceAll("_", " ").replace(/\b(url|id|api)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The unit of a number beside a `type` of the same name: a currency, or percent; null: none. */
export function unitOf(name: string, fields: Fields, currency: string | null): string | null {
  if (!/(^|_)amount$/.test(name)) return null;
  return fields[name.replace(/amount$/, "type")] === "percentage" ? "%" : currency;
}

/** A number with its unit. */
export function numberIn(value: number, unit: string | null): string {
  if (unit === null) return String(value);
  return unit === "%" ? `${value}%` : formatMoney(value, unit);
}

/**
 * A list or an object in words, a line for each item or field. `wordOf` says the service's own values, such as the type of a
 * question.
 */
export function linesOf(
  value: Fields | readonly unknown[],
  { currency, wordOf }: { currency: string | null; wordOf: (name: string, value: unknown) => string | null },
): string[] {
  const say = (name: string, item: unknown, fields: Fields): string => {
    if (item === null || item === undefined || item === "") return texts.none;
    if (typeof item === "boolean") return item ? texts.yes : texts.no;
    if (typeof item === "number") return numberIn(item, unitOf(name, fields, currency));
    if (Array.isArray(item)) return item.map((part) => say(name, part, fields)).join(", ") || texts.none;
    if (typeof item === "object") return pairsOf(item as Fields).join(" · ");
    return wordOf(name, item) ?? String(item);
  };
  const pairsOf = (fields: Fields): string[] => {
    const shown = Object.entries(fields).filter(([name]) => !HIDDEN.has(name));
    const { label, value: answer, ...others } = Object.fromEntries(shown);
    // An answer to a question.
    if (typeof label === "string" && answer !== undefined && Object.keys(others).length === 0) {
      return [`${label}: ${say("value", answer, fields)}`];
    }
    return shown.map(([name, item]) => `${nameOfField(name)}: ${say(name, item, fields)}`);
  };
  return Array.isArray(value) ? value.map((item) => say("", item, {})) : pairsOf(value as Fields);
}
