import type { Failure } from "@findersfee/ui/requests/failure";
import type { Language } from "../language/language.tsx";
import type { FailureTexts } from "../texts/failure-texts.ts";

/** Why a request failed, in the reader's language. */
export function failureText(
  failure: Failure,
  { language, texts }: { language: Language; texts: { failures: FailureTexts } },
): string {
  const { failures } = texts;
  const { code, status, message, details } = failure;
  if (code === "unreachable") return failures.unreachable;
  if (status === 429) return failures.busy;
  if (status >= 500) return status === 503 ? failures.unavailable : failures.unknown;
  if (code === "unknown") return failures.unknown;
  if (code === "application_outdated" && details.reason === "closed") return failures.program_closed;
  if (code === "application_outdated" && details.reason === "refused") return failures.application_refused;
  return failures.codes[code] ?? (language === "en" ? message : failures.unknown);
}
