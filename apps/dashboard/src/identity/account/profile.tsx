import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { State } from "@findersfee/ui/components/state";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { SavedForm } from "../../forms/saved-form.tsx";
import { account, type Me } from "../../requests/account.ts";
import { meQuery } from "../../session/session.tsx";
import { credentialsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

export function Profile({ me: { user } }: { me: Me }) {
  const client = useQueryClient();
  return (
    <Section title={texts.profile} hint={texts.profile_hint}>
      <Email email={user.email} />
      <SavedForm
        fields={["name"]}
        save={async (form) => {
          await account.credentials.rename.mutate({ name: String(form.get("name")) });
          await client.invalidateQueries(meQuery);
        }}
      >
        {(errorOf) => (
          <TextField
            label={texts.name}
            name="name"
            autoComplete="name"
            defaultValue={user.name}
            error={errorOf("name")}
          />
        )}
      </SavedForm>
    </Section>
  );
}

/** The address stays: the account belongs to the person who reads its mails. */
function Email({ email }: { email: string }) {
  const { data } = useQuery(credentialsQuery);
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => account.credentials.request_confirmation.mutate({}),
    onSuccess: () => toast({ text: texts.confirmation_sent(email) }),
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return (
    <div className="grid gap-1">
      <p className="text-table font-medium">{texts.email}</p>
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <span dir="ltr" className="min-w-0 wrap-anywhere">
          {email}
        </span>
        {data !== undefined &&
          (data.email_verified ? (
            <State tone="done">{texts.email_confirmed}</State>
          ) : (
            <>
              <State tone="warning">{texts.email_unconfirmed}</State>
              <Button busy={isPending} onClick={() => mutate()}>
                {texts.send_confirmation}
              </Button>
            </>
          ))}
      </div>
      <p className="text-table text-muted">{texts.email_hint}</p>
    </div>
  );
}
