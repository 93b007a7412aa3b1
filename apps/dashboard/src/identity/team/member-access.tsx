import { Checkbox } from "@findersfee/ui/components/controls";
import { Time } from "@findersfee/ui/components/values";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { type Role, useSession } from "../../session/session.tsx";
import { accessQuery, type Member } from "./queries.ts";
import { texts } from "./texts.ts";

/** The access that the form of `MemberAccess` keeps. */
export function choiceIn(form: FormData): { keep_api_key_ids: string[]; keep_endpoint_ids: string[] } {
  const of = (name: string) => form.getAll(name).map(String);
  return { keep_api_key_ids: of("keep_api_key_ids"), keep_endpoint_ids: of("keep_endpoint_ids") };
}

/**
 * The member's access that ends with a new role, or with the membership (null). Others can keep keys and
 * endpoints.
 */
export function MemberAccess({ member, new_role: role }: { member: Member; new_role: Role | null }) {
  const session = useSession();
  const { data, error, refetch } = useQuery(accessQuery(session, { user_id: member.user_id, role }));
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const is_own = member.user_id === session.me.user.id;
  const { api_keys, endpoints, invitations, jobs } = data;
  const others = texts.also_end({ invitations, jobs, frames: api_keys.length > 0 });
  return (
    <>
      {api_keys.length > 0 && (
        <Group title={texts.keys_of(member.name)} hint={is_own ? texts.own_keys_hint : texts.keys_hint}>
          {api_keys.map(({ id, name, last_four, scopes, last_used_at }) => (
            <Made
              key={id}
              id={is_own ? null : id}
              field="keep_api_key_ids"
              label={texts.keep_key(name, last_four)}
            >
              {scopes.join(", ")} ·{" "}
              {last_used_at === null ? (
                texts.never_used
              ) : (
                <>
                  {texts.last_used} <Time at={last_used_at} show="relative" />
                </>
              )}
            </Made>
          ))}
        </Group>
      )}
      {endpoints.length > 0 && (
        <Group
          title={texts.endpoints_of(member.name)}
          hint={is_own ? texts.own_endpoints_hint : texts.endpoints_hint}
        >
          {endpoints.map(({ id, url, description }) => (
            <Made key={id} id={is_own ? null : id} field="keep_endpoint_ids" label={url}>
              {description}
            </Made>
          ))}
        </Group>
      )}
      {others !== null && <p>{others}</p>}
    </>
  );
}

function Group({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="text-table font-medium wrap-anywhere">{title}</legend>
      <p className="text-table text-muted">{hint}</p>
      {children}
    </fieldset>
  );
}

/** A thing to keep; `id` null: the person cannot decide. */
function Made({
  id,
  field,
  label,
  children,
}: {
  id: string | null;
  field: string;
  label: string;
  children: ReactNode;
}) {
  if (id !== null) {
    return (
      <Checkbox name={field} value={id} label={label} hint={children} className="min-w-0 wrap-anywhere" />
    );
  }
  return (
    <div className="grid gap-0.5 wrap-anywhere">
      <span dir="auto">{label}</span>
      <span className="text-table text-muted">{children}</span>
    </div>
  );
}
