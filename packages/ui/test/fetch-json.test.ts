import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { failureOf } from "../src/requests/failure.ts";
import { readJson, send } from "../src/requests/fetch-json.ts";

let server: Server;
let url: string;

/** The path says how the server answers: `/<status>/<content>`, or `/<status>/cut` for a body that breaks off. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const [, status = "200", content = ""] = (request.url ?? "").split("/");
    if (content !== "cut") return response.writeHead(Number(status)).end(decodeURIComponent(content));
    response.writeHead(Number(status), { "content-length": "100" });
    return response.write('{"data":', () => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(() => server.close());

const read = async (path: string) => await readJson(await send(`${url}${path}`));
const failureAt = (path: string) => read(path).catch(failureOf);

it("reads the JSON of a success, and of an error", async () => {
  expect(await read(`/200/${encodeURIComponent('{"data":[1]}')}`)).toEqual({ data: [1] });
  expect(await read(`/409/${encodeURIComponent('{"error":{}}')}`)).toEqual({ error: {} });
});

it("fails if a success breaks off or is not JSON, instead of having no data", async () => {
  for (const path of ["/200/cut", "/200/hello"]) {
    expect(await failureAt(path)).toMatchObject({ code: "unreachable", status: 0 });
  }
});

it("has no fields of an error that is not JSON", async () => {
  expect(await read("/502/Bad%20gateway")).toEqual({});
});

it("fails without a response", async () => {
  const failed = send("http://127.0.0.1:1").catch(failureOf);
  expect(await failed).toMatchObject({ code: "unreachable", status: 0 });
});
