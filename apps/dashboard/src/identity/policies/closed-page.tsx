import { Button } from "@findersfee/ui/components/button";
import { Network, TimerOff } from "lucide-react";
import { useSignOut } from "../../session/session.tsx";
import { MessagePage } from "../../shell/message-page.tsx";
import { texts } from "./texts.ts";

export interface ClosedPageProps {
  code: "session_limited" | "network_not_allowed";
  message: string;
  /** The address to return to after the next sign-in. */
  here: string;
  onRetry: () => void;
}

/** Why the organization does not open for this session or network, and how to open it. */
export function ClosedPage({ code, message, here, onRetry }: ClosedPageProps) {
  const signOut = useSignOut();
  if (code === "session_limited") {
    return (
      <MessagePage
        icon={TimerOff}
        title={texts.sign_in_title}
        action={
          <Button look="solid" onClick={() => void signOut({ to: here })}>
            {texts.sign_in}
          </Button>
        }
      >
        {message}
      </MessagePage>
    );
  }
  return (
    <MessagePage
      icon={Network}
      title={texts.network_title}
      action={<Button onClick={onRetry}>{texts.try_again}</Button>}
    >
      {message}
    </MessagePage>
  );
}
