import { buttonClass } from "@findersfee/ui/components/button";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useTexts } from "../../language/language.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";

/** The frame's page, opened without a frame. */
export function AlonePage({ organization }: { organization: string }) {
  const { embed } = useTexts();
  return (
    <main>
      <NarrowPage title={embed.alone} hint={embed.alone_hint}>
        <div>
          <a href={`${APPLICATION_PATH}/${organization}`} className={buttonClass("solid")}>
            {embed.to_portal}
          </a>
        </div>
      </NarrowPage>
    </main>
  );
}
