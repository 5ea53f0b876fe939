/**
 * What a call needs to get in, besides a host of this machine:
 *
 * - `plane`: the token, if there is one, and no page of another origin.
 * - `health`: the same, but a caller without a token sees a part.
 * - `file`: no page of another origin.
 * - `page`: the same, but any site may lead a browser there.
 * - `frame`: the same, but any site may also frame it; `frame-ancestors` says which may show it.
 * - `script`: nothing.
 */
export type Access = 'plane' | 'health' | 'file' | 'page' | 'frame' | 'script'
