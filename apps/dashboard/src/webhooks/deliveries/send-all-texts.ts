import { formatCount } from "@findersfee/ui/formats/counts";
export const send_all_texts = {
  title: "Send all failed deliveries again",
  hint: "Sends every delivery in this view again if its last attempt failed. Deliveries that fail from now on are not included.",
  confirm: "Send deliveries",
  sending: (count: number) => `Sending… ${formatCount(count)} on the way`,
  stopped: (count: number) =>
    count === 0
      ? "Nothing was sent"
      : `${formatCount(count)} ${count === 1 ? "delivery is" : "deliveries are"} on the way. The rest was not sent.`,
  confirm_rest: "Send the rest",
  cancel: "Cancel",
};
