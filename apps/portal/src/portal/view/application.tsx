import "../../main.css";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { createQueryClient } from "@findersfee/ui/requests/query-client";
import { render } from "@findersfee/ui/shell/render";
import { LanguageProvider, preferredLanguage, speak } from "../../language/language.tsx";
import { preloadScreen } from "../../loaded-screens.ts";
import { meQuery } from "../../session/session.tsx";
import { PATH } from "./opened-view.ts";
import { ViewedPortal } from "./viewed-portal.tsx";

const client = createQueryClient(() => void client.resetQueries(meQuery));

const { pathname, hash } = window.location;
// Nobody copies the token from the address.
if (hash !== "") window.history.replaceState(null, "", pathname);
const screen = preloadScreen(pathname.slice(`${APPLICATION_PATH}${PATH}`.length) || "/");
const first = await speak(preferredLanguage(), ["embed", ...(screen?.texts ?? [])]);

render(
  client,
  <LanguageProvider first={first}>
    <ViewedPortal token={hash.slice(1)} />
  </LanguageProvider>,
);
