import { XmlElement } from "@rgrove/parse-xml";

/** The elements directly in another. */
export function childElements(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement);
}
