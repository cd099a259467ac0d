import { render } from "preact";
import { App } from "./app.tsx";
import { asProblem } from "./api/problem.ts";
import { followLinks } from "./browser/router.ts";
import { findSession } from "./data/session.ts";
import { Skeleton } from "./ui/skeleton.tsx";
import { Unreachable } from "./ui/unreachable.tsx";

const place = document.querySelector("#app");
if (!place) throw new Error("The page has no #app element.");
document.addEventListener("click", followLinks);
void begin(place);

/** Shown until the session is known. */
function Starting() {
  return (
    <main class="page">
      <Skeleton lines={6} />
    </main>
  );
}

async function begin(at: Element): Promise<void> {
  try {
    render(<Starting />, at);
    await findSession();
    render(<App />, at);
  } catch (error) {
    const problem = asProblem(error);
    render(<Unreachable problem={problem} onRetry={() => void begin(at)} />, at);
  }
}
