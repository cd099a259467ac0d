import type { Mail, Sender } from "./mail.ts";

/** Converts a mail for nodemailer, so that no text is read as a file, a URL or a list of addresses. */
export function toMessage(mail: Mail, from: Sender) {
  const [, host = "localhost"] = from.address.split("@");
  return {
    // The service's name stays, so that nobody writes in the name of another one.
    from: {
      name: mail.senderName === undefined ? from.name : `${mail.senderName} (${from.name})`,
      address: from.address,
    },
    ...(mail.replyTo !== undefined && { replyTo: { name: "", address: mail.replyTo } }),
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${host}>`,
    headers: {
      // Suppresses automatic replies (RFC 3834).
      "Auto-Submitted": "auto-generated",
      "Content-Language": mail.language,
      ...(mail.unsubscribeUrl === undefined
        ? {}
        : {
            // RFC 8058, section 3.1.
            "List-Unsubscribe": `<${mail.unsubscribeUrl}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
