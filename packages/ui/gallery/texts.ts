/** Texts as strangers write them. */
export const LONG = "Extraordinarily long name without end ".repeat(30).trim();
export const UNBROKEN = "x".repeat(10_000);
export const ARABIC = "شركة التسويق بالعمولة الدولية";
export const MARKUP = '<img src=x onerror="alert(1)"> & <b>bold</b>';
