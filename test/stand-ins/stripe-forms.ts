/** A form as Stripe parses it: `a[b][0]=c` is `{ a: { b: { 0: "c" } } }`. */
export interface Form {
  [name: string]: string | Form;
}

export function readForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split(/\]\[|\[|\]/).filter((key) => key !== "");
    const last = keys.pop() ?? "";
    let at = form;
    for (const key of keys) {
      const next = at[key];
      const inner: Form = typeof next === "object" ? next : {};
      at[key] = inner;
      at = inner;
    }
    at[last] = value;
  }
  return form;
}

/** The text at a path; undefined when there is none. */
export function textAt(form: Form, ...path: string[]): string | undefined {
  const found = path.reduce<string | Form | undefined>(
    (at, key) => (typeof at === "object" ? at[key] : undefined),
    form,
  );
  return typeof found === "string" ? found : undefined;
}
