// s3rver has no types: these are of what the tests use.
declare module "s3rver" {
  interface S3rverOptions {
    address: string;
    /** 0 takes a free one. */
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
