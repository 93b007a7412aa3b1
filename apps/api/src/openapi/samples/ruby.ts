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
export function rubySample({ method, path, body, answer, printed }: SampleRequest): string {
  const content =
    body === null
      ? ""
      : `request["Content-Type"] = "application/json"\nrequest.body = JSON.generate(${writeLiteral(body, SYNTAX)})\n`;
  const enveloped =
    'answer = JSON.parse(response.body)\nraise answer["error"]["message"] unless answer["success"]';
  const use = {
    resource: `${enveloped}\n\nputs answer["data"]["${printed}"]`,
    page: `${enveloped}\n\nanswer["data"].each { |row| puts row["id"] }`,
    // `value` raises for a status that is no success.
    lines: 'response.value\n\nresponse.body.each_line { |line| puts JSON.parse(line)["id"] }',
  }[answer];
  return `require "json"
require "net/http"

uri = URI(ENV.fetch("FINDERSFEE_URL") + ${JSON.stringify(path)})
request = Net::HTTP::${CLASSES[method]}.new(uri)
request["Authorization"] = "Bearer #{ENV.fetch("FINDERSFEE_API_KEY")}"
${content}response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https") do |http|
  http.request(request)
end
${use}
`;
}
