import type { Mail, Sender } from "./mail.ts";

/** A mail in the words of nodemailer; none of its text is read as a file, an address or a list. */
export function toMessage(mail: Mail, from: Sender) {
  const [, host = "localhost"] = from.address.split("@");
  return {
    from: { name: from.name, address: from.address },
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${host}>`,
    headers: {
      // Nobody's holiday answers it (RFC 3834).
      "Auto-Submitted": "auto-generated",
      "Content-Language": mail.language,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
