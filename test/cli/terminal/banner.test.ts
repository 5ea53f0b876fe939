import { expect, it } from 'vitest'
import { readyLine } from '../../../src/cli/log/log-json.ts'
import { type BannerFacts, banner } from '../../../src/cli/terminal/banner.ts'
import { createPaint } from '../../../src/cli/terminal/text.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { scenarioOf } from '../../support/scenarios.ts'

const noColours = createPaint({})

function facts(file: ScenarioFile, host = '127.0.0.1'): BannerFacts {
  const scenario = scenarioOf({ clock: null, ...file })
  return { version: '1.2.3', host, port: 7387, isTls: false, anyPort: false, scenario, isAdminClosed: false }
}

it('shows everything needed to call the server', () => {
  const file: ScenarioFile = {
    title: 'Rate limit exhaustion',
    description: 'Three calls are left in this minute.',
    key: 'demo-pro',
    keys: { 'demo-pro': { used: { minute: 297, day: 4_120 } }, mine: { plan: 'free', revoked: true } },
  }
  expect(banner(facts(file), noColours)).toBe(`
  pet-mock 1.2.3

  ➜  API        http://127.0.0.1:7387/v1
  ➜  Dashboard  http://127.0.0.1:7387/__admin
  ➜  Scenario   Rate limit exhaustion (test)
                Three calls are left in this minute.
  ➜  Keys       ● demo-pro         pro           300 a minute   10,000 a day  used 297 this minute, 4,120 today
                  demo-free        free           60 a minute    1,000 a day
                  demo-business    business    1,000 a minute  100,000 a day
                  demo-enterprise  enterprise  5,000 a minute  500,000 a day
                  mine             free           60 a minute    1,000 a day  revoked
  ➜  Try        curl -i http://127.0.0.1:7387/v1/pets -H 'Authorization: Bearer demo-pro'
  ➜  Stop       Ctrl+C

`)
})

it.each<[host: string, url: string, warned: boolean]>([
  ['127.0.0.1', 'http://127.0.0.1:7387/v1', false],
  ['127.8.9.1', 'http://127.8.9.1:7387/v1', false],
  ['localhost', 'http://localhost:7387/v1', false],
  ['::1', 'http://[::1]:7387/v1', false],
  ['0.0.0.0', 'http://127.0.0.1:7387/v1', true],
  ['::', 'http://[::1]:7387/v1', true],
  ['0:0:0:0:0:0:0:0', 'http://[::1]:7387/v1', true],
  ['192.168.1.7', 'http://192.168.1.7:7387/v1', true],
  ['mybox.test', 'http://mybox.test:7387/v1', true],
])('listening on %s, it shows %s', (host, url, warned) => {
  const shown = banner(facts({}, host), noColours)
  expect(shown).toContain(`API        ${url}\n`)
  expect(shown.includes(`!  Other machines can reach this server: it listens on ${host}.`)).toBe(warned)
  const admin = url.replace('/v1', '/__admin')
  expect(shown).toContain(`Dashboard  ${admin}\n`)
  expect(JSON.parse(readyLine(facts({}, host), 1))).toMatchObject({ url, admin })
})

it('says that the admin plane is closed, and what opens it', () => {
  const shown = banner({ ...facts({}, '0.0.0.0'), isAdminClosed: true }, noColours)
  expect(shown).toContain(
    'Dashboard  closed, because other machines can reach it; to open it, add --admin-token TOKEN\n',
  )
})

it('wraps the rows of the admin plane and the certificate, but no path', () => {
  const certificate = `/home/somebody/.cache/${'folder/'.repeat(4)}localhost.crt`
  const shown = banner(
    { ...facts({}, '0.0.0.0'), isAdminClosed: true, isTls: true, certificate, columns: 80 },
    noColours,
  )
  expect(shown).toMatch(/to open it, add\n {16}--admin-token TOKEN\n/)
  expect(shown).toContain(`TLS        self-signed; clients must trust\n${' '.repeat(16)}${certificate}\n`)
})

it.each<[clock: ScenarioFile['clock'], line: string | undefined]>([
  [null, undefined],
  [{ at: '2030-12-05T00:00:00Z' }, '2030-12-05T00:00:00Z, running'],
  [{ at: '2030-12-05T00:00:00Z', frozen: true }, '2030-12-05T00:00:00Z, frozen'],
  [{ frozen: true }, 'frozen from the start'],
  [{ scale: 30 }, 'running at 30x speed from the start'],
])('the clock %o is shown as %s', (clock, line) => {
  const shown = /Clock +(.*)/.exec(banner(facts({ clock }), noColours))?.[1]
  expect(shown).toBe(line)
})

it('quotes an IPv6 address, because shells expand brackets', () => {
  expect(banner(facts({}, '::1'), noColours)).toContain("curl -i 'http://[::1]:7387/v1/pets' -H 'Auth")
})

it('shows the first eight of many keys', () => {
  const keys = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`app-${n}`, { plan: 'free' }]))
  const shown = banner(facts({ keys, key: 'app-1500' }), noColours)
  expect(shown).toContain('Keys       ● app-1500 ')
  expect(shown).toContain('                and 1,996 more\n')
  expect(shown.split('\n').length).toBeLessThan(20)
})

it('escapes control characters in the names of a scenario', () => {
  const plain = facts({ title: 'a\tb', description: 'a\nb' })
  // The name may be a file name with any character.
  const shown = banner({ ...plain, scenario: { ...plain.scenario, name: '\x1b[2J' } }, noColours)
  expect(shown).toContain('Scenario   a\\x09b (\\x1b[2J)')
  expect(shown).toContain('a\\x0ab')
})

it('the ready line has the same facts for programs', () => {
  const line = readyLine(facts({ key: 'mine', keys: { mine: { plan: 'pro' } } }), 4711)
  expect(JSON.parse(line)).toEqual({
    event: 'ready',
    url: 'http://127.0.0.1:7387/v1',
    admin: 'http://127.0.0.1:7387/__admin',
    scenario: 'test',
    key: 'mine',
    keys: {
      'demo-free': 'free',
      'demo-pro': 'pro',
      'demo-business': 'business',
      'demo-enterprise': 'enterprise',
      mine: 'pro',
    },
    version: '1.2.3',
    pid: 4711,
  })
})

it('wraps a long description between words', () => {
  const description = 'Three calls are left in this minute. The fourth gets 429 until the window resets.'
  const shown = banner({ ...facts({ description }), columns: 60 }, noColours)
  expect(shown).toContain(`
                Three calls are left in this minute. The
                fourth gets 429 until the window resets.
`)
})

it('lists the addresses of the network, and what names and pages need', () => {
  const network = ['192.168.1.7', 'fd00::7']
  const shown = banner({ ...facts({}, '0.0.0.0'), network }, noColours)
  expect(shown).toContain(`
  ➜  API        http://127.0.0.1:7387/v1
  ➜  Network    http://192.168.1.7:7387/v1
                http://[fd00::7]:7387/v1
                by name: add --allowed-hosts NAME; for web pages: --cors ORIGIN
`)
  const ready = JSON.parse(readyLine({ ...facts({}, '0.0.0.0'), network }, 1))
  expect(ready.network).toEqual(['http://192.168.1.7:7387/v1', 'http://[fd00::7]:7387/v1'])
})

it('shows the certificate to trust, and what links begin with', () => {
  const shown = banner(
    { ...facts({}), isTls: true, certificate: '/a b/localhost.crt', linkBase: 'https://pets.test/v1' },
    noColours,
  )
  expect(shown).toContain('API        https://127.0.0.1:7387/v1\n')
  expect(shown).toContain('Links      begin with https://pets.test/v1\n')
  expect(shown).toContain('TLS        self-signed; clients must trust /a b/localhost.crt\n')
  expect(shown).toContain("curl -i --cacert '/a b/localhost.crt' https://127.0.0.1:7387/v1/pets")
})
