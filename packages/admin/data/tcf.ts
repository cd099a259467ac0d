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
/** Maximum number of pages. IAB's list has about a thousand vendors. */
const PAGES_MAX = 10;

/** The TCF settings of a project, with the tag of their version; undefined before they are created. */
export interface Tcf {
  settings: TcfSetting | undefined;
  etag: string;
  /** The vendors to choose from; undefined if the service has no vendor list. */
  listed: readonly TcfVendor[] | undefined;
}

/** Reads a project's TCF settings and the vendor list. @throws Problem */
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

/** Saves TCF settings; fails if somebody else has changed them. @throws Problem */
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
