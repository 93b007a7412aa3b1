import { useQuery } from "@tanstack/react-query";
import { NarrowPage } from "../frame/narrow-page.tsx";
import { useTexts } from "../language/language.tsx";
import { programQuery } from "../session/program.ts";
import { useSession } from "../session/session.tsx";
import { Contact } from "./contact.tsx";

/** The organization has banned the affiliate. */
export function ClosedPage() {
  const { states } = useTexts();
  const { program, api } = useSession();
  const { data } = useQuery(programQuery(api, program.affiliate_id));
  return (
    <NarrowPage title={states.banned(program.organization_name)} hint={states.banned_hint}>
      <Contact email={data?.organization.support_email ?? null} />
    </NarrowPage>
  );
}
