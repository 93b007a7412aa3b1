import { useQuery } from "@tanstack/react-query";
import { NarrowPage } from "../frame/narrow-page.tsx";
import { useTexts } from "../language/language.tsx";
import { programQuery } from "../session/program.ts";
import { useSession } from "../session/session.tsx";
import { Contact } from "./contact.tsx";

/** An application that waits for a decision, or was declined. */
export function WaitingPage() {
  const { states } = useTexts();
  const { me, program, api } = useSession();
  const { data } = useQuery(programQuery(api, program.affiliate_id));
  const { organization_name } = program;
  if (program.state === "waiting") {
    return (
      <NarrowPage title={states.waiting(organization_name)} hint={states.waiting_hint(me.email)}>
        <Contact email={data?.organization.support_email ?? null} />
      </NarrowPage>
    );
  }
  const reason = data?.decline_reason ?? null;
  return (
    <NarrowPage title={states.declined(organization_name)} hint={states.declined_hint}>
      {reason !== null && (
        <div className="grid gap-1">
          <h2 className="text-table font-medium">{states.reason}</h2>
          <p dir="auto" className="whitespace-pre-wrap">
            {reason}
          </p>
        </div>
      )}
      <Contact email={data?.organization.support_email ?? null} />
    </NarrowPage>
  );
}
