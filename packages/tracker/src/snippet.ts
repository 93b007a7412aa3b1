/*
 * The element before the script's, which the organization pastes into its pages: it is the same for all. It has the
 * landing page's address, which a router may change, and queues calls. If the script fails, or the visitor leaves
 * before it has answered them, it reports the sign-ups of the click in the cookie itself, and stores those of a landing
 * page without a click for the tab's next page.
 */
import type { Call, PublicApi } from "./public-api.ts";

if (!window.findersfee) {
  const q: Call[] = [];
  const { href } = location;
  let is_lost: unknown;
  const refer = (...call: [email?: string, options?: Call[2]]): Promise<never> =>
    new Promise((done) => {
      q.push([done as Call[0], ...call]);
      if (is_lost) leave();
      setTimeout(done, 3_000, null);
    });
  const findTag = () => document.querySelector("[data-key^=ff_pk_]") as HTMLScriptElement;
  const leave = () => {
    // biome-ignore lint/plugin/swallowed-failure: errors must not affect the page
    try {
      const { src, dataset } = findTag();
      const click_id = /findersfee_click=([^;]+)/.exec(document.cookie)?.[1];
      const left = q.splice(0).filter(([done, email, options]) => {
        done?.(null);
        const body = { key: dataset.key, click_id, email, signature: Object(options).signature };
        return (
          email && !(click_id && navigator.sendBeacon(new URL("track/signup", src), JSON.stringify(body)))
        );
      });
      // Only of a visitor who may come from a link, and who is tracked without being asked.
      if (left[0] && !is_lost && /[?#]/.test(href) && (dataset.consent ?? dataset.respectDnt) == null)
        sessionStorage.findersfee = JSON.stringify({ href, q: left });
    } catch {}
  };
  window.findersfee = {
    q,
    href,
    refer,
    ready: refer(),
    consent: (is_given) => refer("", is_given),
  } satisfies PublicApi;
  addEventListener("pagehide", leave);
  addEventListener(
    "error",
    ({ target }) => {
      if (target === findTag()) {
        is_lost = 1;
        leave();
      }
    },
    true,
  );
}
