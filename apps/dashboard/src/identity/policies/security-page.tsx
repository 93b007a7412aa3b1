import { Checkbox, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { Section } from "@findersfee/ui/components/section";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ErrorOf } from "../../forms/field-failures.ts";
import { SavedForm } from "../../forms/saved-form.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { meQuery, useMay, useSession } from "../../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../../shell/forbidden-page.tsx";
import { SensitiveProvider, useSensitive } from "../account/sensitive.tsx";
import { amountLines, policyOf } from "./form.ts";
import { type SecurityPolicy, securityPolicyQuery } from "./queries.ts";
import { texts } from "./texts.ts";

/** What does the organization require of its people, keys and payout runs? */
export function SecurityPage() {
  const session = useSession();
  const { data, error, refetch } = useQuery(securityPolicyQuery(session));
  const may_change = useMay("owner");
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  return (
    <SensitiveProvider>
      <Page title={texts.title} document_title={`${texts.title} · ${session.organization.name}`} width="text">
        {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {!may_change && <p className="text-table text-muted">{texts.owners_only}</p>}
        {data !== undefined && <PolicyForm policy={data} may_change={may_change} />}
      </Page>
    </SensitiveProvider>
  );
}

const FIELDS = [
  "second_factor_required",
  "session_hours",
  "idle_minutes",
  "staff_networks",
  "key_networks",
  "approval_amounts",
];

function PolicyForm({ policy, may_change }: { policy: SecurityPolicy; may_change: boolean }) {
  const session = useSession();
  const client = useQueryClient();
  const runSensitive = useSensitive();
  const save = async (form: FormData) => {
    const changed = policyOf(form);
    const saved = await runSensitive(() => session.api.dashboard.security_policy.update.mutate(changed));
    client.setQueryData(securityPolicyQuery(session).queryKey, saved);
    void client.invalidateQueries(meQuery);
  };
  return (
    <SavedForm save={save} fields={FIELDS} may_save={may_change}>
      {(errorOf) => (
        <fieldset disabled={!may_change} className="min-w-0">
          <SecondFactorAndSessions policy={policy} errorOf={errorOf} />
          <Networks policy={policy} errorOf={errorOf} />
          <Approval policy={policy} errorOf={errorOf} />
        </fieldset>
      )}
    </SavedForm>
  );
}

interface PartProps {
  policy: SecurityPolicy;
  errorOf: ErrorOf;
}

function SecondFactorAndSessions({ policy, errorOf }: PartProps) {
  return (
    <>
      <Section title={texts.second_factor} hint={texts.second_factor_hint}>
        <Checkbox
          label={texts.require_second_factor}
          name="second_factor_required"
          defaultChecked={policy.second_factor_required}
        />
        <FieldFailure message={errorOf("second_factor_required")} />
      </Section>
      <Section title={texts.sessions} hint={texts.sessions_hint}>
        <TextField
          label={texts.session_hours}
          optional
          name="session_hours"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={policy.session_hours ?? ""}
          hint={texts.session_hours_hint}
          error={errorOf("session_hours")}
        />
        <TextField
          label={texts.idle_minutes}
          optional
          name="idle_minutes"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={policy.idle_minutes ?? ""}
          hint={texts.idle_minutes_hint}
          error={errorOf("idle_minutes")}
        />
      </Section>
    </>
  );
}

function Networks({ policy, errorOf }: PartProps) {
  return (
    <Section title={texts.networks} hint={texts.networks_hint}>
      <TextAreaField
        label={texts.staff_networks}
        optional
        name="staff_networks"
        dir="ltr"
        spellCheck={false}
        defaultValue={policy.staff_networks.join("\n")}
        hint={texts.staff_networks_hint}
        error={errorOf("staff_networks")}
      />
      <TextAreaField
        label={texts.key_networks}
        optional
        name="key_networks"
        dir="ltr"
        spellCheck={false}
        defaultValue={policy.key_networks.join("\n")}
        error={errorOf("key_networks")}
      />
    </Section>
  );
}

function Approval({ policy, errorOf }: PartProps) {
  return (
    <Section title={texts.approval} hint={texts.approval_hint}>
      <Checkbox
        label={texts.require_approval}
        name="require_approval"
        defaultChecked={policy.approval_amounts !== null}
      />
      <TextAreaField
        label={texts.amounts}
        optional
        name="approval_amounts"
        dir="ltr"
        spellCheck={false}
        defaultValue={amountLines(policy.approval_amounts)}
        hint={texts.amounts_hint}
        error={errorOf("approval_amounts")}
      />
    </Section>
  );
}

function FieldFailure({ message }: { message: string | undefined }) {
  return message === undefined ? null : (
    <p role="alert" className="text-table text-bad">
      {message}
    </p>
  );
}
