import "./memory-storage.ts";
import "../../main.css";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { createQueryClient } from "@findersfee/ui/requests/query-client";
import { render } from "@findersfee/ui/shell/render";
import { LANGUAGES, LanguageProvider, preferredLanguage, speak } from "../../language/language.tsx";
import { AlonePage } from "./alone-page.tsx";
import { Connection } from "./connection.ts";
import { EmbeddedPortal } from "./embedded-portal.tsx";
import { frameOrigins, ParentPage } from "./parent-page.ts";
import { reportHeight } from "./report-height.ts";

const { pathname, hash, searchParams } = new URL(window.location.href);
const [organization = ""] = pathname.slice(`${APPLICATION_PATH}/embed/`.length).split("/");
const wanted = LANGUAGES.find((known) => known === searchParams.get("lang"));
const first = await speak(wanted ?? preferredLanguage(), ["embed"]);

if (window.parent === window) {
  render(
    createQueryClient(() => {}),
    <LanguageProvider first={first}>
      <AlonePage organization={organization} />
    </LanguageProvider>,
  );
} else {
  const parent = new ParentPage(frameOrigins());
  const connection = new Connection(organization, parent);
  // Nobody copies the token from the address, and a reload asks for another one.
  window.history.replaceState(null, "", `${pathname}${window.location.search}`);
  render(
    createQueryClient(connection.reconnect),
    <LanguageProvider first={first}>
      <EmbeddedPortal
        base={`${APPLICATION_PATH}/embed/${organization}`}
        connection={connection}
        has_language={wanted !== undefined}
      />
    </LanguageProvider>,
  );
  reportHeight((height) => {
    // A page that is about to come back keeps its place.
    if (connection.state().is !== "connecting") parent.post({ type: "findersfee:height", height });
  });
  connection.start(hash.slice(1));
}
