import { expect, it } from "vitest";
import { isCommonPassword } from "../../../src/identity/accounts/common-passwords.ts";

const JANE = { email: "jane.doe@acme-shoes.example", names: ["Jane Doe", "Northwind Traders"] };

it.each([
  "password1234",
  "123456789012",
  "qwertyuiop12",
  "letmein12345",
  "Letmein12345!",
  "L3tm31n12345",
  "P@ssw0rd2026",
  "!!!dragon!!!123",
  "qwertyqwerty",
  "987654321098765",
  "345678901234",
  "ｐａｓｓｗｏｒｄ1234",
  " password1234 ",
])("refuses the common password %s", async (password) => {
  expect(await isCommonPassword(password, JANE)).toBe(true);
});

it.each([
  "jane.doe1234",
  "JaneDoe!2026",
  "doejanedoe12",
  "acme-shoes12",
  "acmeshoes2026",
  "northwind123",
  "Northwind Traders",
  "northwindpassword1",
  "findersfee12",
  "F1nd3rsfee!!",
  "jane.doe@acme-shoes.example",
])("refuses %s, which consists of names", async (password) => {
  expect(await isCommonPassword(password, JANE)).toBe(true);
});

it.each([
  "correct horse battery",
  "another horse battery",
  "kR7#vw2!mQ9z",
  "830174629135",
  "jane likes green tea",
  "四つの無関係な言葉を並べる",
  "%$&/()=!?§+*",
])("accepts %s", async (password) => {
  expect(await isCommonPassword(password, JANE)).toBe(false);
});

it("does not take a short name, or no name, for a password", async () => {
  expect(await isCommonPassword("correct horse battery", { email: "a@b.co", names: ["X", ""] })).toBe(false);
});
