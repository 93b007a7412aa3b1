import type { NotificationTopic } from "@findersfee/contract/mails";
import { type Block, type MemberMailContent, paragraph } from "../content.ts";
import { TOPIC_WORDS } from "./topics.ts";
import type { WaitingItem } from "./waiting.ts";

/** The most items of a topic that a mail names. */
const NAMED = 5;

/** The waiting items of a topic. */
export interface WaitingTopic {
  topic: NotificationTopic;
  /** At least one. Those that no mail has reported come first. */
  items: WaitingItem[];
}

interface Place {
  organization_name: string;
  /** The organization in the dashboard; null: the service's address is not known. */
  url: string | null;
}

/** The immediate mail about the waiting items of a topic. */
export function notice({ topic, items }: WaitingTopic, { organization_name, url }: Place): MemberMailContent {
  const summary = TOPIC_WORDS[topic].summary(items.length);
  return {
    subject: `${organization_name}: ${summary}`,
    heading: summary,
    blocks: [...listed(items), ...link(topic, url)],
  };
}

/** The daily mail about all that waits. */
export function digest(
  topics: readonly WaitingTopic[],
  { organization_name, url }: Place,
): MemberMailContent {
  const parts = topics.map(({ topic, items }) => TOPIC_WORDS[topic].short(items.length));
  return {
    subject: `${organization_name}: ${new Intl.ListFormat("en-US").format(parts)}`,
    heading: `Waiting for you at ${organization_name}`,
    blocks: topics.flatMap(({ topic, items }) => [
      paragraph(`${TOPIC_WORDS[topic].summary(items.length)}:`),
      ...listed(items),
      ...link(topic, url),
    ]),
  };
}

function listed(items: readonly WaitingItem[]): Block[] {
  const rest = items.length - NAMED;
  return [
    { kind: "list", items: items.slice(0, NAMED).map(({ words }) => words) },
    ...(rest > 0 ? [paragraph(`And ${rest.toLocaleString("en-US")} more.`)] : []),
  ];
}

function link(topic: NotificationTopic, url: string | null): Block[] {
  const { link: label, path } = TOPIC_WORDS[topic];
  return url === null ? [] : [{ kind: "link", label, url: `${url}${path}` }];
}
