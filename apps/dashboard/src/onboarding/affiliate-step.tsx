import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

/** The person as an affiliate of the campaign. */
export function AffiliateStep({ campaign_id }: { campaign_id: string }) {
  const { api, me, organization } = useSession();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: Parameters<typeof api.affiliates.create.mutate>[0]) =>
      api.affiliates.create.mutate(input),
    onSuccess: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
  const failure = error === null ? null : failureOf(error);
  const issueOf = (field: string) => failure?.issues.find(({ path }) => path === field)?.message;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [first_name = "", ...rest] = String(form.get("name") ?? "")
      .trim()
      .split(/\s+/);
    mutate({
      campaign_id,
      email: String(form.get("email") ?? "").trim(),
      first_name,
      last_name: rest.join(" "),
      approved: true,
    });
  };
  return (
    <form onSubmit={submit} className="grid max-w-140 gap-4" noValidate>
      <div className="grid items-start gap-3 wide:grid-cols-2">
        <TextField
          label={texts.name}
          name="name"
          autoComplete="name"
          defaultValue={me.user.name}
          error={issueOf("first_name") ?? issueOf("last_name")}
        />
        <TextField
          label={texts.email}
          name="email"
          inputMode="email"
          dir="ltr"
          autoComplete="email"
          defaultValue={me.user.email}
          error={issueOf("email")}
        />
      </div>
      <p className="text-table text-muted">{texts.affiliate_note}</p>
      {failure !== null && failure.issues.length === 0 && (
        <Failure message={failure.message} request_id={failure.request_id} />
      )}
      <div>
        <Button look="solid" type="submit" busy={isPending}>
          {texts.add_me}
        </Button>
      </div>
    </form>
  );
}
