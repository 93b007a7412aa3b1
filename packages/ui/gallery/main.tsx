import "./gallery.css";
import { StrictMode, useState, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { Providers } from "../src/shell/providers.tsx";
import { Gallery } from "./gallery.tsx";

/** A page is `?page=/forms`: the smallest router. */
function useAddress(): string {
  return useSyncExternalStore(
    (changed) => {
      addEventListener("popstate", changed);
      return () => removeEventListener("popstate", changed);
    },
    () => new URLSearchParams(location.search).get("page") ?? "/buttons",
  );
}

const hrefOf = (to: string) => `?page=${encodeURIComponent(to)}`;

const navigation = {
  hrefOf,
  navigate: (to: string) => {
    history.pushState(null, "", hrefOf(to));
    dispatchEvent(new PopStateEvent("popstate"));
  },
};

function App() {
  const address = useAddress();
  const [shortcuts, setShortcuts] = useState(true);
  return (
    <Providers navigation={navigation} shortcuts={shortcuts}>
      <Gallery address={address} shortcuts={shortcuts} onShortcuts={setShortcuts} />
    </Providers>
  );
}

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
