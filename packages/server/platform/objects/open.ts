import { openFolderObjects } from "./folder.ts";
import type { Objects } from "./objects.ts";

/** The storage of published files. */
export type ObjectsConfig =
  | {
      readonly kind: "folder";
      /** Absolute. */
      readonly root: string;
    }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      /** Prefix of each key: empty, or with a trailing slash. */
      readonly prefix: string;
      /** Default: AWS. */
      readonly endpoint: string | undefined;
      /** Default: as AWS's tools find it. */
      readonly region: string | undefined;
      readonly pathStyle: boolean;
    };

/**
 * Opens the configured storage.
 * @throws StartError when it cannot be used
 */
export async function openObjects(
  config: ObjectsConfig,
  now: () => Date,
): Promise<Objects & Disposable> {
  if (config.kind === "folder") {
    const objects = await openFolderObjects({ root: config.root, now });
    return { ...objects, [Symbol.dispose]: () => undefined };
  }
  // Loading the SDK takes longer than starting everything else.
  const { openS3Objects } = await import("./s3.ts");
  return openS3Objects(config);
}
