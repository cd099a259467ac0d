import { bootstrapApplication } from "@angular/platform-browser";
import { ShopApp } from "./app/shop-app";

bootstrapApplication(ShopApp).catch(reportError);
