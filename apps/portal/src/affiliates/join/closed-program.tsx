import { ButtonLink } from "@findersfee/ui/components/button";
import { useTexts } from "../../language/language.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";

/** In place of programs that do not exist, or that nobody can join: the service does not distinguish them. */
export function ClosedProgram() {
  const { join } = useTexts();
  return (
    <NarrowPage title={join.closed} hint={join.closed_hint}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
        {join.already}
        <ButtonLink to="/">{join.sign_in}</ButtonLink>
      </p>
    </NarrowPage>
  );
}
