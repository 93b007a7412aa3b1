import { ButtonLink } from "@findersfee/ui/components/button";
import { FileQuestion } from "lucide-react";
import { MessagePage } from "./message-page.tsx";
import { texts } from "./texts.ts";

export function NotFoundPage() {
  return (
    <MessagePage
      icon={FileQuestion}
      title={texts.not_found}
      action={<ButtonLink to="/">{texts.home}</ButtonLink>}
    >
      {texts.not_found_hint}
    </MessagePage>
  );
}
