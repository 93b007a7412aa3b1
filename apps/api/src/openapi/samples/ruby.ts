import { type Syntax, writeLiteral } from "./literal.ts";
import type { SampleRequest } from "./request.ts";

const SYNTAX: Syntax = {
  object: ["{", "}"],
  array: ["[", "]"],
  padding: " ",
  indent: "  ",
  trailing_comma: false,
  // In Ruby's double quotes, `#` before `{`, `$` or `@` starts an interpolation.
  string: (text) => JSON.stringify(text).replaceAll(/#(?=[{$@])/g, "\\#"),
  name: (name) => `${name}: `,
  constants: ["nil", "true", "false"],
};

const CLASSES = { GET: "Get", POST: "Post", PUT: "Put" } as const;

/** Uses only the standard library. */
export function rubySample({ method, path, body, is_list, printed }: SampleRequest): string {
  const content =
    body === null
      ? ""
      : `request["Content-Type"] = "application/json"\nrequest.body = JSON.generate(${writeLiteral(body, SYNTAX)})\n`;
  const use = is_list ? 'answer["data"].each { |row| puts row["id"] }' : `puts answer["data"]["${printed}"]`;
  return `require "json"
require "net/http"

uri = URI(ENV.fetch("FINDERSFEE_URL") + ${JSON.stringify(path)})
request = Net::HTTP::${CLASSES[method]}.new(uri)
request["Authorization"] = "Bearer #{ENV.fetch("FINDERSFEE_API_KEY")}"
${content}response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https") do |http|
  http.request(request)
end
answer = JSON.parse(response.body)
raise answer["error"]["message"] unless answer["success"]

${use}
`;
}
