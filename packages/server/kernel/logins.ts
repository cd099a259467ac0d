const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * What a username or an e-mail address is compared by: trimmed, compatibility forms and case folded
 * away, invisible characters dropped, so that what reads as one name is one name. Upper-casing
 * between two lower-casings makes it full case folding (ß is ss, ς is σ, ı is i). Two logins are
 * the same name when this gives the same string; it may be longer than what came in, or empty.
 */
export function toLoginName(login: string): string {
  const plain = login.normalize("NFKC").replace(ignorable, "").toLowerCase();
  return plain.toUpperCase().toLowerCase().normalize("NFKC").trim();
}
