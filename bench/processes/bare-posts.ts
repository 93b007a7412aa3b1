/* A loop of signed POSTs through the same client and nothing else: the upper limit for sending. */
import { randomBytes } from "node:crypto";
import { newId } from "@findersfee/domain/ids";
import { signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";
import { createSender } from "@findersfee/worker/webhooks/send";
import { runJobs } from "../jobs.ts";

export interface PostJob {
  url: string;
  body: string;
  requests: number;
  connections: number;
}

const sender = createSender({ allow_http: true, allow_private: true, user_agent_version: "0.0.0" });

runJobs(post, () => sender.close());

async function post({ url, body, requests, connections }: PostJob): Promise<{ per_second: number }> {
  const keys = [randomBytes(32)];
  let left = requests;
  const loop = async () => {
    while (left-- > 0) {
      const id = newId(new Date());
      const timestamp = Math.floor(Date.now() / 1000);
      await sender.send({ url, id, timestamp, signature: signWebhook({ id, timestamp, body }, keys), body });
    }
  };
  const started_at = performance.now();
  await Promise.all(Array.from({ length: connections }, loop));
  return { per_second: requests / ((performance.now() - started_at) / 1000) };
}
