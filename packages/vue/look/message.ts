import { type MessageNode, isLinkable, parseMessage } from "@avow/widget/headless";
import { type VNode, h } from "vue";

/** Renders a published message by allowed elements only. */
export function toMessage(html: string | undefined): (VNode | string)[] {
  return parseMessage(html).map(toNode);
}

function toNode(node: MessageNode): VNode | string {
  if (typeof node === "string") return node;
  const children = node.children.map(toNode);
  return node.name === "a" ? toLink(node.href, children) : h(node.name, children);
}

/** A link that opens in a new tab; a text if its address is neither HTTP nor mail. */
export function toLink(href: string, children: string | (VNode | string)[]): VNode {
  return isLinkable(href)
    ? h("a", { href, target: "_blank", rel: "noreferrer" }, children)
    : h("span", children);
}

/** A square, decorative image; nothing unless the address is HTTP. */
export function toImage(src: string | undefined, size: number): VNode | undefined {
  return src?.startsWith("http")
    ? h("img", { src, alt: "", width: size, height: size })
    : undefined;
}
