/** The part of jsdom that the tests use. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options?: { url: string });
    readonly window: unknown;
  }
}
