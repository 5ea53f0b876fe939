import { decodePercent } from '../../base/percent.ts'

/** One `name=value` of a query string; `value` is undefined when its percent-encoding is broken. */
export interface QueryPair {
  readonly name: string
  readonly value: string | undefined
  /** As sent. */
  readonly raw: string
}

/** Reads a query in the encoding of forms: `+` is a space. A name that cannot be decoded matches no parameter. */
export function readQuery(query: string): QueryPair[] {
  const parts = query.split('&').filter(raw => raw !== '')
  return parts.map(raw => {
    const equals = raw.indexOf('=')
    const name = decode(equals === -1 ? raw : raw.slice(0, equals)) ?? raw
    return { name, value: equals === -1 ? '' : decode(raw.slice(equals + 1)), raw }
  })
}

function decode(text: string): string | undefined {
  return decodePercent(text.replaceAll('+', ' '))
}
