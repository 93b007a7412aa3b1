import "./main.css";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { createQueryClient } from "@findersfee/ui/requests/query-client";
import { whenOnline } from "@findersfee/ui/requests/use-online";
import { render } from "@findersfee/ui/shell/render";
import { LanguageProvider, preferredLanguage, speak } from "./language/language.tsx";
import { preloadScreen } from "./loaded-screens.ts";
import { EntryLookProvider } from "./portal/look/entry-look.tsx";
import { loadEntryLook } from "./portal/look/load-entry-look.ts";
import { PortalRouter } from "./router.tsx";
import { meQuery } from "./session/session.tsx";

/** A session that has ended: the frame of the page finds it out, and leads to the sign-in. */
const client = createQueryClient(() => void client.resetQueries(meQuery));

// In parallel: the look, the texts, the code of the page, and the person.
const path = window.location.pathname.slice(APPLICATION_PATH.length) || "/";
const screen = preloadScreen(path);
const subjects = screen?.texts ?? [];
if (screen !== undefined && screen.states !== null) {
  void client.prefetchQuery(meQuery);
  void whenOnline().then(() => import("./shell/program-shell.tsx"));
}
const [entry, guessed] = await Promise.all([loadEntryLook(path), speak(preferredLanguage(), subjects)]);
const language = preferredLanguage(entry?.look.languages);
const first = guessed.language === language ? guessed : await speak(language, subjects);

render(
  client,
  <LanguageProvider first={first}>
    <EntryLookProvider entry={entry}>
      <PortalRouter />
    </EntryLookProvider>
  </LanguageProvider>,
);
