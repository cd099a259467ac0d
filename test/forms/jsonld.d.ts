declare module "jsonld" {
  interface Options {
    safe: boolean;
    documentLoader: (url: string) => Promise<never>;
  }
  interface Term {
    value: string;
  }
  const jsonld: {
    expand(document: object, options: Options): Promise<Record<string, unknown>[]>;
    toRDF(
      document: object,
      options: Options,
    ): Promise<{ subject: Term; predicate: Term; object: Term }[]>;
  };
  export default jsonld;
}
