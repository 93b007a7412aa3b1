import "./main.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./requests/query-client.ts";
import { createApplicationRouter } from "./router.tsx";
import { meQuery } from "./session/session.tsx";

const client = createQueryClient(() => {
  client.removeQueries(meQuery);
  void router.invalidate();
});
const router = createApplicationRouter(client);

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
