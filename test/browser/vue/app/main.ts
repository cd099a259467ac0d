// The script of the pages: it hydrates what the server has rendered.
import { type ShopOptions, createShop } from "./shop.ts";

const text = document.getElementById("given")?.textContent ?? "{}";

createShop(JSON.parse(text) as ShopOptions).mount("#app");
