import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../../src/cli/arguments/command-line.ts'
import { readFlags } from '../../../src/cli/arguments/flag.ts'
import { serveFlags } from '../../../src/cli/arguments/serve-flags.ts'
import { execFlags } from '../../../src/cli/commands/exec/flags.ts'
import { proxyFlags } from '../../../src/cli/commands/proxy/flags.ts'
import { rehearseFlags } from '../../../src/cli/commands/rehearse/flags.ts'
import { serve } from '../../../src/cli/commands/serve.ts'
import { commands } from '../../../src/cli/commands.ts'
import { playFlags } from '../../../src/cli/walkthroughs/flags.ts'

function read(line: string, env: Readonly<Record<string, string>> = {}) {
  const args = line.split(' ').filter(word => word !== '')
  const commandLine = readCommandLine(args, [serve])
  if (commandLine.kind !== 'run') throw new Error('Nothing is run')
  const flags = readFlags(serveFlags, commandLine.given, env)
  return { values: flags.values, complaints: [...commandLine.complaints, ...flags.complaints] }
}

const defaults = {
  scenario: 'free-plan',
  clock: undefined,
  'add-key': [],
  pets: undefined,
  seed: undefined,
  fixtures: undefined,
  port: 7387,
  host: '127.0.0.1',
  cors: { loopback: true, listed: [] },
  'allowed-hosts': [],
  'base-url': undefined,
  'trust-proxy': false,
  tls: false,
  'tls-cert': undefined,
  'tls-key': undefined,
  journal: { entries: 1_000, bytes: 64 * 2 ** 20 },
  'snapshot-limit': 268_435_456,
  mask: [],
  box: undefined,
  'box-size': 64 * 2 ** 20,
  contract: false,
  'log-format': 'pretty',
  'state-sync': 'second',
  'openapi-only': [],
  profile: undefined,
  latency: false,
  watch: false,
  'no-marks': false,
  'no-config': false,
}

describe('flags', () => {
  it.each<[line: string, values: Partial<Record<keyof typeof defaults, unknown>>]>([
    ['', {}],
    ['serve', {}],
    ['serve --port 80', { port: 80 }],
    ['--port 80 serve', { port: 80 }],
    ['--port=0', { port: 0 }],
    ['-p 65535', { port: 65535 }],
    ['-p8080', { port: 8080 }],
    ['-p=8080', { port: 8080 }],
    ['-s2.yaml', { scenario: '2.yaml' }],
    ['-s./mine.yaml', { scenario: './mine.yaml' }],
    ['--watch=on', { watch: true }],
    ['--fixtures -', { fixtures: '-' }],
    ['-s ban', { scenario: 'ban' }],
    ['--scenario 007', { scenario: '007' }],
    ['--seed 0', { seed: 0 }],
    ['--seed 9007199254740991', { seed: 9_007_199_254_740_991 }],
    ['--pets 1000000', { pets: 1_000_000 }],
    ['--journal 0', { journal: { entries: 0, bytes: 64 * 2 ** 20 } }],
    ['--journal 5000', { journal: { entries: 5_000, bytes: 64 * 2 ** 20 } }],
    ['--journal 256MB', { journal: { entries: 1_000, bytes: 256 * 2 ** 20 } }],
    ['--journal 1gb,5000', { journal: { entries: 5_000, bytes: 2 ** 30 } }],
    ['--add-key my-app=free', { 'add-key': [{ name: 'my-app', plan: 'free' }] }],
    ['--add-key ab==free', { 'add-key': [{ name: 'ab=', plan: 'free' }] }],
    [
      '--add-key a=free,b=pro --add-key c=free',
      {
        'add-key': [
          { name: 'a', plan: 'free' },
          { name: 'b', plan: 'pro' },
          { name: 'c', plan: 'free' },
        ],
      },
    ],
    ['--watch', { watch: true }],
    ['--no-marks', { 'no-marks': true }],
    ['--watch serve', { watch: true }],
    ['--watch=no', { watch: false }],
    ['--watch=true --port 80', { watch: true, port: 80 }],
    ['--clock frozen', { clock: { at: undefined, frozen: true } }],
    ['--clock 2030-12-05T00:00:00Z', { clock: { at: '2030-12-05T00:00:00Z', frozen: false } }],
    ['--host ::1', { host: '::1' }],
    ['--host [::1]', { host: '::1' }],
    ['--host 0.0.0.0', { host: '0.0.0.0' }],
    ['--host localhost', { host: 'localhost' }],
    ['--cors *', { cors: '*' }],
    ['--cors https://a.example,*', { cors: '*' }],
    [
      '--cors https://A.example,http://b:81',
      { cors: { loopback: true, listed: ['https://a.example', 'http://b:81'] } },
    ],
    [
      '--cors https://shop.example:443,http://a.test:80',
      { cors: { loopback: true, listed: ['https://shop.example', 'http://a.test'] } },
    ],
    [
      '--cors http://a:443,https://b:80,http://[::1]:80',
      { cors: { loopback: true, listed: ['http://a:443', 'https://b:80', 'http://[::1]'] } },
    ],
    ['--cors http://a --cors http://b', { cors: { loopback: true, listed: ['http://a', 'http://b'] } }],
    ['--cors none', { cors: { loopback: false, listed: [] } }],
    ['--cors none,http://a', { cors: { loopback: false, listed: ['http://a'] } }],
    ['--cors http://a --cors None', { cors: { loopback: false, listed: ['http://a'] } }],
    ['--allowed-hosts pets.test,Api.Local', { 'allowed-hosts': ['pets.test', 'api.local'] }],
    ['--base-url https://pets.test', { 'base-url': 'https://pets.test/v1' }],
    ['--base-url https://Pets.test:443/v1/', { 'base-url': 'https://pets.test/v1' }],
    ['--base-url http://localhost:5173/api', { 'base-url': 'http://localhost:5173/api' }],
    ['--trust-proxy', { 'trust-proxy': true }],
    ['--tls', { tls: true }],
    ['--tls-cert a.pem --tls-key b.pem', { 'tls-cert': 'a.pem', 'tls-key': 'b.pem' }],
    ['--allowed-hosts *', { 'allowed-hosts': '*' }],
    ['--allowed-hosts .Example.com,pets.test.', { 'allowed-hosts': ['.example.com', 'pets.test'] }],
    ['--snapshot-limit 64MB', { 'snapshot-limit': 67_108_864 }],
    ['--snapshot-limit=500mb', { 'snapshot-limit': 524_288_000 }],
    ['--snapshot-limit 1KB', { 'snapshot-limit': 1_024 }],
    ['--log-format json', { 'log-format': 'json' }],
    ['--fixtures mine', { fixtures: 'mine' }],
  ])('pet-mock %s', (line, values) => {
    expect(read(line)).toEqual({ values: { ...defaults, ...values }, complaints: [] })
  })
})

describe('wrong flags', () => {
  it.each<[line: string, ...complaints: string[]]>([
    ['--port', '--port needs a value: PORT'],
    ['--port 1 --port 2', '--port: expected one value, found 2 (1, 2)'],
    ['-s ban --scenario ban', '--scenario: expected one value, found 2 (ban, ban)'],
    ['--port=', '--port needs a value: PORT'],
    ['--port --host ::1', '--port needs a value: PORT'],
    ['-p 80a', '--port: expected a port from 0 to 65535, found "80a"'],
    ['-p -1', '--port: expected a port from 0 to 65535, found "-1"'],
    ['-p 1e3', '--port: expected a port from 0 to 65535, found "1e3"'],
    ['-p 65536', '--port: expected a port from 0 to 65535, found "65536"'],
    ['--seed 1.5', '--seed: expected a whole number (0 or more), found "1.5"'],
    ['--seed 9007199254740992', '--seed: expected a whole number (0 or more), found "9007199254740992"'],
    ['--pets 1000001', '--pets: expected a whole number of pets from 0 to 1000000, found "1000001"'],
    ['--add-key free', '--add-key: expected NAME=PLAN, such as my-app=free, found "free"'],
    ['--add-key =free', '--add-key: expected NAME=PLAN, such as my-app=free, found "=free"'],
    ['--add-key a=', '--add-key: expected NAME=PLAN, such as my-app=free, found "a="'],
    ['--add-key ü=free', '--add-key: expected an API key (letters, digits and . _ ~ + / -), found "ü"'],
    [
      '--clock now',
      '--clock: expected frozen or an instant from 1970 to 9899, such as 2026-03-02T09:00:00Z, found "now"',
    ],
    [
      '--journal many',
      '--journal: expected a size of at least 1MB such as 64MB, a number of calls such as 1000, or both as 1000,64MB, found "many"',
    ],
    [
      '--journal 1KB',
      '--journal: expected a size of at least 1MB such as 64MB, a number of calls such as 1000, or both as 1000,64MB, found "1KB"',
    ],
    [
      '--journal 5,6',
      '--journal: expected a size of at least 1MB such as 64MB, a number of calls such as 1000, or both as 1000,64MB, found "5,6"',
    ],
    ['--host http://a', '--host: expected a host name or an IP address, found "http://a"'],
    ['--cors a.example', '--cors: expected an origin, such as https://shop.example, found "a.example"'],
    [
      '--cors null',
      '--cors: expected an origin, such as https://shop.example, found "null"; many kinds of pages send null, so allow all origins with *',
    ],
    ['--cors none,*', '--cors: expected none or *, found both'],
    [
      '--cors http://localhost:5173/',
      '--cors: expected an origin, such as https://shop.example, found "http://localhost:5173/"; did you mean http://localhost:5173?',
    ],
    ...['.', '..', '.com', '.com.', '.localhost', '.a..b', '.example.com:80', '.127.0.0.1', '.a/b.c'].map(
      (text): [string, string] => [
        `--allowed-hosts ${text}`,
        `--allowed-hosts: expected a domain of at least two names, such as .example.com, found "${text}"`,
      ],
    ),
    ['--base-url pets.test', '--base-url: expected a URL, such as https://pets.test/v1, found "pets.test"'],
    [
      '--base-url http://a/v1?x',
      '--base-url: expected a URL without a query, a fragment and a user, found "http://a/v1?x"',
    ],
    [
      '--allowed-hosts *.example.com',
      '--allowed-hosts: expected a host name without a port, such as pets.test, found "*.example.com"; write .example.com for a domain and its subdomains',
    ],
    [
      '--allowed-hosts a:80',
      '--allowed-hosts: expected a host name without a port, such as pets.test, found "a:80"',
    ],
    ['--snapshot-limit 64', '--snapshot-limit: expected a size of at most 500MB, such as 64MB, found "64"'],
    [
      '--snapshot-limit 501MB',
      '--snapshot-limit: expected a size of at most 500MB, such as 64MB, found "501MB"',
    ],
    ['--snapshot-limit 0MB', '--snapshot-limit: expected a size of at most 500MB, such as 64MB, found "0MB"'],
    [
      '--log-format preety',
      '--log-format: expected one of pretty, json, silent, found "preety"; did you mean pretty?',
    ],
    [
      '--clock -1h',
      '--clock: expected frozen or an instant from 1970 to 9899, such as 2026-03-02T09:00:00Z, found "-1h"',
    ],
    ['-p80x', '--port: expected a port from 0 to 65535, found "80x"'],
    ['--watch=maybe', '--watch: expected true or false, found "maybe"'],
    ['--watch maybe', '"maybe" is not a command; choose from serve'],
    ['--prot 80', '--prot is not a flag of this command; did you mean --port?'],
    ['-port 80', '-port is not a flag of this command; did you mean --port?'],
    ['-q', '-q is not a flag of this command; did you mean --log-format silent?'],
    ['--no-cors', '--no-cors is not a flag of this command; did you mean --cors?'],
    ['--hasOwnProperty', '--hasOwnProperty is not a flag of this command; see --help'],
    ['--__proto__ x', '--___proto___ is not a flag of this command; see --help'],
    ['srve', '"srve" is not a command; did you mean serve?'],
    [
      'ban',
      '"ban" is not a command; did you mean --scenario ban? With npm, put flags after --: npm start -- --scenario ban',
    ],
    ['bam', '"bam" is not a command; choose from serve'],
    ['serve serve', '"serve" is not a command; did you mean serve?'],
    ['-- x', '"x" is not a command; choose from serve'],
    [
      'mock openapi.yaml',
      '"mock" is not a command; did you mean pet-mock, or with the operations of your file: pet-mock --openapi openapi.yaml?',
    ],
    ['scenario ban', '"scenario" is not a command; did you mean pet-mock scenarios use NAME?'],
    ['state save', '"state" is not a command; did you mean pet-mock snapshot save?'],
    ['search', '"search" is not a command; did you mean pet-mock rehearse --search?'],
    ['replay calls.har', '"replay" is not a command; did you mean pet-mock compare-plans FILE?'],
    ['--key my-app=pro', '--key is not a flag of this command; did you mean --add-key?'],
    ['start', '"start" is not a command; did you mean pet-mock?'],
    ['version', '"version" is not a command; did you mean pet-mock --version?'],
    [
      '--config x',
      '--config is not a flag of this command; did you mean the file pet-mock.yaml, which needs no flag?',
    ],
    [
      '--delay 100',
      '--delay is not a flag of this command; did you mean a rule with a delay, or pet-mock -s slow?',
    ],
    [
      '--prot 1 -p x --sed 2',
      '--prot is not a flag of this command; did you mean --port?',
      '--sed is not a flag of this command; did you mean --seed?',
      '--port: expected a port from 0 to 65535, found "x"',
    ],
  ])('pet-mock %s', (line, ...complaints) => {
    expect(read(line).complaints).toEqual(complaints)
  })

  it('keep their fallback, so that the other flags can be checked', () => {
    expect(read('--port x --seed 5').values).toEqual({ ...defaults, seed: 5 })
  })
})

describe('environment variables', () => {
  it.each<[variable: string, text: string, values: Partial<Record<keyof typeof defaults, unknown>>]>([
    ['PET_MOCK_PORT', '81', { port: 81 }],
    [
      'PET_MOCK_ADD_KEY',
      'a=free, b=pro',
      {
        'add-key': [
          { name: 'a', plan: 'free' },
          { name: 'b', plan: 'pro' },
        ],
      },
    ],
    ['PET_MOCK_WATCH', '1', { watch: true }],
    ['PET_MOCK_WATCH', 'false', { watch: false }],
    ['PET_MOCK_PORT', '', {}],
    // exec sets these for its command, and PORT belongs to others.
    ['PET_MOCK_KEY', 'demo-free', {}],
    ['PET_MOCK_URL', 'http://127.0.0.1:7387/v1', {}],
    ['PET_MOCK_ADMIN', 'http://127.0.0.1:7387/__admin', {}],
    ['PORT', '81', {}],
  ])('%s=%s', (variable, text, values) => {
    expect(read('', { [variable]: text })).toEqual({ values: { ...defaults, ...values }, complaints: [] })
  })

  it('are overridden by flags, even if they are wrong', () => {
    expect(read('--port 1', { PET_MOCK_PORT: 'x' })).toEqual({
      values: { ...defaults, port: 1 },
      complaints: [],
    })
  })

  it('are named in complaints', () => {
    const complaint = 'PET_MOCK_PORT: expected a port from 0 to 65535, found "x"'
    expect(read('', { PET_MOCK_PORT: 'x' }).complaints).toEqual([complaint])
  })
})

describe('a word of an earlier version', () => {
  it.each([
    ['pets remove 5', '"remove" is not a command of pets; did you mean delete?'],
    ['pets edit 5', '"edit" is not a command of pets; did you mean change?'],
    ['rules remove outage', '"remove" is not a command of rules; did you mean delete?'],
    ['rules turn outage', '"turn" is not a command of rules; did you mean change?'],
    ['scenarios check mine.yaml', '"check" is not a command of scenarios; did you mean validate?'],
    ['state save', '"state" is not a command; did you mean pet-mock snapshot save?'],
    ['replay calls.har', '"replay" is not a command; did you mean pet-mock compare-plans FILE?'],
  ])('pet-mock %s names the new one', (line, complaint) => {
    expect(readCommandLine(line.split(' '), commands)).toMatchObject({ complaints: [complaint] })
  })

  it.each([
    [
      'exec --conduct off',
      execFlags,
      '--conduct is not a flag of this command; did you mean --fail-on never?',
    ],
    [
      'proxy http://a.test --scenario x.yaml',
      proxyFlags,
      '--scenario is not a flag of this command; did you mean --rules?',
    ],
    [
      'rehearse --scenario x.yaml',
      rehearseFlags,
      '--scenario is not a flag of this command; did you mean --add?',
    ],
    [
      'rehearse --budget 5',
      rehearseFlags,
      '--budget is not a flag of this command; did you mean --max-runs?',
    ],
    [
      'scenarios play --max-wait 5s',
      playFlags,
      '--max-wait is not a flag of this command; did you mean --max-time?',
    ],
  ])('pet-mock %s names the new flag', (line, flags, complaint) => {
    const read = readCommandLine(line.split(' '), commands)
    if (read.kind !== 'run') throw new Error('Nothing is run')
    expect(readFlags(flags, read.given, {}).complaints).toContain(complaint)
  })
})

it('keeps everything after -- as typed', () => {
  const words = ['node', '-port', '-p1', '--watch=x', '--', '-1h', '"a"']
  expect(readCommandLine(['exec', '--watch', '--', ...words], commands)).toMatchObject({ kind: 'run', words })
})
