import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { useSubmit } from "@findersfee/ui/forms/use-submit";
import { deleteLinkToken, useLinkToken } from "@findersfee/ui/requests/link-token";
import { post } from "@findersfee/ui/requests/post";
import { useState } from "react";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { FormFailure } from "./form-failure.tsx";
import { InvalidLink } from "./invalid-link.tsx";
import { texts } from "./texts.ts";

/** Makes this browser known to the account of a mailed link. A button does: programs that read mails open links, too. */
export function ConfirmDevicePage() {
  const token = useLinkToken();
  const [done, setDone] = useState(false);
  const { onSubmit, busy, failure } = useSubmit(
    () => post("/auth/device/confirm", { token }),
    () => {
      deleteLinkToken();
      setDone(true);
    },
  );
  if (done) {
    return (
      <NarrowPage title={texts.device_confirmed} hint={texts.device_confirmed_hint}>
        <div>
          <ButtonLink to="/sign-in">{texts.sign_in}</ButtonLink>
        </div>
      </NarrowPage>
    );
  }
  if (token === "" || failure?.code === "link_invalid") {
    return <InvalidLink remedy={texts.device_new_link} to="/sign-in" action={texts.sign_in} />;
  }
  return (
    <NarrowPage title={texts.device_title} hint={texts.device_hint}>
      <form onSubmit={onSubmit} className="grid gap-5">
        <FormFailure failure={failure} />
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {texts.device_confirm}
        </Button>
      </form>
    </NarrowPage>
  );
}
