// s3rver ships no types: these cover only what the tests use.
declare module "s3rver" {
  interface S3rverOptions {
    address: string;
    /** 0 picks a free port. */
    port: number;
    directory: string;
    silent: boolean;
    configureBuckets: readonly { name: string }[];
  }

  export default class S3rver {
    constructor(options: S3rverOptions);
    run(): Promise<{ address: string; port: number }>;
    close(): Promise<void>;
  }
}
