import { describe, expect, it } from 'vitest'
import { type AllowedOrigins, createCors, loopbackOnly } from '../../../src/emulator/replies/cors.ts'

interface Page {
  readonly origin: string
  readonly allowed?: AllowedOrigins
  readonly host?: string
  readonly proxyHost?: string
  readonly baseUrl?: string
  readonly isPreflight?: boolean
}

function access({ origin, allowed = loopbackOnly, host = 'api.test', ...page }: Page) {
  const notices: string[] = []
  const read = createCors(allowed, text => notices.push(text), page.baseUrl)
  const preflight = page.isPreflight ? ['Access-Control-Request-Method', 'GET'] : []
  const found = read(['Host', host, 'Origin', origin, ...preflight], page.proxyHost)
  return { ...found, notices }
}

describe('a page that needs no permission, since it is of the server itself', () => {
  it.each<[what: string, page: Page, isOwn: boolean]>([
    ['of the host', { origin: 'http://api.test', host: 'api.test' }, true],
    ['of the host, with a port', { origin: 'https://api.test:1', host: 'api.test:1' }, true],
    ['of another port', { origin: 'http://api.test:2', host: 'api.test:1' }, false],
    ['of the host that a proxy names', { origin: 'http://shop.test', proxyHost: 'shop.test' }, true],
    ['of the base URL', { origin: 'https://shop.test', baseUrl: 'https://shop.test/api/v1' }, true],
    ['of the base URL, over HTTP', { origin: 'http://shop.test', baseUrl: 'http://shop.test' }, true],
    [
      'of the base URL, over another scheme',
      { origin: 'http://shop.test', baseUrl: 'https://shop.test' },
      false,
    ],
    ['of a URL within the base URL', { origin: 'http://b', baseUrl: 'x http://b' }, false],
    ['of none', { origin: 'http://shop.test' }, false],
    ['of the host, but in a preflight', { origin: 'http://api.test', isPreflight: true }, false],
  ])('%s', (_, page, isOwn) => {
    const { headers, refusal, notices } = access(page)
    const vary = page.isPreflight ? 'Origin, Access-Control-Request-Headers' : 'Origin'
    expect(headers).toEqual({ Vary: vary })
    expect([refusal === undefined, notices.length]).toEqual(isOwn ? [true, 0] : [false, 1])
  })
})

it.each<[origin: string, remedy: string | undefined]>([
  ['https://shop.test', "--cors 'https://shop.test'"],
  ['null', "--cors '*'"],
  [`https://${'a'.repeat(292)}`, `--cors 'https://${'a'.repeat(292)}'`],
  [`https://${'a'.repeat(293)}`, undefined],
  ['1https://shop.test', undefined],
  ['x-http://localhost', "--cors 'x-http://localhost'"],
  ['https://shop.test/path', undefined],
  ['https://a,b', undefined],
  ['shop.test', undefined],
])('how to allow pages of %s', (origin, remedy) => {
  const { refusal, notices } = access({ origin })
  expect(refusal?.expected).toBe(remedy === undefined ? 'an allowed origin' : `an allowed origin (${remedy})`)
  expect(notices[0]?.replace(/^.*blocks the reply\./, '')).toBe(
    remedy === undefined ? '' : ` Start pet-mock with ${remedy} to allow it.`,
  )
})

it('says nothing to a client that is no page', () => {
  const { headers, refusal } = createCors(loopbackOnly, () => {})(['Host', 'api.test'])
  expect([headers, refusal]).toEqual([{ Vary: 'Origin' }, undefined])
})

it('lets a page read the date, which waits are counted from', () => {
  const { headers } = access({ origin: 'http://localhost:3000' })
  expect(headers['Access-Control-Expose-Headers']?.split(', ')).toContain('Date')
})
