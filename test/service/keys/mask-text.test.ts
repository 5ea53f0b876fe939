import { describe, expect, it, test } from 'vitest'
import { createSecrets } from '../../../src/service/keys/mask.ts'
import { isSecretParameter, maskText } from '../../../src/service/keys/mask-text.ts'
import { processorTime } from '../../support/processor-time.ts'

function shown(text: string): string {
  const { isSecret, mask } = createSecrets()
  return maskText(text, { isSecret, mask, isKnown: value => value === 'k1' })
}

test.each<[text: string, shown: string]>([
  // Queries, in a target, a URL or a sentence.
  ['/v1/pets?limit=1&access_token=abcdefgh&x=2', '/v1/pets?limit=1&access_token=ab…&x=2'],
  ['https://host/#id_token=abcdefgh', 'https://host/#id_token=ab…'],
  ['/v1/pets?%70assword=hunter22', '/v1/pets?%70assword=hu…'],
  ['?sig=a%2Fb%3D&token=%', '?sig=a…&token=…'],
  ['?token=&sig=', '?token=&sig='],
  ['?key=abc&q=k1', '?key=…&q=…#2'],
  ['?cursor=abc&page_token=def&next_token=ghi', '?cursor=abc&page_token=def&next_token=ghi'],
  ["found --data 'password=hunter22'", "found --data 'password=hu…'"],
  ['password="two words", next', 'password="tw…", next'],
  ["password='two words', next", "password='tw…', next"],
  ['it took token=abcdefgh and went', 'it took token=ab… and went'],
  ['?KEY=abcdefgh&keys=abcdefgh&monkey=abcdefgh', '?KEY=ab…&keys=abcdefgh&monkey=abcdefgh'],
  // Users in URLs.
  ['see https://user:hunter22@host/v1 for', 'see https://use…@host/v1 for'],
  ['https://ghp_abcdefghijkl@host', 'https://ghp_…@host'],
  ['mailto:user@host and http://host/@user', 'mailto:user@host and http://host/@user'],
  // JSON.
  ['{"password":"hunter22","name":"Rex"}', '{"password":"hu…","name":"Rex"}'],
  ['{ "token" : 123456 , "a": 1}', '{ "token" : "1…" , "a": 1}'],
  ['{"password":null,"token":true,"secret":""}', '{"password":null,"token":true,"secret":""}'],
  ['{"a":[{"b":{"clientSecret":"abcdefgh"}}]}', '{"a":[{"b":{"clientSecret":"ab…"}}]}'],
  [
    '{"credentials":{"user":"annabella","list":["abcdefgh",{"n":12345678}]},"x":1}',
    '{"credentials":{"user":"an…","list":["ab…",{"n":"12…"}]},"x":1}',
  ],
  ['{"p\\u0061ssword":"hunter22"}', '{"p\\u0061ssword":"hu…"}'],
  ['{"password":"a\\"b,\\"x\\":1 cde","y":2}', '{"password":"a\\"b…","y":2}'],
  ['{"body":"{\\"password\\":\\"hunter22\\"}"}', '{"body":"{\\"password\\":\\"hu…\\"}"}'],
  [
    '[{"x":"y","token":"abcdefgh"},{"token":"abcdefgh"},{"token":"abcdefgi"}]',
    '[{"x":"y","token":"ab…"},{"token":"ab…"},{"token":"ab…#2"}]',
  ],
  ['data: {"jwt":"abcdefgh"}\n\n', 'data: {"jwt":"ab…"}\n\n'],
  // White space, as in JSON for people.
  ['{"secret": { "a": "hunter2234",\n "n": 12345678 } }', '{"secret": { "a": "hu…",\n "n": "12…" } }'],
  // What is no JSON: an escape that it does not have, and a value that is missing.
  ['{"password":"hun\\xter22"}', '{"password":"hu…"}'],
  ['{"a":[{"token":}],"name":"Rexrexrex"}', '{"a":[{"token":}],"name":"Rexrexrex"}'],
  ['a wrong "password":"hunter22": too short', 'a wrong "password":"hu…": too short'],
  ['{"token":{12345678:null}}', '{"token":{"12…":null}}'],
  ['found "token":"abcdefgh" and "name12345"', 'found "token":"ab…" and "name12345"'],
  // The name `key` has other uses in JSON.
  ['{"key":"abcdefgh"}', '{"key":"abcdefgh"}'],
  // Bodies that were cut.
  ['{"a":1,"password":"hunter2234', '{"a":1,"password":"hu…'],
  ['{"a":1,"password":"hunter2234}', '{"a":1,"password":"hu…'],
  ['{"a":1,"password":"', '{"a":1,"password":"'],
  ['{"credentials":{"a":"hunter2234","b', '{"credentials":{"a":"hu…","…'],
  // Forms.
  ['password=hunter22&name=Rex', 'password=hu…&name=Rex'],
  ['a=1&user%5Bpassword%5D=hunter22', 'a=1&user%5Bpassword%5D=hu…'],
  [
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter22\r\n--x--',
    '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nhu…\r\n--x--',
  ],
  [
    '--x\nContent-Disposition: form-data; name="password"\n\nhunter\r22\n--x--',
    '--x\nContent-Disposition: form-data; name="password"\n\nhu…\n--x--',
  ],
  ['name="password"\n\nhunter22', 'name="password"\n\nhu…'],
  ['name="password"; filename="a.txt"\n\nhunter22', 'name="password"; filename="a.txt"\n\nhu…'],
  [
    'name="password"\r\nContent-Type: text/plain\r\n\r\nhunter22',
    'name="password"\r\nContent-Type: text/plain\r\n\r\nhu…',
  ],
  ['name="password"\nA: b\nC: d\n\nhunter22', 'name="password"\nA: b\nC: d\n\nhu…'],
  // XML.
  ['<a><password>hunter22</password><b>2</b></a>', '<a><password>hu…</password><b>2</b></a>'],
  ['<s:Token t="1">abcdefgh</s:Token>', '<s:Token t="1">ab…</s:Token>'],
  ['<soap:Token>abcdefgh</soap:Token>', '<soap:Token>ab…</soap:Token>'],
  ['<pass><![CDATA[hunter22]]></pass><b>2</b>', '<pass><![CDATA[hu…]]></pass><b>2</b>'],
  ['<pass><![CDATA[hunter22', '<pass><![CDATA[hu…'],
  ['<pass>\n  <![CDATA[hunter 22]]>\n</pass>', '<pass>\n  <![CDATA[hu…]]>\n</pass>'],
  // JavaScript and Python.
  ["{'password': 'hunter22', 'name': 'Rex'}", "{'password': 'hu…', 'name': 'Rex'}"],
  ["{'token':'abcdefgh", "{'token':'ab…"],
  ["{ 'token' : 'abcdefgh' }", "{ 'token' : 'ab…' }"],
  // OAuth's code, and not those of errors.
  ['/callback?code=SplxlOBeZQ1&state=x', '/callback?code=Sp…&state=x'],
  ['code=404 and code=rate_limit_exceeded', 'code=404 and code=rate_limit_exceeded'],
  // Nothing to mask.
  [
    'Wrong Authorization: expected Bearer <API_KEY>, found nothing.',
    'Wrong Authorization: expected Bearer <API_KEY>, found nothing.',
  ],
  ['</v1/pets?cursor=abc>; rel="next"', '</v1/pets?cursor=abc>; rel="next"'],
  ['Bearer realm="pet-api", error="invalid_token"', 'Bearer realm="pet-api", error="invalid_token"'],
])('%s', (text, expected) => {
  expect(shown(text)).toBe(expected)
  // A text may pass through several masks.
  expect(shown(expected)).toBe(expected)
})

test.each([
  ['code', 'SplxlOBeZQ1', true],
  ['CODE', 'Splxl~O/B+%e.Z_Q-1', true],
  ['code', 'Splxl01', false],
  ['code', 'SplxlOBeZQ', false],
  ['code', 'an SplxlOBeZQ1', false],
  ['code', 'SplxlOBeZQ1 or none', false],
  ['zipcode', 'SplxlOBeZQ1', false],
  ['codec', 'SplxlOBeZQ1', false],
  ['Key', 'x', true],
  ['keys', 'SplxlOBeZQ1', false],
  ['monkey', 'SplxlOBeZQ1', false],
  ['token', 'x', true],
])('whether the parameter %s is secret with the value %j: %j', (name, value, expected) => {
  expect(isSecretParameter(name, value, createSecrets())).toBe(expected)
})

describe('labels', () => {
  it('differ for two credentials that begin alike, and stay the same', () => {
    const { maskKey, mask } = createSecrets()
    expect(['demo-free', 'demo-frozen', 'demo-free', 'demo-fast'].map(maskKey)).toEqual([
      'demo-f…',
      'demo-f…#2',
      'demo-f…',
      'demo-f…#3',
    ])
    expect(['abc', 'xyz', 'abc'].map(mask)).toEqual(['…', '…#2', '…'])
    const long = 'x'.repeat(5_000)
    expect([`${long}1`, `${long}2`, `${long}1`].map(mask)).toEqual(['xxxxxx…', 'xxxxxx…#2', 'xxxxxx…'])
  })

  it('are bounded', () => {
    const { maskKey, mask } = createSecrets()
    for (let at = 0; at < 10_000; at += 1) mask(`token-${at} of many`)
    expect(mask('token-x of many')).toBe('tok…#+')
    // Keys have room left.
    expect(maskKey('demo-free')).toBe('demo-f…')
  })
})

test.each<[name: string, piece: string]>([
  ['backslashes', '\\'],
  ['quotes', '"'],
  ['names', '"a":'],
  ['open lists', '"token":['],
  ['parts', 'name="token"\r\n'],
  ['parts in a line', 'name="token"'],
  ['URLs', '://a'],
  ['users', '://@'],
  ['pairs', '&a='],
  ['brackets', '['],
  ['tags', '<token a'],
  ['white space', '"a" '],
  ['spaces after a colon', '"token":          '],
])('long texts of %s take little time', (_name, piece) => {
  const text = piece.repeat(Math.ceil(262_144 / piece.length))
  expect(processorTime(() => shown(text))).toBeLessThan(5_000)
})
