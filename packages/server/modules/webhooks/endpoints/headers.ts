import { type FieldFault, assertNoFaults } from "../../../platform/errors.ts";

/** Headers of the connection, the body or the signature. */
const ownHeaders =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|webhook-.*|user-agent|x-request-id)$/i;
const namePattern = /^[A-Za-z0-9!#$%&'*+.^_|~-]{1,64}$/;
const valuePattern = /^[\t\x20-\x7E]*$/;
const HEADERS_MAX = 20;

/** @throws Fault invalid, naming each header that must not be sent */
export function assertHeaders(headers: Readonly<Record<string, string>>): void {
  const faults: FieldFault[] = [];
  const names = Object.keys(headers);
  if (names.length > HEADERS_MAX)
    faults.push({ path: "/headers", message: `must have ${HEADERS_MAX} at most` });
  for (const name of names.slice(0, HEADERS_MAX)) {
    const path = `/headers/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!namePattern.test(name)) faults.push({ path, message: "is no name of a header" });
    else if (ownHeaders.test(name)) faults.push({ path, message: "is set by the service" });
    else if (!valuePattern.test(headers[name] ?? ""))
      faults.push({ path, message: "must be of visible ASCII characters" });
  }
  assertNoFaults(faults);
}

/** Names only: values may be secrets. */
export function toHiddenHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, "hidden"]));
}
