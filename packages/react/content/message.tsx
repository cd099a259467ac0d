import { type MessageNode, isLinkable, parseMessage } from "@avow/widget/headless";
import { type ReactNode, createElement } from "react";

/** A published message. Only allowed elements are created, so its HTML is never parsed by the browser. */
export function Message({ html }: { html: string | undefined }): ReactNode {
  return html ? <div className="avow-message">{parseMessage(html).map(toElement)}</div> : null;
}

function toElement(node: MessageNode, key: number): ReactNode {
  if (typeof node === "string") return node;
  const children = node.children.map(toElement);
  return node.name === "a" ? (
    <Link key={key} href={node.href}>
      {children}
    </Link>
  ) : (
    createElement(node.name, { key }, ...children)
  );
}

/** A link that opens in a new tab; only HTTP and mail addresses are linked. */
export function Link({ href, children }: { href: string; children: ReactNode }): ReactNode {
  if (!isLinkable(href)) return <span>{children}</span>;
  return (
    <a className="avow-link" href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** A square, decorative image; nothing unless the address is HTTP. */
export function Picture({ src, size }: { src: string | undefined; size: number }): ReactNode {
  return src?.startsWith("http") ? (
    <img className="avow-picture" src={src} alt="" width={size} height={size} />
  ) : null;
}
