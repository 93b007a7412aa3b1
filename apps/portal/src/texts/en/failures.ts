import type { FailureTexts } from "../failure-texts.ts";

export const failures: FailureTexts = {
  title: "This did not work",
  unreachable: "The service cannot be reached. Check your connection and try again.",
  unavailable: "The service is not available at the moment. Try again soon.",
  busy: "Too many attempts. Wait a little and try again.",
  again_in: (seconds) => {
    if (seconds > 5400) return `Available again in ${Math.ceil(seconds / 3600)} h.`;
    return seconds > 90
      ? `Available again in ${Math.ceil(seconds / 60)} min.`
      : `Available again in ${seconds} s.`;
  },
  unknown: "Something went wrong on our side. Try again.",
  crashed: "This page has stopped working",
  crashed_hint: "The fault is ours. Loading it again often helps.",
  reload: "Load again",
  program_closed: "The program takes no new affiliates any more.",
  application_refused:
    "The program accepts no applications from this address. If that is wrong, write to the organization.",
  codes: {
    sign_in_again:
      "This cannot be undone, so please sign out, sign in again, and repeat it within 15 minutes.",
  },
};
