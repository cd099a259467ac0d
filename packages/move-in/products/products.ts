import { axeptio } from "./axeptio.ts";
import { c15t } from "./c15t.ts";
import { cookiebot } from "./cookiebot.ts";
import { cookieconsent } from "./cookieconsent.ts";
import { didomi } from "./didomi.ts";
import { klaro } from "./klaro.ts";
import { onetrust } from "./onetrust.ts";
import type { Product } from "./product.ts";
import { tarteaucitron } from "./tarteaucitron.ts";
import { usercentrics } from "./usercentrics.ts";

/** All products; a file belongs to the first that recognizes it. */
export const products: readonly Product[] = [
  onetrust,
  cookiebot,
  didomi,
  usercentrics,
  tarteaucitron,
  klaro,
  cookieconsent,
  c15t,
  axeptio,
];
