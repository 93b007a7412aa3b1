import { useOnline } from "@findersfee/ui/requests/use-online";
import { Suspense } from "react";
import { useTexts, WithTexts } from "../language/language.tsx";
import type { LoadedScreen } from "../loaded-screens.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { NarrowPage } from "./narrow-page.tsx";

/** A page once it is loaded, with its texts. */
export function ScreenContent({ screen: { texts, Content }, path }: { screen: LoadedScreen; path: string }) {
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<NotLoaded />}>
        <WithTexts subjects={texts} fallback={<NotLoaded />}>
          <Content />
        </WithTexts>
      </Suspense>
    </ErrorBoundary>
  );
}

/** In place of a page that is not loaded. */
function NotLoaded() {
  const is_online = useOnline();
  const { frame } = useTexts();
  return is_online ? null : <NarrowPage title={frame.not_loaded} />;
}
