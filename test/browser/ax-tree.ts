import assert from "node:assert/strict";
import type { CDPSession, Page } from "playwright-core";
import { poll } from "../poll.ts";

/** A node of Chromium's accessibility tree, as assistive technology gets it. */
interface AxNode {
  role: string;
  name: string;
  isFocused: boolean;
}

/** A keyboard user who reads the accessibility tree of a page. */
export interface AxReader {
  /** The nodes of the tree that are not ignored, in its order. */
  read: () => Promise<AxNode[]>;
  /**
   * Presses Tab until the focus is on an element of this role and name. Returns the names of all stops. Fails when a stop
   * on the way has no name or no role, or after `PRESSES_MAX` presses.
   */
  tabTo: (role: string, name: string | RegExp) => Promise<string[]>;
  /** Waits until a live region, or the element that the page moved the focus to, has a text. */
  hear: (text: RegExp) => Promise<void>;
}

const PRESSES_MAX = 120;
const HEAR_MS_MAX = 10_000;
/** Roles of elements that only group others: as a stop, nothing says what they do. */
const rolesWithoutMeaning = new Set(["generic", "none", "unknown"]);
/** Stops of the page as a whole, in front of its first element and behind its last. */
const pageRoles = new Set(["RootWebArea", "WebArea"]);

/** Roles whose changes are announced without moving the focus. */
const liveRoles = new Set(["status", "alert", "log"]);

interface RawNode {
  nodeId: string;
  parentId?: string;
  ignored: boolean;
  role?: { value?: string };
  name?: { value?: string };
  properties?: { name: string; value: { value?: string | boolean } }[];
}

/** Opens the accessibility tree of a page, which Chromium then keeps up to date. */
export async function openAxReader(page: Page): Promise<AxReader> {
  const session = await page.context().newCDPSession(page);
  await session.send("Accessibility.enable");
  const read = async () => (await readRaw(session)).filter(({ ignored }) => !ignored).map(toNode);
  return {
    read,
    async tabTo(role, name) {
      const stops: string[] = [];
      for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
        await page.keyboard.press("Tab");
        const focused = (await read()).findLast(({ isFocused }) => isFocused);
        if (!focused || pageRoles.has(focused.role)) continue;
        const at = `${focused.role} “${focused.name}” after ${stops.at(-1) ?? "the start"}`;
        assert.ok(!rolesWithoutMeaning.has(focused.role), `a stop has no role: ${at}`);
        assert.notEqual(focused.name.trim(), "", `a stop has no name: ${at}`);
        stops.push(focused.name);
        const isName = typeof name === "string" ? focused.name === name : name.test(focused.name);
        if (focused.role === role && isName) return stops;
      }
      return assert.fail(`Tab does not reach ${role} “${String(name)}”: ${stops.join(", ")}`);
    },
    async hear(text) {
      await poll({
        read: async () => listSpokenTexts(await readRaw(session)),
        isRight: (texts) => texts.some((one) => text.test(one)),
        waitMs: HEAR_MS_MAX,
        toMessage: (texts) => `Nothing that is announced has ${String(text)}: ${texts.join(" | ")}`,
      });
    },
  };
}

async function readRaw(session: CDPSession): Promise<RawNode[]> {
  const { nodes }: { nodes: RawNode[] } = await session.send("Accessibility.getFullAXTree");
  return nodes;
}

function toNode({ role, name, properties = [] }: RawNode): AxNode {
  const has = (key: string) =>
    properties.some((one) => one.name === key && one.value.value === true);
  return {
    role: role?.value ?? "",
    name: name?.value ?? "",
    isFocused: has("focused"),
  };
}

/** The text of each live region and of the focused element: the names of the texts below it, in order. */
function listSpokenTexts(nodes: readonly RawNode[]): string[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const texts = new Map<string, string>();
  for (const node of nodes) {
    const own = toNode(node);
    if (own.role !== "StaticText") continue;
    for (let at: RawNode | undefined = node; at; at = byId.get(at.parentId ?? ""))
      if (isSpoken(at)) texts.set(at.nodeId, `${texts.get(at.nodeId) ?? ""} ${own.name}`.trim());
  }
  return [...texts.values()];
}

function isSpoken(node: RawNode): boolean {
  const { role, isFocused } = toNode(node);
  return liveRoles.has(role) || (isFocused && !pageRoles.has(role));
}
