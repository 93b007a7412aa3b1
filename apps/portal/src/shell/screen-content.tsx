import { Suspense } from "react";
import { WithTexts } from "../language/language.tsx";
import type { LoadedScreen } from "../loaded-screens.ts";
import { ErrorBoundary } from "./error-boundary.tsx";

/** A page once it is loaded, with its texts. */
export function ScreenContent({ screen: { texts, Content }, path }: { screen: LoadedScreen; path: string }) {
  return (
    <ErrorBoundary key={path}>
      <Suspense>
        <WithTexts subjects={texts}>
          <Content />
        </WithTexts>
      </Suspense>
    </ErrorBoundary>
  );
}
