import { useCallback, useEffect, useRef, useState } from "react";

/** An answer of the service, or why there is none. */
export interface Loaded<Data> {
  data: Data | undefined;
  error: unknown;
  reload: () => Promise<void>;
}

/** Loads a path when the page is shown. Without TanStack Query, which would be 3 kB of the pages before the sign-in. */
export function useLoaded<Data>(
  path: `/${string}`,
  load: (path: `/${string}`) => Promise<Data>,
): Loaded<Data> {
  const [{ data, error }, setState] = useState<{ data?: Data; error: unknown }>({ error: null });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const own = latest.current;
    const state = await load(path).then(
      (loaded) => ({ data: loaded, error: null }),
      (failed) => ({ error: failed }),
    );
    // If two requests overlap, the later one counts.
    if (own === latest.current) setState((before) => ({ ...before, ...state }));
  }, [load, path]);
  useEffect(() => void reload(), [reload]);
  return { data, error, reload };
}
