import { ButtonLink } from "@findersfee/ui/components/button";
import { NarrowPage } from "../frame/narrow-page.tsx";
import { texts } from "./texts.ts";

/** A link that was used, has expired, or never existed. */
export function InvalidLink({ remedy }: { remedy: string }) {
  return (
    <NarrowPage title={texts.link_invalid} hint={`${texts.link_invalid_hint} ${remedy}`}>
      <div>
        <ButtonLink to="/sign-in">{texts.sign_in}</ButtonLink>
      </div>
    </NarrowPage>
  );
}
