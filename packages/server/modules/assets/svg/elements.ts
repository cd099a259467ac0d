import { XmlElement } from "@rgrove/parse-xml";

export function childElements(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement);
}
