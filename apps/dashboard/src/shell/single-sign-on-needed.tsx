import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { Building2 } from "lucide-react";
import { MessagePage } from "./message-page.tsx";

const texts = {
  title: "This organization requires single sign-on",
  hint: "Sign in at its identity provider. An owner can also sign in with a passkey, or a password and a code.",
  action: "Continue with single sign-on",
};

/** The organization does not accept how the person signed in. The pages for sign-in are another document. */
export function SingleSignOnNeeded({ home }: { home: string }) {
  return (
    <main>
      <MessagePage
        icon={Building2}
        title={texts.title}
        action={
          <a
            href={`${APPLICATION_PATH}/sign-in/single-sign-on?to=${encodeURIComponent(home)}`}
            className="text-accent underline underline-offset-2"
          >
            {texts.action}
          </a>
        }
      >
        {texts.hint}
      </MessagePage>
    </main>
  );
}
