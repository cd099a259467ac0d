import type { ScanResult } from "@avow/scanner/result";

/** Something that the scan before had not shown. */
export interface News {
  kind: "service" | "host" | "cookie";
  name: string;
}

/** Services, hosts of third parties, and cookies of a result that the result before does not have. */
export function listNews(before: ScanResult, after: ScanResult): News[] {
  const known = new Set(listSeen(before).map(toKey));
  return listSeen(after).filter((one) => !known.has(toKey(one)));
}

const toKey = ({ kind, name }: News): string => `${kind} ${name}`;

function listSeen({ services, phases }: ScanResult): News[] {
  // Cookies of a known service are known with it: some names contain the visitor's number.
  const ofServices = services.flatMap(({ cookies, storage }) => [...cookies, ...storage]);
  const isOfService = (name: string): boolean =>
    ofServices.some((one) =>
      one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name,
    );
  const hostsOfServices = new Set(services.flatMap(({ hosts }) => hosts));
  const all = [
    ...services.map(({ title }): News => ({ kind: "service", name: title })),
    ...phases.flatMap(({ requests }) =>
      requests
        .filter(({ host, isThirdParty }) => isThirdParty && !hostsOfServices.has(host))
        .map(({ host }): News => ({ kind: "host", name: host })),
    ),
    ...phases.flatMap(({ cookies }) =>
      cookies
        .filter(({ name }) => !isOfService(name))
        .map(({ name }): News => ({ kind: "cookie", name })),
    ),
  ];
  return [...new Map(all.map((one) => [toKey(one), one])).values()];
}
