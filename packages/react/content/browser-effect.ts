import { useEffect, useLayoutEffect } from "react";

/** An effect before the browser paints. React 18 warns of `useLayoutEffect` on servers. */
export const useBrowserEffect = typeof document === "object" ? useLayoutEffect : useEffect;
