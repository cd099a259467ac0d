const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The form in which usernames and e-mail addresses are compared: trimmed, compatibility forms and case
 * folded, invisible characters removed. Lower, upper and lower case again amount to full case folding
 * (ß is ss, ς is σ, ı is i). The result may be longer than the login, or empty.
 */
export function toLoginName(login: string): string {
  const plain = login.normalize("NFKC").replace(ignorable, "").toLowerCase();
  return plain.toUpperCase().toLowerCase().normalize("NFKC").trim();
}
