// The entry of the server.
import { renderToString } from "react-dom/server";
import type { ShopProps } from "./shop-props.ts";
import { Shop } from "./shop.tsx";

export function render(props: ShopProps): string {
  return renderToString(<Shop {...props} />);
}
