import { ButtonLink } from "@findersfee/ui/components/button";
import { deleteLinkToken } from "@findersfee/ui/requests/link-token";
import { useEffect } from "react";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { texts } from "./texts.ts";

/** A link that was used, has expired, or never existed. */
export function InvalidLink({
  remedy,
  to = "/sign-in",
  action = texts.sign_in,
}: {
  remedy: string;
  to?: string;
  action?: string;
}) {
  useEffect(deleteLinkToken, []);
  return (
    <NarrowPage title={texts.link_invalid} hint={`${texts.link_invalid_hint} ${remedy}`}>
      <div>
        <ButtonLink to={to}>{action}</ButtonLink>
      </div>
    </NarrowPage>
  );
}
