import type { Kind } from "./setting-kinds.ts";

export const bucket: Kind<string> = {
  expected: "a bucket's name of 3 to 63 lower-case letters, digits, dots and hyphens",
  read: (value) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? value : undefined),
};

export const region: Kind<string> = {
  expected: "a region such as eu-central-1",
  read: (value) => (/^[a-z0-9-]{1,64}$/.test(value) ? value : undefined),
};

/** Read as what can be put before a key: empty, or with one slash at its end. */
export const keyPrefix: Kind<string> = {
  expected: "segments of letters, digits, dots, hyphens and underscores between slashes",
  read: (value) => {
    const path = value.replace(/^\/+|\/+$/g, "");
    if (path === "") return "";
    const segments = path.split("/");
    const isPlain = segments.every((one) => /^[\w.-]+$/.test(one) && !/^\.+$/.test(one));
    return isPlain && path.length <= 256 ? `${path}/` : undefined;
  },
};
