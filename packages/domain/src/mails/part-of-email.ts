/** `j***@example.com`: enough to recognize a referral, too little to write to it. */
export function partOfEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [first = ""] = email;
  return `${at > 0 ? first : ""}***${email.slice(Math.max(at, 0))}`;
}
