/**
 * An address without most of its characters: its owner recognizes it, and a holder of the invitation's token who does
 * not know it does not learn it.
 */
export function toAddressHint(email: string): string {
  const [local = "", host = ""] = email.split("@");
  const end = host.includes(".") ? host.slice(host.lastIndexOf(".")) : "";
  return `${toInitial(local)}…@${toInitial(host)}…${end}`;
}

function toInitial(text: string): string {
  return Array.from(text)[0] ?? "";
}
