import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { settingsKey } from "../../organizations/settings/queries.ts";
import { type Session, useSession } from "../../session/session.tsx";
import { useSensitive } from "../account/sensitive.tsx";

type Api = Session["api"]["dashboard"]["single_sign_on"];

export type SingleSignOn = Awaited<ReturnType<Api["get"]["query"]>>;

export function singleSignOnQuery(session: Session) {
  return queryOptions({
    queryKey: [...settingsKey(session), "single sign-on"],
    queryFn: ({ signal }) => session.api.dashboard.single_sign_on.get.query(undefined, { signal }),
  });
}

/** A change that answers with the new settings. It may need a newer proof of the person. */
export function useChange<Input>(run: (api: Api, input: Input) => Promise<SingleSignOn>) {
  const session = useSession();
  const client = useQueryClient();
  const runSensitive = useSensitive();
  return useMutation({
    mutationFn: (input: Input) => runSensitive(() => run(session.api.dashboard.single_sign_on, input)),
    onSuccess: (saved) => client.setQueryData(singleSignOnQuery(session).queryKey, saved),
  });
}
