import type { SetupCompleted, SetupStatus } from "@findersfee/contract/identity/setup";
import { Button } from "@findersfee/ui/components/button";
import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { useSubmit } from "@findersfee/ui/forms/use-submit";
import { useNavigation } from "@findersfee/ui/navigation";
import { failureOf } from "@findersfee/ui/requests/failure";
import { deleteLinkToken, useLinkToken } from "@findersfee/ui/requests/link-token";
import { post } from "@findersfee/ui/requests/post";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { InvalidLink } from "./invalid-link.tsx";
import { NameField, NewPasswordField } from "./new-account-fields.tsx";
import { texts } from "./texts.ts";

/** Lets the first person in, or somebody who lost all credentials, by a link that the operator made. */
export function SetupPage() {
  const token = useLinkToken();
  const {
    data: status,
    error,
    refetch,
  } = useQuery({
    queryKey: ["setup", token],
    queryFn: () => post<SetupStatus>("/auth/setup/status", { token }),
    enabled: token !== "",
    retry: false,
  });
  if (token === "") return <InvalidLink remedy={texts.setup_new_link} />;
  if (status !== undefined) return <SetupForm token={token} status={status} />;
  if (error === null) return null;
  const { status: code } = failureOf(error);
  if (code >= 400 && code < 500 && code !== 429) return <InvalidLink remedy={texts.setup_new_link} />;
  return (
    <NarrowPage title={texts.setup_title}>
      <FailureNotice error={error} onRetry={() => void refetch()} />
    </NarrowPage>
  );
}

const NEW = "new";

function SetupForm({ token, status }: { token: string; status: SetupStatus }) {
  const { navigate } = useNavigation();
  const [organization_id, setOrganizationId] = useState(status.organizations[0]?.id ?? NEW);
  const is_first = status.purpose === "first_user";
  const { onSubmit, busy, failure, errorOf } = useSubmit(
    ({ name, email, password, organization_name, currency, time_zone }) => {
      const organization =
        organization_id === NEW
          ? { organization: { name: organization_name, currency, time_zone } }
          : { organization_id };
      const first = is_first ? { name, email, ...organization } : {};
      return post<SetupCompleted>("/auth/setup/complete", { token, password, ...first });
    },
    ({ organization_slug }) => {
      deleteLinkToken();
      navigate(organization_slug === null ? "/" : `/o/${organization_slug}`);
    },
  );
  return (
    <NarrowPage
      title={is_first ? texts.setup_title : texts.setup_user_title}
      hint={is_first ? texts.setup_hint : status.user?.email}
    >
      <form onSubmit={onSubmit} className="grid gap-5">
        {is_first && (
          <>
            <NameField errorOf={errorOf} />
            <TextField
              label={texts.email}
              name="email"
              inputMode="email"
              autoComplete="username"
              required
              error={errorOf("email")}
            />
          </>
        )}
        <NewPasswordField errorOf={errorOf} />
        {is_first && status.organizations.length > 0 && (
          <SelectField
            label={texts.organization_join}
            value={organization_id}
            onChange={(event) => setOrganizationId(event.target.value)}
          >
            {status.organizations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value={NEW}>{texts.organization_new}</option>
          </SelectField>
        )}
        {is_first && organization_id === NEW && <NewOrganization errorOf={errorOf} />}
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.finish}
        </Button>
      </form>
    </NarrowPage>
  );
}

const CURRENCIES = Intl.supportedValuesOf("currency");
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];

function NewOrganization({ errorOf }: { errorOf: (field: string) => string | undefined }) {
  const [zone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  return (
    <>
      <TextField
        label={texts.organization_name}
        name="organization_name"
        autoComplete="organization"
        required
        error={errorOf("organization.name")}
      />
      <SelectField
        label={texts.currency}
        name="currency"
        defaultValue="USD"
        hint={texts.currency_hint}
        error={errorOf("organization.currency")}
      >
        {CURRENCIES.map((currency) => (
          <option key={currency}>{currency}</option>
        ))}
      </SelectField>
      <SelectField
        label={texts.time_zone}
        name="time_zone"
        defaultValue={zone}
        hint={texts.time_zone_hint}
        error={errorOf("organization.time_zone")}
      >
        {ZONES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
    </>
  );
}
