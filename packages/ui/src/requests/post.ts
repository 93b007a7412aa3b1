import type { ErrorObject } from "@findersfee/contract/errors";
import { APPLICATION_PATH } from "./application-path.ts";
import { RequestFailed } from "./failure.ts";
import { readJson, send } from "./fetch-json.ts";

/** Gets the data at a path of the application. Throws `RequestFailed`. */
export async function get<Answer>(path: `/${string}`, init: RequestInit = {}): Promise<Answer> {
  return await answerOf(send(`${APPLICATION_PATH}${path}`, init));
}

/** Posts JSON to a path of the application, and returns the answer's data. Throws `RequestFailed`. */
export async function post<Answer>(path: `/${string}`, body: object): Promise<Answer> {
  return await answerOf(
    send(`${APPLICATION_PATH}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

async function answerOf<Answer>(request: Promise<Response>): Promise<Answer> {
  const response = await request;
  const answer = await readJson<{ data: Answer; error: ErrorObject }>(response);
  if (response.ok) return answer.data as Answer;
  throw new RequestFailed(response, answer.error ?? null);
}
