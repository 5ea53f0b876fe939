/** A built file of the dashboard. */
export interface PageFile {
  readonly bytes: Uint8Array
  /** The same, compressed with gzip. */
  readonly gzipped: Uint8Array | undefined
  /** A name for the content, without quotes. */
  readonly tag: string
}

/** Reads a file by its path in the built dashboard, such as `assets/app-1f2e.js`. Undefined: there is none. */
export type ReadPageFile = (path: string) => Promise<PageFile | undefined>
