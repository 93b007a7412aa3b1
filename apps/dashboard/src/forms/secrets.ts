/** Drafts do not keep these. */
const SECRET_TYPES = ["password", "file", "hidden"];

/** Keys and signing secrets, ours and Stripe's: `whsec_…`, `ff_sk_…`, `rk_live_…`. */
const SECRET = /\b(whsec|ff_sk|sk_live|sk_test|rk_live|rk_test)_/;

/** Whether a control may hold a secret: by its kind, its attribute `data-secret`, or a secret that was pasted into the wrong field. */
export function isSecret(control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): boolean {
  return (
    SECRET_TYPES.includes(control.type) || control.dataset.secret !== undefined || SECRET.test(control.value)
  );
}
