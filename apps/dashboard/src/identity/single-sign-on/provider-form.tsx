import { SelectField, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { PasswordField } from "@findersfee/ui/components/password-field";
import { Section } from "@findersfee/ui/components/section";
import { useState } from "react";
import type { ErrorOf } from "../../forms/field-failures.ts";
import { SavedForm } from "../../forms/saved-form.tsx";
import { Canceled } from "../../requests/canceled.ts";
import type { Role } from "../../session/session.tsx";
import { type SingleSignOn, useChange } from "./queries.ts";
import { texts } from "./texts.ts";

type Provider = SingleSignOn["provider"];

const FIELDS = ["issuer", "client_id", "client_secret", "session_hours", "role_claim", "claim_roles"];
const ROLES = ["viewer", "admin", "owner"] as const;
const HOURS = 12;

/** The provider's settings, and the roles that it gives. */
export function ProviderForm({ settings }: { settings: SingleSignOn }) {
  const { provider, callback_url } = settings;
  const { mutateAsync } = useChange((api, input: Parameters<typeof api.save.mutate>[0]) =>
    api.save.mutate(input),
  );
  const [saves, setSaves] = useState(0);
  const [mapping_error, setMappingError] = useState<string>();
  const save = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const claim_roles = claimRolesOf(text("claim_roles"));
    setMappingError(claim_roles === null ? texts.mapping_wrong : undefined);
    if (claim_roles === null) throw new Canceled();
    await mutateAsync({
      issuer: text("issuer"),
      client_id: text("client_id"),
      ...(text("client_secret") === "" ? {} : { client_secret: text("client_secret") }),
      role_claim: text("role_claim") === "" ? null : text("role_claim"),
      claim_roles,
      default_role: roleOf(text("default_role")),
      session_hours: Number(text("session_hours")),
    });
    setSaves((count) => count + 1);
  };
  return (
    <SavedForm save={save} fields={FIELDS}>
      {(errorOf) => (
        <>
          <Connection provider={provider} callback_url={callback_url} saves={saves} errorOf={errorOf} />
          <Roles provider={provider} errorOf={errorOf} mapping_error={mapping_error} />
        </>
      )}
    </SavedForm>
  );
}

interface ConnectionProps {
  provider: Provider;
  callback_url: string;
  /** The secret that was saved leaves the form: sent again, it would count as a new one, which must prove itself. */
  saves: number;
  errorOf: ErrorOf;
}

function Connection({ provider, callback_url, saves, errorOf }: ConnectionProps) {
  const plain = { dir: "ltr", autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;
  return (
    <Section title={texts.provider} hint={texts.provider_hint}>
      <div className="grid gap-1">
        <p className="font-medium">{texts.callback}</p>
        <p className="flex min-w-0 items-start gap-x-1.5">
          <code className="min-w-0 font-mono text-table leading-6 wrap-anywhere">{callback_url}</code>
          <CopyButton text={callback_url} label={texts.callback} quiet />
        </p>
      </div>
      <TextField
        {...plain}
        label={texts.issuer}
        name="issuer"
        inputMode="url"
        defaultValue={provider?.issuer ?? ""}
        hint={texts.issuer_hint}
        error={errorOf("issuer")}
      />
      <TextField
        {...plain}
        label={texts.client_id}
        name="client_id"
        defaultValue={provider?.client_id ?? ""}
        error={errorOf("client_id")}
      />
      <PasswordField
        key={saves}
        label={texts.client_secret}
        name="client_secret"
        autoComplete="new-password"
        {...(provider === null ? {} : { hint: texts.client_secret_hint })}
        error={errorOf("client_secret")}
      />
      <TextField
        {...plain}
        label={texts.hours}
        name="session_hours"
        inputMode="numeric"
        defaultValue={provider?.session_hours ?? HOURS}
        hint={texts.hours_hint}
        error={errorOf("session_hours")}
      />
    </Section>
  );
}

function Roles({
  provider,
  errorOf,
  mapping_error,
}: {
  provider: Provider;
  errorOf: ErrorOf;
  mapping_error: string | undefined;
}) {
  return (
    <Section title={texts.roles} hint={texts.roles_hint}>
      <TextField
        label={texts.role_claim}
        optional
        name="role_claim"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={provider?.role_claim ?? ""}
        hint={texts.role_claim_hint}
        error={errorOf("role_claim")}
      />
      <TextAreaField
        label={texts.mapping}
        optional
        name="claim_roles"
        dir="ltr"
        rows={3}
        spellCheck={false}
        defaultValue={(provider?.claim_roles ?? []).map(({ value, role }) => `${value} = ${role}`).join("\n")}
        hint={texts.mapping_hint}
        error={mapping_error ?? errorOf("claim_roles")}
      />
      <SelectField
        label={texts.default_role}
        name="default_role"
        defaultValue={provider === null ? "viewer" : (provider.default_role ?? "")}
      >
        <option value="">{texts.default_none}</option>
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {texts.role_words[role]}
          </option>
        ))}
      </SelectField>
    </Section>
  );
}

function roleOf(text: string): Role | null {
  return ROLES.find((role) => role === text) ?? null;
}

/** The lines `value = role`; null: one is not. */
function claimRolesOf(text: string): { value: string; role: Role }[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const read = lines.flatMap((line) => {
    const at = line.lastIndexOf("=");
    const [value, role] = [
      line.slice(0, at).trim(),
      roleOf(
        line
          .slice(at + 1)
          .trim()
          .toLowerCase(),
      ),
    ];
    return at === -1 || value === "" || role === null ? [] : [{ value, role }];
  });
  return read.length === lines.length ? read : null;
}
