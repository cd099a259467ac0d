import type { Site } from "../core/site.ts";
import type { OfferLook } from "./api.ts";

const POSITION = "bottom-left";

/** The published look of a project. */
export function toLook({ client, widget }: Pick<Site, "client" | "widget">): OfferLook {
  return {
    theme: widget?.theme ?? {},
    position: client?.widgetStyle?.position ?? POSITION,
    isModal: Boolean(client?.overlayStyle?.["background"]),
  };
}
