import {
  type TcfSetting,
  type TcfSettingIn,
  type TcfVendor,
  createTcfSetting,
  getTcfSetting,
  listTcfSettings,
  listTcfVendors,
  patchTcfSetting,
} from "@avow/client/operations";
import { asProblem } from "../api/problem.ts";
import { send, sendWhole } from "../api/send.ts";

const PER_PAGE = 1_000;
/** IAB's list has a thousand; more than this is no such list. */
const PAGES_MAX = 10;

/** What a project asks for in IAB's framework, with the tag of that version; undefined before it is written. */
export interface Tcf {
  settings: TcfSetting | undefined;
  etag: string;
  /** Those that may be chosen; undefined where the service has no list. */
  listed: readonly TcfVendor[] | undefined;
}

/** Reads the partners of a project, and those that there are. @throws Problem */
export async function readTcf(projectId: string): Promise<Tcf> {
  const query = { perPage: 1, sort: "-createdAt" };
  const [[found], listed] = await Promise.all([
    send(listTcfSettings, { query, filter: { projectId } }),
    readListed(),
  ]);
  if (!found) return { settings: undefined, etag: "", listed };
  const path = { documentId: found.id };
  const { body, headers } = await sendWhole(getTcfSetting, { path });
  return { settings: body, etag: headers.get("etag") ?? "", listed };
}

async function readListed(): Promise<readonly TcfVendor[] | undefined> {
  const all: TcfVendor[] = [];
  try {
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const query = { page, perPage: PER_PAGE };
      const { body, headers } = await sendWhole(listTcfVendors, { query });
      all.push(...body);
      if (page >= Number(headers.get("x-last-page"))) break;
    }
    return all;
  } catch (error) {
    const problem = asProblem(error);
    if (problem.kind === "impossible") return undefined;
    throw problem;
  }
}

/** Writes what a project asks for, where nobody else has meanwhile. @throws Problem */
export async function saveTcf(
  projectId: string,
  { settings, etag }: Tcf,
  change: Partial<Pick<TcfSettingIn, "cmpId" | "publisherCC" | "vendors">>,
): Promise<void> {
  if (!settings) await send(createTcfSetting, { body: { projectId, ...change } });
  else {
    const path = { documentId: settings.id };
    await send(patchTcfSetting, { path, body: change, ifMatch: etag });
  }
}
