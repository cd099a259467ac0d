/**
 * An address without most of its characters: its owner recognizes it, and a holder of the invitation's token who does
 * not know it does not learn it.
 */
export function toAddressHint(email: string): string {
  const [local = "", host = ""] = email.split("@");
  const first = (text: string) => Array.from(text)[0] ?? "";
  const end = host.includes(".") ? host.slice(host.lastIndexOf(".")) : "";
  return `${first(local)}…@${first(host)}…${end}`;
}
