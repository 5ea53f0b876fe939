import type { Exchange } from '../../emulator/journal/exchange.ts'

/** Notices once that links lead clients past the proxy. */
export function createLinkNotice(
  origin: string,
  notice: (text: string) => void,
): (exchange: Exchange) => void {
  let isNoticed = false
  return ({ reply: { headers } }) => {
    const { Link: link = '', Location: location = '' } = headers
    if (isNoticed || !(link.includes(`<${origin}/`) || location.startsWith(`${origin}/`))) return
    isNoticed = true
    notice(
      `Answers link to ${origin} in Link or Location. A client that follows such a link bypasses the proxy. With --rewrite-links, they lead to the proxy.`,
    )
  }
}
