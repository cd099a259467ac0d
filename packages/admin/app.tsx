import { useEffect } from "preact/hooks";
import { Frame } from "./screens/frame/frame.tsx";
import { palette } from "./screens/frame/palette-state.ts";
import { entry, go, match, path } from "./browser/router.ts";
import { openScreens, screens } from "./screens.ts";
import { Renewal } from "./screens/auth/renewal.tsx";
import { SignIn } from "./screens/auth/sign-in.tsx";
import { Missing } from "./ui/missing.tsx";
import { confirmation, me, renewal } from "./data/session.ts";
import { lazy } from "./ui/lazy.tsx";
import { Toasts } from "./ui/toast.tsx";

const Palette = lazy(
  () => import("./screens/palette/palette.tsx"),
  () => null,
);
const FactorNeeded = lazy(() => import("./screens/account/factor-needed.tsx"));
const Confirmation = lazy(() => import("./screens/account/confirmation.tsx"));

/** The whole app: the screen for the current address and the signed-in user. */
export function App() {
  return (
    <>
      <CurrentScreen />
      {confirmation.value && <Confirmation />}
      {renewal.value && <Renewal />}
      <Toasts />
    </>
  );
}

function CurrentScreen() {
  const open = find(openScreens);
  if (open) return <open.screen {...open.found} />;
  // The session is not known yet. Rendering nothing avoids a flash of the wrong screen.
  if (me.value === undefined) return null;
  // The address is kept, so that its screen is shown after the sign-in.
  if (me.value === null) return <SignIn />;
  if (me.value.needsSecondFactor) return <FactorNeeded />;
  if (path.value === "/") return <Home />;
  const shown = find(screens);
  const projectId = shown?.found["projectId"];
  return (
    <>
      <Frame projectId={projectId} organizationId={shown?.found["organizationId"]}>
        {shown ? <shown.screen key={entry.value} {...shown.found} /> : <Missing />}
      </Frame>
      {palette.value && <Palette key={palette.value} kind={palette.value} projectId={projectId} />}
    </>
  );
}

function Home() {
  useEffect(() => go("/projects", { replace: true }), []);
  return null;
}

function find<S extends { pattern: string }>(all: readonly S[]) {
  for (const one of all) {
    const found = match(one.pattern, path.value);
    if (found) return { ...one, found };
  }
  return undefined;
}
