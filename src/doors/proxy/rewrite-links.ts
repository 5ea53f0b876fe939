import { pairsOf } from './message-headers.ts'

/** Moves absolute URLs of the service in Link and Location to the proxy, which has the same paths. */
export function createLinkRewriter(upstream: URL) {
  const moved = (url: string, own: string): string => {
    // A relative URL stays on the proxy anyway.
    if (!/^(?:https?:)?\/\//i.test(url) || !URL.canParse(url, upstream.href)) return url
    const parsed = new URL(url, upstream)
    const isOfService = parsed.origin === upstream.origin && parsed.username === '' && parsed.password === ''
    return isOfService ? `${own}${parsed.pathname}${parsed.search}${parsed.hash}` : url
  }
  /** `host`: the Host that the client called. Without one, the URLs become relative. */
  return (headers: readonly string[], host: string | undefined): string[] => {
    const own = host === undefined ? '' : `http://${host}`
    return pairsOf(headers).flatMap(([name, value]) => {
      if (/^location$/i.test(name)) return [name, moved(value, own)]
      if (!/^link$/i.test(name)) return [name, value]
      return [name, value.replace(/<([^<>]*)>/g, (_all, url: string) => `<${moved(url, own)}>`)]
    })
  }
}
