/** Two kinds of lanes, with places of their own: usual ones, and those that are slow, failing or new. */
export interface ByKind {
  usual: number;
  poor: number;
}
