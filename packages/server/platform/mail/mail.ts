/** A mail to one person, in plain text and in HTML that loads nothing. */
export interface Mail {
  /** Identifies the mail when it is sent again: 1 to 64 of `a-z 0-9 -`. */
  id: string;
  /** One address, without a name. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** BCP 47. */
  language: string;
  /** An address that ends such mails with one POST (RFC 8058). Absent for mails that cannot be refused. */
  unsubscribeUrl?: string | undefined;
  /** The name before that of the service, whose address stays the sender's. */
  senderName?: string;
  /** The address for answers. */
  replyTo?: string;
}

export interface Sender {
  name: string;
  address: string;
}

/**
 * Sends mails. Every driver passes `test/ports/mail.test.ts`: when `sendMail` resolves, the mail is handed over
 * unchanged for its one address. Throws `MailError`.
 */
export interface Mails {
  sendMail(mail: Mail): Promise<void>;
}

interface MailErrorOptions {
  /** Whether a retry cannot succeed. */
  isLasting: boolean;
}

/** A mail could not be handed over. The message has no address, so it can be logged. */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly isLasting: boolean;

  constructor(message: string, { isLasting }: MailErrorOptions) {
    super(message);
    this.isLasting = isLasting;
  }
}

export const addressLengthMax = 254;
/** One @ between a local part and a host, without characters that are special in a mail header. */
export const mailAddressPattern =
  /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(?:\.[^\s@<>()[\]\\,;:".]+)*$/u;
const unprintable = /\p{Cc}/u;
const idPattern = /^[a-z0-9-]{1,64}$/;

/** Whether text is exactly one mail address, which is also safe in a header. */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= addressLengthMax &&
    mailAddressPattern.test(text) &&
    !unprintable.test(text) &&
    text.isWellFormed()
  );
}

/** Throws a permanent `MailError` for an invalid mail: a line break could inject a header. */
export function assertMail({ id, to, subject, senderName = "", replyTo = to }: Mail): void {
  const fault = !isMailAddress(to)
    ? "the address is not valid"
    : !isMailAddress(replyTo) || unprintable.test(senderName)
      ? "the sender is not valid"
      : unprintable.test(subject)
        ? "the subject has control characters"
        : idPattern.test(id)
          ? undefined
          : "the id is not valid";
  if (fault !== undefined)
    throw new MailError(`The mail was not sent: ${fault}.`, { isLasting: true });
}
