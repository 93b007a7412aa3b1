import { expect, it } from "vitest";
import { emailInput, payeeEmailInput } from "./fields.ts";

it.each([
  "jane@example.com",
  "a.b.@mail.example",
  ".a..b@mail.example",
  "j\u00f6rg@m\u00fcller.example",
  "\u043f\u043e\u0447\u0442\u0430@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
  "info@xn--mller-kva.xn--p1ai",
  "o'neill+tag#1/x=y@example.com",
  "under_score@my_host.example.com",
])("accepts the email %s", (email) => {
  expect(emailInput.parse(email)).toBe(email);
  expect(emailInput.parse(` \t${email}\n`)).toBe(email);
});

const BLANK = "a blank or an invisible character is not allowed before the @.";
const DOMAIN = "after the @ must be a domain, as in example.com.";

it.each([
  ["", "it has no @."],
  ["jane", "it has no @."],
  ["@example.com", "nothing is before the @."],
  ["jane doe@example.com", BLANK],
  ["jane\u0000@example.com", BLANK],
  ["jane\r\nx@example.com", BLANK],
  ["jane\u202e@example.com", BLANK],
  ["jane\ud800@example.com", BLANK],
  ["jane@doe@example.com", "@ is not allowed before the @."],
  ["<jane@example.com", "< is not allowed before the @."],
  ["a,b@example.com", ", is not allowed before the @."],
  ["jane@", DOMAIN],
  ["jane@localhost", DOMAIN],
  ["jane@example.com.", DOMAIN],
  ["jane@127.0.0.1", DOMAIN],
  ["jane@exa mple.com", DOMAIN],
  ["jane@-example.com", DOMAIN],
  ["jane@example.com>", DOMAIN],
  [`jane@${"a".repeat(64)}.com`, DOMAIN],
])("says what is wrong with the email %j", (email, issue) => {
  const { error } = emailInput.safeParse(email);
  expect(error?.issues.map(({ message }) => message)).toEqual([`Must be an email address: ${issue}`]);
});

it("says that an email is too long, or no text", () => {
  for (const email of [`${"a".repeat(250)}@x.com`, 5, null]) {
    const { error } = emailInput.safeParse(email);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      "Must be an email address of at most 254 characters.",
    ]);
  }
});

it.each(["+a@example.com", "=a@example.com", "\uff1da@example.com", "'-a@example.com"])(
  "accepts no payee email that is a formula: %s",
  (email) => {
    expect(payeeEmailInput.safeParse(email).error?.issues).toHaveLength(1);
  },
);
