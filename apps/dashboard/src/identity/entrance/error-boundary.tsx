import { Component, type ReactNode } from "react";
import { ErrorPage } from "../../shell/error-page.tsx";

/** Shows an error page in place of content that could not be shown. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ErrorPage error={error} reset={() => this.setState({ error: null })} />;
  }
}
