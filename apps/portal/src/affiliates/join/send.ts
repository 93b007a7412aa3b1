import type { PublicProgram } from "@findersfee/contract/portal/join";
import { post } from "@findersfee/ui/requests/post";
import type { RequestedCode } from "../../identity/sign-in/requested-code.ts";
import type { Language } from "../../language/language.tsx";
import { applicationOf } from "../application-form/draft.ts";
import type { JoinDraft } from "./draft.ts";

/**
 * Sends a form for joining, for which a code is mailed. `website` is the value of the field that people do not see. Throws
 * `RequestFailed`.
 */
export async function sendJoining(
  { organization, campaign }: PublicProgram,
  draft: JoinDraft,
  { language, website = "" }: { language: Language; website?: string },
): Promise<RequestedCode> {
  const email = draft.email.trim();
  const { accepted_terms } = draft;
  await post("/auth/join", {
    slug: organization.slug,
    campaign_id: campaign.id,
    email,
    ...applicationOf(draft, campaign),
    accepted_terms,
    language,
    website,
    ...referrerOf(window.location.search),
  });
  return { email, sent_at: Date.now() };
}

/** The code of the affiliate that brought the person. */
function referrerOf(search: string): { ref?: string } {
  const ref = new URLSearchParams(search).get("ref") ?? "";
  return ref === "" || ref.length > 200 ? {} : { ref };
}
