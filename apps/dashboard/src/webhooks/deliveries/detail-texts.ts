import type { AttemptErrorCode } from "@findersfee/contract/webhooks/deliveries";

export const detail_texts = {
  close: "Back to the list",
  choose: "Delivery",
  tries: "Attempts",
  no_attempts: "Not attempted yet.",
  old_attempts: "Attempts are kept for 30 days.",
  answer: "Response",
  no_answer: "The last response had no body.",
  sent: "Sent",
  views: "Delivery sections",
  headers: "Headers",
  headers_hint: "Of the last attempt. The signature covers the ID, the timestamp and the body.",
  signed_with: "v1,… one for each valid secret",
  hidden_value: "value hidden",
  verify: "Verify",
  gone: "There is no such delivery, or it is older than 90 days.",
  advice: {
    timeout: "The receiver did not respond in time. Respond first, then process the event.",
    dns: "The host has no address. Check the name and its DNS records.",
    tls: "The certificate was rejected. Check its date, its names, and that the chain is complete.",
    proxy:
      "The service’s own proxy failed. The operator can help; the attempt does not count against the endpoint.",
    refused: "Nothing is listening at that address, or a firewall blocks it.",
    reset: "The receiver closed the connection before it responded.",
    blocked_address: "The host resolves to a private or reserved address, where webhooks are not sent.",
    bad_response: "The response was not HTTP.",
    http_status: "Only a status from 200 to 299 counts as delivered. The response body often says why.",
  } satisfies Record<AttemptErrorCode, string>,
};
