import type { UpdateSecurityPolicy } from "@findersfee/contract/identity/security-policies";
import { FieldRefused } from "../../forms/field-failures.ts";
import { texts } from "./texts.ts";

/** The policies as typed. Errors: a line that is no amount; the service refuses everything else. */
export function policyOf(form: FormData): UpdateSecurityPolicy {
  const typed = (name: string) => String(form.get(name) ?? "").trim();
  const number = (name: string) => (typed(name) === "" ? null : Number(typed(name)));
  return {
    second_factor_required: form.get("second_factor_required") === "on",
    session_hours: number("session_hours"),
    idle_minutes: number("idle_minutes"),
    key_networks: linesOf(typed("key_networks")),
    staff_networks: linesOf(typed("staff_networks")),
    approval_amounts: form.get("require_approval") === "on" ? amountsOf(typed("approval_amounts")) : null,
  };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function amountsOf(text: string): Record<string, number> {
  const amounts = linesOf(text).map((line): [string, number] => {
    const [amount = "", currency = "", ...rest] = line.split(" ");
    const value = Number(amount.replaceAll(",", ""));
    if (!(value > 0) || !/^[A-Z]{3}$/i.test(currency) || rest.length > 0)
      throw new FieldRefused("approval_amounts", texts.not_amounts(line));
    return [currency.toUpperCase(), value];
  });
  return Object.fromEntries(amounts);
}

/** One a line. */
export function amountLines(amounts: Record<string, number> | null): string {
  return Object.entries(amounts ?? {})
    .map(([currency, amount]) => `${amount} ${currency}`)
    .join("\n");
}
