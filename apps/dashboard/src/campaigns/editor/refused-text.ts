import type { Failure } from "@findersfee/ui/requests/failure";
import { namedIssue } from "../../forms/field-failures.ts";
import { texts } from "./texts.ts";

/** Why a campaign was refused: each wrong setting with its name, wherever on the page it is. */
export function refusedText({ issues, message }: Failure): string {
  if (issues.length === 0) return message;
  const settings = issues.map(({ path, ...issue }) => ({ ...issue, path: path.replace(/^change\./, "") }));
  return settings.map((issue) => namedIssue(issue, texts.settings)).join(" ");
}
