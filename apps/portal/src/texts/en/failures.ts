import type { FailureTexts } from "../failure-texts.ts";

export const failures: FailureTexts = {
  title: "That didn’t work",
  unreachable: "We can’t reach the service. Check your connection and try again.",
  unavailable: "The service isn’t available right now. Try again soon.",
  busy: "Too many attempts. Wait a moment and try again.",
  again_in: (seconds) => {
    if (seconds > 5400) return `Available again in ${Math.ceil(seconds / 3600)} h.`;
    return seconds > 90
      ? `Available again in ${Math.ceil(seconds / 60)} min.`
      : `Available again in ${seconds} s.`;
  },
  unknown: "Something went wrong on our end. Try again.",
  crashed: "This page stopped working",
  crashed_hint: "The problem is on our end. Reloading the page often helps.",
  reload: "Reload",
  program_closed: "This program no longer accepts new affiliates.",
  application_refused:
    "This program doesn’t accept applications from this address. If that’s a mistake, contact the organization.",
  codes: {
    sign_in_again:
      "This can’t be undone, so please sign out, sign in again, and repeat it within 15 minutes.",
  },
};
