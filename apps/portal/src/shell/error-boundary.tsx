import { Button } from "@findersfee/ui/components/button";
import { Component, type ReactNode } from "react";
import { useTexts } from "../language/language.tsx";
import { NarrowPage } from "./narrow-page.tsx";

/** Shows an error page in place of content that could not be shown. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <CrashedPage /> : this.props.children;
  }
}

/** A page of a new build has other files: loading it again gets them. */
function CrashedPage() {
  const { failures } = useTexts();
  return (
    <NarrowPage title={failures.crashed} hint={failures.crashed_hint}>
      <div role="alert">
        <Button look="solid" onClick={() => window.location.reload()}>
          {failures.reload}
        </Button>
      </div>
    </NarrowPage>
  );
}
