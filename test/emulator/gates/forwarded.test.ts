import { describe, expect, it } from 'vitest'
import { type Forwarded, readForwarded } from '../../../src/emulator/gates/caller.ts'
import { repeated } from '../../../src/service/call/headers.ts'
import { processorTime } from '../../support/processor-time.ts'

const nothing = { scheme: undefined, host: undefined, prefix: '', client: undefined }

describe('readForwarded', () => {
  it.each<[headers: readonly string[], found: Partial<Omit<Forwarded, 'hosts' | 'isLocal'>>]>([
    [[], {}],
    [['X-Forwarded-Proto', 'HTTPS'], { scheme: 'https' }],
    [['X-Forwarded-Proto', 'https, http'], { scheme: 'https' }],
    [['X-Forwarded-Proto', 'javascript'], {}],
    [['x-forwarded-host', 'pets.test'], { host: 'pets.test' }],
    [['X-Forwarded-Host', 'pets.test:8443, inner'], { host: 'pets.test:8443' }],
    [['X-Forwarded-Host', 'pets.test', 'X-Forwarded-Host', 'other.test'], { host: 'pets.test' }],
    [['X-Forwarded-Host', '[::1]'], { host: '[::1]' }],
    [['X-Forwarded-Host', 'a/b'], { host: repeated }],
    [['X-Forwarded-Host', 'user@pets.test'], { host: repeated }],
    [['X-Forwarded-Host', 'pets.test', 'X-Forwarded-Port', '8080'], { host: 'pets.test:8080' }],
    [['X-Forwarded-Host', 'pets.test:81', 'X-Forwarded-Port', '8080'], { host: 'pets.test:81' }],
    [['X-Forwarded-Host', 'pets.test', 'X-Forwarded-Port', '80'], { host: 'pets.test' }],
    [['X-Forwarded-Host', 'pets.test', 'X-Forwarded-Port', '>'], { host: 'pets.test' }],
    [
      ['X-Forwarded-Proto', 'https', 'X-Forwarded-Host', 'pets.test', 'X-Forwarded-Port', '443'],
      { scheme: 'https', host: 'pets.test' },
    ],
    [['X-Forwarded-Host', 'a.test', 'X-Forwarded-Port', '123456'], { host: 'a.test' }],
    [['X-Forwarded-Host', 'a.test', 'X-Forwarded-Port', 'x80'], { host: 'a.test' }],
    [['X-Forwarded-Host', 'a.test', 'X-Forwarded-Port', '81x'], { host: 'a.test' }],
    [['X-Forwarded-Host', '[::1]', 'X-Forwarded-Port', '81'], { host: '[::1]:81' }],
    [['X-Forwarded-Port', '81'], {}],
    [['X-Forwarded-For', '192.0.2.43:80'], { client: '192.0.2.43' }],
    [['X-Forwarded-For', 'x192.0.2.43:80'], {}],
    [['X-Forwarded-For', '192.0.2.43:8-0'], {}],
    [['X-Forwarded-For', '[::1]:80'], { client: '::1' }],
    [['X-Forwarded-For', 'x[::1]:80'], {}],
    [['X-Forwarded-For', '[::1]x'], {}],
    [['Forwarded', 'host=', 'X-Forwarded-Host', 'a.test'], {}],
    [['Forwarded', 'host=a.test, nonsense'], { host: 'a.test' }],
    [['X-A', 'X-Forwarded-Host', 'X-B', 'a.test'], {}],
    [['X-A', 'X-Forwarded-Host', 'a.test', 'X-B'], {}],
    [['X-Forwarded-Prefix', '/api/'], { prefix: '/api' }],
    [['X-Forwarded-Prefix', '/api/pets-1, /b'], { prefix: '/api/pets-1' }],
    [['X-Forwarded-Prefix', '/'], {}],
    [['X-Forwarded-Prefix', 'api'], {}],
    [['X-Forwarded-Prefix', '//evil.test'], {}],
    [['X-Forwarded-Prefix', '/a>;rel="next"'], {}],
    [['X-Forwarded-Prefix', `/${'a'.repeat(300)}`], {}],
    [['X-Forwarded-For', '192.0.2.43, 10.0.0.1'], { client: '192.0.2.43' }],
    [['X-Forwarded-For', 'unknown'], {}],
    [['X-Forwarded-For', '<script>'], {}],
    [
      ['Forwarded', 'for=192.0.2.43:47011;proto=https;by=203.0.113.43;host=pets.test'],
      { scheme: 'https', host: 'pets.test', client: '192.0.2.43' },
    ],
    [['Forwarded', 'For="[2001:db8:cafe::17]:4711"'], { client: '2001:db8:cafe::17' }],
    [['Forwarded', 'for=_hidden; Host="pets.test:8443"'], { host: 'pets.test:8443' }],
    [['Forwarded', 'host=first.test, host=second.test'], { host: 'first.test' }],
    [['Forwarded', 'host="a\\"b"'], { host: 'a"b' }],
    [['Forwarded', 'nonsense'], {}],
    [['Forwarded', 'host=pets.test', 'X-Forwarded-Host', 'other.test'], { host: 'pets.test' }],
    [['Forwarded', 'for=192.0.2.43', 'X-Forwarded-Host', 'other.test'], { client: '192.0.2.43' }],
  ])('%j', (headers, found) => {
    expect(readForwarded(headers)).toMatchObject({ ...nothing, ...found })
  })

  it.each<[headers: readonly string[], hosts: Forwarded['hosts']]>([
    [[], []],
    [
      ['Forwarded', 'host=a.test, for=1.1.1.1, host=b.test'],
      ['a.test', 'b.test'],
    ],
    [
      ['X-Forwarded-Host', 'a.test:1,  b.test', 'X-Forwarded-Port', '8080'],
      ['a.test:1', 'b.test'],
    ],
    [
      ['X-Forwarded-Host', 'a.test', 'Forwarded', 'host=b.test'],
      ['b.test', 'a.test'],
    ],
    [['X-Forwarded-Host', 'a/b,'], [repeated]],
  ])('finds every host in %j', (headers, hosts) => {
    expect(readForwarded(headers).hosts).toEqual(hosts)
  })

  it.each<[isLocal: boolean, ...headers: string[]]>([
    [true],
    [true, 'Host', 'a.test', 'X', 'forwarded', 'Not-Forwarded', 'x'],
    [true, 'Forwardeds', 'x'],
    [true, 'X', 'Forwarded', 'Y', 'X-Forwarded-For'],
    [true, 'Forwarded', 'for=127.0.0.1;proto=http'],
    [false, 'X-Forwarded-For', '127.0.0.1::ffff:127.0.0.1'],
    [false, 'X-Forwarded-For', '127.0::ffff:127.1.1'],
    [false, 'Host', 'a.test', 'X-Forwarded-For', '192.0.2.43'],
    [true, 'X-Forwarded-For', '127.0.0.1'],
    [true, 'X-Forwarded-For', '::1, ::ffff:127.0.0.1, [::1]:80, 127.1.2.3:80'],
    [true, 'Forwarded', 'for=127.0.0.1, for="[::1]"'],
    [true, 'Forwarded', 'for=127.0.0.1', 'Forwarded', 'for="[::1]"'],
    [false, 'X-Forwarded-For', '192.0.2.43'],
    [false, 'X-Forwarded-For', '127.0.0.1, 192.0.2.43'],
    [false, 'X-Forwarded-For', '::ffff:192.0.2.43'],
    [false, 'X-Forwarded-For', 'x::ffff:127.0.0.1'],
    [false, 'X-Forwarded-For', 'localhost'],
    [false, 'X-Forwarded-For', ''],
    [false, 'X-Forwarded-Host', 'a.test'],
    [false, 'X-Forwarded', '127.0.0.1'],
    [false, 'Forwarded', ''],
    [false, 'Forwarded', 'for=127.0.0.1, host=a.test'],
    [false, 'Forwarded', 'for=127.0.0.1;for=127.0.0.2'],
    [false, 'Forwarded', 'for=127.0.0.1', 'Forwarded', 'nonsense'],
    [false, 'Forwarded', 'for=127.0.0.1, nonsense'],
    [false, 'Forwarded', 'for=127.0.0.1', 'X-Forwarded-For', '192.0.2.43'],
    [false, 'Forwarded', 'for=192.0.2.43', 'X-Forwarded-For', '127.0.0.1'],
  ])('whether only this machine passed it on: %j, %s %s', (isLocal, ...headers) => {
    expect(readForwarded(headers).isLocal).toBe(isLocal)
  })

  it.each([
    ['X-Forwarded-Prefix', `/${'a'.repeat(199)}`, { prefix: `/${'a'.repeat(199)}` }],
    ['X-Forwarded-Prefix', '/api//', { prefix: '/api' }],
    ['X-Forwarded-Proto', 'http', { scheme: 'http' }],
    ['X-Forwarded-For', 'x1.1.1.1', { client: undefined }],
    ['X-Forwarded-For', '1.1.1.1x', { client: undefined }],
  ])('%s: %s', (name, value, found) => {
    expect(readForwarded([name, value])).toMatchObject(found)
  })

  it('reads a long header in a moment', () => {
    const text = `for=${'"\\'.repeat(8_000)}`
    const read = () => readForwarded(['Forwarded', text, 'X-Forwarded-Prefix', '/a'.repeat(8_000)])
    expect(processorTime(read)).toBeLessThan(1_000)
  })
})
