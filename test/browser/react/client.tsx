// The entry of the browser: hydrates the server's page, or renders into an empty one.
import { createRoot, hydrateRoot } from "react-dom/client";
import type { ShopProps } from "./shop-props.ts";
import { Shop } from "./shop.tsx";

const props = JSON.parse(document.querySelector("#props")?.textContent ?? "{}") as ShopProps;
const root = document.querySelector("#root");
if (root?.firstChild) hydrateRoot(root, <Shop {...props} />);
else if (root) createRoot(root).render(<Shop {...props} />);
