import { ButtonLink } from "@findersfee/ui/components/button";
import { useTexts } from "../language/language.tsx";
import { NarrowPage } from "./narrow-page.tsx";

export function NotFoundPage() {
  const { frame } = useTexts();
  return (
    <NarrowPage title={frame.not_found} hint={frame.not_found_hint}>
      <div>
        <ButtonLink to="/">{frame.to_portal}</ButtonLink>
      </div>
    </NarrowPage>
  );
}
