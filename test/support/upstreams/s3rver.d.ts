declare module 's3rver' {
  /** An S3 server from an npm package. It checks signatures (Signature Version 4) with a fixed access key. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { readonly name: string }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
