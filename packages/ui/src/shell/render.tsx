import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followWrongFields } from "../forms/wrong-field.ts";
import { titleCutTexts } from "./cut-texts.ts";

/** Shows an application in the document. */
export function render(client: QueryClient, application: ReactNode): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("the document has no element #root");
  followWrongFields(document);
  titleCutTexts(document);
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>{application}</QueryClientProvider>
    </StrictMode>,
  );
}
