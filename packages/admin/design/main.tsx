import { render } from "preact";
import { followLinks } from "../browser/router.ts";
import { Toasts } from "../ui/toast.tsx";
import { Components } from "./components.tsx";
import { Tokens } from "./tokens.tsx";

/** The tokens and components of the app, for its developers. The production build has no such page. */
function Design() {
  return (
    <main class="design">
      <header class="page-head">
        <h1>Design</h1>
      </header>
      <Tokens />
      <Components />
      <Toasts />
    </main>
  );
}

document.title = "Design · Avow";
document.addEventListener("click", followLinks);
const place = document.querySelector("#app");
if (place) render(<Design />, place);
