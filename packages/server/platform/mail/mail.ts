/** A mail to one person, in plain text and in HTML that loads nothing. */
export interface Mail {
  /** The same id is the same mail, however often it is sent: 1 to 64 of `a-z 0-9 -`. */
  id: string;
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Of the words in it (BCP 47). */
  language: string;
}

/** Who mails are from. */
export interface Sender {
  name: string;
  address: string;
}

/**
 * Where mails go. Every driver passes `test/conformance/mail.test.ts`: a mail is handed over when it
 * resolves, with its words as they were given, to that one address. Throws `MailError`.
 */
export interface Mails {
  sendMail(mail: Mail): Promise<void>;
}

interface MailErrorOptions {
  /** Whether the mail will never be taken: trying again does not help. */
  isLasting: boolean;
}

/** A mail that could not be handed over: why, in words that a log may hold, so without the address. */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly isLasting: boolean;

  constructor(message: string, { isLasting }: MailErrorOptions) {
    super(message);
    this.isLasting = isLasting;
  }
}

const addressLengthMax = 254;
/** Looks like an address: one @, something before it, a host behind it, nothing that a mail header minds. */
export const mailAddressPattern =
  /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(?:\.[^\s@<>()[\]\\,;:".]+)*$/u;
const unprintable = /\p{Cc}/u;
const idPattern = /^[a-z0-9-]{1,64}$/;

/** Whether text is one address that a mail can go to: nothing in it that a header would read otherwise. */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= addressLengthMax &&
    mailAddressPattern.test(text) &&
    !unprintable.test(text) &&
    text.isWellFormed()
  );
}

/** Throws a lasting `MailError` for a mail that no driver may send: another line could be another header. */
export function assertMail({ id, to, subject }: Mail): void {
  const fault = !isMailAddress(to)
    ? "the address is not one"
    : unprintable.test(subject)
      ? "the subject has control characters"
      : idPattern.test(id)
        ? undefined
        : "the id is not one";
  if (fault !== undefined)
    throw new MailError(`The mail was not sent: ${fault}.`, { isLasting: true });
}
