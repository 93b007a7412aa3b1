import { queryOptions } from "@tanstack/react-query";
import type { Outputs, portal } from "../../requests/portal.ts";
import type { ApplicationDraft } from "../application-form/empty.ts";

/** An affiliate's own application. */
export type Application = Outputs["application"]["get"];

export function applicationQuery(api: typeof portal, affiliate_id: string) {
  return queryOptions({
    queryKey: ["application", affiliate_id],
    queryFn: ({ signal }) => api.application.get.query(undefined, { signal }),
  });
}

/** The application as the form edits it. */
export function draftOf({ application }: Application): ApplicationDraft {
  const { first_name, last_name, details, custom_fields } = application;
  return {
    first_name,
    last_name,
    details: details ?? "",
    answers: Object.fromEntries(custom_fields.map(({ id, value }) => [id, value])),
  };
}
