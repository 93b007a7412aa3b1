import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { settingsKey } from "../../organizations/settings/queries.ts";
import { type Session, useSession } from "../../session/session.tsx";

type Api = Session["api"]["dashboard"]["single_sign_on"];

export type SingleSignOn = Awaited<ReturnType<Api["get"]["query"]>>;

export function singleSignOnQuery(session: Session) {
  return queryOptions({
    queryKey: [...settingsKey(session), "single sign-on"],
    queryFn: ({ signal }) => session.api.dashboard.single_sign_on.get.query(undefined, { signal }),
  });
}

/** A change whose answer is the new settings. */
export function useChange<Input>(run: (api: Api, input: Input) => Promise<SingleSignOn>) {
  const session = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => run(session.api.dashboard.single_sign_on, input),
    onSuccess: (saved) => client.setQueryData(singleSignOnQuery(session).queryKey, saved),
  });
}
