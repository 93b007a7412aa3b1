import { Checkbox, SelectField } from "@findersfee/ui/components/controls";
import { FieldGroup } from "@findersfee/ui/components/field";
import { Failure } from "@findersfee/ui/components/notice";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { Link, useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { type Failure as Failed, failureOf } from "@findersfee/ui/requests/failure";
import { Page } from "@findersfee/ui/shell/page";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { campaignsQuery } from "../campaigns/queries.ts";
import { PageActions } from "../forms/page-actions.tsx";
import { useDraft } from "../forms/use-draft.ts";
import { useSession } from "../session/session.tsx";
import { AffiliateFields } from "./affiliate-fields.tsx";
import { CodeField } from "./code-field.tsx";
import { form_fields, writtenIn } from "./fields.ts";
import { texts } from "./form-texts.ts";
import { RecruiterField } from "./recruiter-field.tsx";

/** The controls, in which conflicts and issues are shown. */
const CONTROLS: readonly string[] = [...form_fields, "ref_code", "promo_code", "campaign_id", "recruited_by"];

/** Adds an affiliate manually. */
export function NewAffiliatePage() {
  const session = useSession();
  const { api, home, organization } = session;
  const client = useQueryClient();
  const toast = useToast();
  const { navigate } = useNavigation();
  const draft = useDraft();
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: Parameters<typeof api.affiliates.create.mutate>[0]) =>
      api.affiliates.create.mutate(input),
    onSuccess: async ({ id }) => {
      draft.clear();
      toast({ text: texts.created });
      await client.invalidateQueries({ queryKey: [organization.id, "affiliates"] });
      navigate(`${home}/affiliates/${id}`);
    },
  });
  const failure = error === null ? null : failureOf(error);
  useLayoutEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    form.current = event.currentTarget;
    if (!isPending) mutate(inputOf(new FormData(event.currentTarget)));
  };
  return (
    <Page
      title={texts.new_title}
      document_title={`${texts.new_title} · ${organization.name}`}
      parent={{ to: `${home}/affiliates`, label: texts.parent }}
      width="text"
    >
      <form
        key={draft.key}
        ref={draft.form}
        onSubmit={submit}
        className="grid max-w-140 gap-6 pt-2 pb-12"
        noValidate
      >
        <RestoredNote draft={draft} />
        <Fields failure={failure} />
        {failure !== null && !isOnField(failure) && (
          <Failure message={failure.message} request_id={failure.request_id} />
        )}
        <PageActions
          submit={texts.create}
          busy={isPending}
          parent={`${home}/affiliates`}
          onCancel={draft.clear}
        />
      </form>
    </Page>
  );
}

function inputOf(form: FormData) {
  const written = (name: string) => String(form.get(name) ?? "").trim() || undefined;
  return {
    ...writtenIn(form),
    campaign_id: written("campaign_id"),
    ref_code: written("ref_code"),
    promo_code: written("promo_code"),
    recruited_by: written("recruited_by"),
    approved: form.has("approved"),
    ...(form.has("send_invitation") ? { send_invitation: true } : {}),
  };
}

/** Conflicts belong to the fields that cause them. */
function isOnField({ code, issues }: Failed): boolean {
  return (
    code === "affiliate_exists" || code === "code_taken" || issues.some(({ path }) => CONTROLS.includes(path))
  );
}

function Fields({ failure }: { failure: Failed | null }) {
  const session = useSession();
  const { data: campaigns } = useQuery(campaignsQuery(session));
  const [chosen, setChosen] = useState<string | null>(null);
  const all = campaigns?.data ?? [];
  const campaign = all.find(({ id }) => id === chosen) ?? all.find(({ is_default }) => is_default) ?? all[0];
  const errorOf = (field: string) => failure?.issues.find(({ path }) => path === field)?.message;
  const exists = failure?.code === "affiliate_exists" ? failure.details.affiliate_id : undefined;
  const taken = failure?.code === "code_taken" ? failure.message : undefined;
  return (
    <>
      <FieldGroup title={texts.person}>
        <AffiliateFields
          errorOf={(field) =>
            errorOf(field) ??
            (field === "email" && failure?.code === "affiliate_exists" ? failure.message : undefined)
          }
          email_hint={
            exists !== undefined && (
              <Link to={`${session.home}/affiliates/${exists}`} className="text-accent underline">
                {texts.see}
              </Link>
            )
          }
        />
      </FieldGroup>
      <FieldGroup title={texts.program}>
        <SelectField
          label={texts.campaign}
          name="campaign_id"
          value={campaign?.id ?? ""}
          onChange={(event) => setChosen(event.target.value)}
          error={errorOf("campaign_id")}
        >
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <CodeField
          kind="link"
          name="ref_code"
          label={texts.link_code}
          hint={texts.link_code_hint}
          error={errorOf("ref_code") ?? taken}
        />
        {campaign !== undefined && campaign.code_mode !== "link" && (
          <CodeField
            kind="promo"
            name="promo_code"
            label={texts.promo_code}
            hint={texts.promo_code_hint}
            error={errorOf("promo_code")}
          />
        )}
        {campaign !== undefined && campaign.recruiting !== null && (
          <RecruiterField key={campaign.id} error={errorOf("recruited_by")} />
        )}
        <Checkbox label={texts.approved} name="approved" defaultChecked hint={texts.approved_hint} />
        <Checkbox label={texts.send_invitation} name="send_invitation" hint={texts.send_invitation_hint} />
      </FieldGroup>
    </>
  );
}
